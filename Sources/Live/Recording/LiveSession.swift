import Platform
import SessionFile
import SessionImports
import SessionWords
import ValueTree

/// One store of a running app, written as a session while it runs.
///
/// Another program sends the data, so it trusts no number, no name and no size.
package final class LiveSession {
  package let name: String
  package var path: String { writer.path }
  package private(set) var steps = 0
  private let writer: SessionWriter
  private var redactor: Redactor
  private var causes = ReduxCauses()
  private var state: Value?
  private let origin: Double?
  private var newest = Duration.zero
  private var told: Set<String> = []

  private static let largestState = 128 << 20

  /// The shim copies nothing, and a few copies could make a state of any size.
  private static func isPlain(_ patch: Patch) -> Bool {
    patch.operations.allSatisfy { ["add", "remove", "replace"].contains($0.name) }
  }

  /// A step as a program sends it.
  package struct Entry {
    package var action: Value
    package var label: String
    /// Milliseconds since 1970.
    package var time: Double?
    package var change: Change
    package var error: String?
    package var stack: String?
    /// The place that changed without a new state.
    package var mutatedPlace: String?

    package enum Change {
      case patch(Value)
      /// The state is unknown from here on, for this reason.
      case lost(String)
    }

    package init(action: Value, _ change: Change) {
      (self.action, self.change) = (action, change)
      label = ReduxAction.label(action).clipped(to: 200)
    }
  }

  /// The first message about a store.
  package struct Start {
    package var name: String
    package var state: Value?
    package var time: Double?
    package var format: String
    package var capability: SessionHeader.Capability = .replay

    package init(name: String, state: Value?, time: Double? = nil, format: String) {
      (self.name, self.state, self.time, self.format) = (name, state, time, format)
    }
  }

  /// Creates the file. An existing session of that path keeps another name.
  init(_ start: Start, at path: String, _ redaction: Redaction) throws(SessionError) {
    name = start.name
    var redactor = Redactor(redaction)
    let first = start.state.map { redactor.state($0) }
    self.redactor = redactor
    state = start.state
    origin = start.time.flatMap { $0.isFinite ? $0 : nil }
    var header = SessionHeader(app: SessionHeader.App(start.name), capability: start.capability)
    header.state = first
    header.origin = SessionHeader.Origin(format: start.format)
    header.started =
      origin.flatMap { Int64(exactly: $0.rounded()) }
      .flatMap { UTCText.of(milliseconds: $0) } ?? UTCText.now
    header.knowsCauses = false
    header.snapshots = .encoded
    header.redacted = redaction.descriptions().map { "\($0) (asked for)" }
    var options = WritingOptions()
    options.existing = .keep(KeptSessions.usual)
    writer = try SessionWriter(path: path, header: header, options: options)
  }

  package func add(_ entry: Entry) throws(SessionError) {
    steps += 1
    var (patch, note) = (Value?.none, entry.mutatedPlace.map { "changed in place: \($0)" })
    switch entry.change {
    case .patch(let value):
      if let before = state, let known = try? Patch(value), Self.isPlain(known),
        let changed = try? known.applied(to: before), changed.weight <= Self.largestState
      {
        (state, patch) = (changed, value)
      } else {
        state = nil
        note = note ?? "the change of the state does not fit"
      }
    case .lost(let reason): (state, note) = (nil, reason)
    }
    var step = Step(
      number: steps, time: time(entry.time), label: redactor.text(entry.label, .label),
      action: redactor.value(entry.action, .action),
      error: entry.error.map { redactor.text($0.clipped(to: 2_000), .message) })
    step.stack = entry.stack.map { redactor.text($0.clipped(to: 8_000), .message) }
    let seen = state.map { redactor.state($0) }
    let (before, after) = causes.judge(&step)
    for event in before { try writer.append(redactor.event(event)) }
    try writer.append(step, state: seen, patch: redactor.redaction.isEmpty ? patch : nil)
    for event in after { try writer.append(redactor.event(event)) }
    if let note { try say(note, once: entry.mutatedPlace == nil) }
  }

  /// Writes a note behind the last step.
  package func say(_ words: String, once: Bool = false) throws(SessionError) {
    let words = redactor.text(words.clipped(to: 2_000), .signpost)
    guard !once || told.insert(words).inserted else { return }
    try writer.append(Signpost(words, step: steps, time: newest))
  }

  package func flush() throws(SessionError) { try writer.flush() }
  package func finish() throws(SessionError) { try writer.finish() }

  private func time(_ milliseconds: Double?) -> Duration? {
    guard let origin, let milliseconds, case let since = milliseconds - origin,
      abs(since) < 1e12
    else { return milliseconds == nil ? nil : newest }
    newest = max(newest, .microseconds(Int64((since * 1000).rounded())))
    return newest
  }
}

/// The sessions of one app, or of one port: a file for each store.
///
/// `@unchecked Sendable`: everything is behind the lock.
package final class LiveRecorder: @unchecked Sendable {
  private let lock = Lock()
  private let begun = ThreadSignal()
  private var sessions: [String: LiveSession] = [:]
  private var ids: [String] = []
  private var isOver = false
  private var isWaitingOver = false
  private var failure: String?
  private let makePath: @Sendable (_ name: String, _ number: Int) -> String
  private let redaction: Redaction
  /// Called once for each new session.
  private let onStart: @Sendable (Began) -> Void

  package struct Began: Sendable {
    package var id: String
    package var name: String
    package var path: String
  }

  package struct Summary: Sendable {
    package var name: String
    package var path: String
    package var steps: Int
  }

  private static let most = 256

  package init(
    redaction: Redaction, path: @escaping @Sendable (_ name: String, _ number: Int) -> String,
    onStart: @escaping @Sendable (Began) -> Void = { _ in }
  ) {
    (self.redaction, makePath, self.onStart) = (redaction, path, onStart)
  }

  package func start(_ id: String, _ start: LiveSession.Start) {
    let began: Began? = lock.withLock {
      guard sessions[id] == nil, ids.count < Self.most, !isOver else { return nil }
      return attempt { () throws(SessionError) in
        let path = makePath(start.name, ids.count + 1)
        let session = try LiveSession(start, at: path, redaction)
        try session.flush()
        sessions[id] = session
        ids.append(id)
        begun.wakeAll()
        return Began(id: id, name: session.name, path: session.path)
      }
    }
    if let began { onStart(began) }
  }

  package func add(_ entry: LiveSession.Entry, to id: String) {
    change(id) { session throws(SessionError) in try session.add(entry) }
  }

  package func say(_ words: String, in id: String) {
    change(id) { session throws(SessionError) in try session.say(words) }
  }

  private func change(_ id: String, _ work: (LiveSession) throws(SessionError) -> Void) {
    lock.withLock {
      guard let session = sessions[id], !isOver else { return }
      attempt { () throws(SessionError) in try work(session) }
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

  /// Hands all lines to the system: call it after each message.
  package func flush() {
    lock.withLock {
      for session in sessions.values {
        attempt { () throws(SessionError) in try session.flush() }
      }
    }
  }

  /// Ends all sessions.
  package func finish() {
    lock.withLock {
      guard !isOver else { return }
      isOver = true
      for session in sessions.values {
        attempt { () throws(SessionError) in try session.finish() }
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

  /// Waits for the first session. Nil: the recording ended without one.
  package func first() -> Began? {
    lock.withLock {
      while ids.isEmpty, !isOver, !isWaitingOver { begun.wait(in: lock) }
      return ids.first.flatMap { id in
        sessions[id].map { Began(id: id, name: $0.name, path: $0.path) }
      }
    }
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

package enum LiveName {
  /// A file's name made from another program's text: letters, digits, `.`, `-` and `_`.
  package static func file(_ text: String) -> String {
    var name = ""
    for scalar in text.unicodeScalars.prefix(200) {
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      if isPlain || "._-".unicodeScalars.contains(scalar) && !name.isEmpty {
        name.unicodeScalars.append(scalar)
      } else if !name.isEmpty, name.last != "-" {
        name.append("-")
      }
      if name.count == 60 { break }
    }
    while let last = name.last, "-._".contains(last) { name.removeLast() }
    return name.isEmpty ? "app" : name
  }
}
