import Platform
import SessionFile
import SessionWords
import Sockets
import ValueTree

/// The sessions of one app, or of one port: a file for each store.
///
/// `@unchecked Sendable`: everything is behind the lock.
package final class LiveRecorder: @unchecked Sendable {
  private let lock = Lock()
  private let begun = ThreadSignal()
  private var sessions: [String: LiveSession] = [:]
  private var ids: [String] = []
  /// Stores of a connection that has not ended, which another one goes on with.
  private var replaced: Set<String> = []
  private var isOver = false
  private var isWaitingOver = false
  private var failure: String?
  private let makePath: @Sendable (_ name: String, _ number: Int) -> String
  private let redaction: Redaction
  /// Gets a sentence about what is refused.
  let refuse: @Sendable (String) -> Void
  /// The messages that arrive at once, and the states of all stores.
  let arriving: MemoryBudget
  private let states = MemoryBudget(LiveSession.largestState)
  /// Called once for each new session.
  private let onStart: @Sendable (Began) -> Void

  package struct Began: Sendable {
    package var id: String
    package var name: String
    package var path: String
    package var reduces: Bool
    package var steps: Int
    /// Why it has ended.
    package var end: String?

    init(_ id: String, _ session: LiveSession) {
      (self.id, name, path, reduces) = (id, session.name, session.path, session.reduces)
      (steps, end) = (session.steps, session.end)
    }
  }

  package struct Summary: Sendable {
    package var name: String
    package var path: String
    package var steps: Int
  }

  private static let most = 256

  package init(
    redaction: Redaction, path: @escaping @Sendable (_ name: String, _ number: Int) -> String,
    arriving: MemoryBudget = MemoryBudget(128 << 20),
    refuse: @escaping @Sendable (String) -> Void = { _ in },
    onStart: @escaping @Sendable (Began) -> Void = { _ in }
  ) {
    (self.redaction, makePath, self.arriving) = (redaction, path, arriving)
    (self.refuse, self.onStart) = (refuse, onStart)
  }

  /// Starts a session. If a store of the same name and state has lost its connection, it goes on with that one.
  package func start(_ id: String, _ start: LiveSession.Start, key: String? = nil) {
    if start.state != nil, isSame(id, start) { return }
    begin(id, named: start.name, key) { path throws(SessionError) in
      try LiveSession(start, at: path, self.redaction, self.states)
    }
  }

  /// Starts a session with the header of another recorder.
  func start(_ id: String, _ header: SessionHeader, key: String?) {
    begin(id, named: header.app?.name ?? "app", key) { path throws(SessionError) in
      try LiveSession(header, at: path, self.redaction, self.states)
    }
  }

  private func begin(
    _ id: String, named name: String, _ key: String?,
    _ make: (_ path: String) throws(SessionError) -> LiveSession
  ) {
    let began: Began? = lock.withLock {
      guard sessions[id] == nil, !replaced.contains(id), !isOver else { return nil }
      guard ids.count < Self.most else {
        refuse("refused a store: a recording has at most \(Self.most)")
        return nil
      }
      return attempt { () throws(SessionError) in
        let path = makePath(shown(name), ids.count + 1)
        let session = try make(path)
        session.key = key
        try session.flush()
        sessions[id] = session
        ids.append(id)
        begun.wakeAll()
        return Began(id, session)
      }
    }
    if let began { onStart(began) }
  }

  /// A name as the session has it.
  func shown(_ name: String) -> String {
    Redactor(redaction).text(name, .name).clipped(to: 100)
  }

  private func isSame(_ id: String, _ start: LiveSession.Start) -> Bool {
    lock.withLock {
      let name = shown(start.name)
      return hand(to: id) { session in
        session.isLeft && session.end == nil && session.name == name
          && session.format == start.format && session.state == start.state
      }
    }
  }

  /// Goes on with the session that its sender calls `key`, and returns how much of it is here.
  func rejoin(_ id: String, key: String) -> Int? {
    lock.withLock { hand(to: id) { $0.key == key } ? sessions[id]?.received : nil }
  }

  /// The lock is held.
  private func hand(to id: String, where isWanted: (LiveSession) -> Bool) -> Bool {
    guard sessions[id] == nil, !isOver,
      let place = ids.lastIndex(where: { sessions[$0].map(isWanted) == true }),
      let session = sessions.removeValue(forKey: ids[place])
    else { return false }
    if !session.isLeft { replaced.insert(ids[place]) }
    session.isLeft = false
    sessions[id] = session
    ids[place] = id
    attempt { () throws(SessionError) in try session.say("the app has connected again") }
    return true
  }

  /// Says that the connection of some stores is lost. Their sessions wait for them.
  func disconnect(_ wanted: (_ id: String) -> Bool) {
    lock.withLock {
      replaced = replaced.filter { !wanted($0) }
      for id in ids where wanted(id) {
        guard let session = sessions[id], !session.isLeft, !isOver else { continue }
        session.isLeft = true
        attempt { () throws(SessionError) in try session.say("the app has disconnected") }
      }
    }
    flush()
  }

  func has(_ id: String) -> Bool { lock.withLock { sessions[id] != nil } }

  /// Works with a session; nil if it has not begun.
  @discardableResult
  func with<Result>(
    _ id: String, _ work: (LiveSession) throws(SessionError) -> Result
  ) -> Result? {
    lock.withLock {
      guard let session = sessions[id], session.end == nil, !isOver else { return nil }
      return attempt { () throws(SessionError) in try work(session) }
    }
  }

  package func add(_ entry: LiveSession.Entry, to id: String) {
    with(id) { session throws(SessionError) in try session.add(entry) }
  }

  /// Takes what the app does after the next jump as a fork. The result goes into that jump.
  package func play(_ fork: SavedBranch, in id: String) -> String? { with(id) { $0.play(fork) } }

  /// Writes it beside the session. Returns whether there was news.
  package func savePlayed(in id: String) -> Bool {
    with(id) { session throws(SessionError) in try session.savePlayed() } ?? false
  }

  package func say(_ words: String, in id: String) {
    with(id) { session throws(SessionError) in try session.say(words) }
  }

  /// Says that something of the apps is lost: all states are unknown from here on.
  func lose(because reason: String) {
    refuse(reason)
    lock.withLock {
      for session in sessions.values where !isOver {
        attempt { () throws(SessionError) in try session.lose(because: reason) }
      }
    }
  }

  /// Keeps the first failure to write. The lock is held.
  @discardableResult
  private func attempt<Result>(_ work: () throws(SessionError) -> Result) -> Result? {
    do throws(SessionError) { return try work() } catch {
      failure = failure ?? error.description
      return nil
    }
  }

  /// Ends some sessions, each with a note; the recording goes on.
  func end(because reason: String, _ wanted: (_ id: String) -> Bool) {
    for id in lock.withLock({ ids }) where wanted(id) {
      with(id) { session throws(SessionError) in try session.end(because: reason) }
    }
  }

  /// Hands all lines to the system: call it after each message.
  package func flush() {
    lock.withLock {
      for session in sessions.values where session.end == nil {
        attempt { () throws(SessionError) in try session.flush() }
      }
    }
  }

  /// Ends all sessions. A reason becomes the last note of each.
  package func finish(because reason: String? = nil) {
    lock.withLock {
      guard !isOver else { return }
      isOver = true
      for session in sessions.values where session.end == nil {
        attempt { () throws(SessionError) in
          try session.end(because: reason)
        }
      }
      begun.wakeAll()
    }
  }

  /// Ends the waiting in ``first()``.
  package func stopWaiting() {
    lock.withLock {
      isWaitingOver = true
      begun.wakeAll()
    }
  }

  /// Waits for the first session that has not ended. Nil: the recording ended without any.
  package func first() -> Began? {
    lock.withLock {
      func live() -> String? { ids.first { sessions[$0]?.end == nil } }
      while live() == nil, !isOver, !isWaitingOver { begun.wait(in: lock) }
      return (live() ?? ids.first).flatMap { id in sessions[id].map { Began(id, $0) } }
    }
  }

  /// All sessions, in the order in which they began.
  package var all: [Began] {
    lock.withLock { ids.compactMap { id in sessions[id].map { Began(id, $0) } } }
  }

  /// In the order in which they began.
  package var summaries: [Summary] {
    lock.withLock {
      ids.compactMap { id in
        sessions[id].map { Summary(name: $0.name, path: $0.path, steps: $0.steps) }
      }
    }
  }

  /// The first failure to write.
  package var trouble: String? { lock.withLock { failure } }
}
