import Platform

/// Carries entries from the threads of the app to the worker, in order.
///
/// `@unchecked Sendable`: everything is touched only while the lock is held.
final class EntryQueue: @unchecked Sendable {
  private let lock = Lock()
  private let filled = ThreadSignal()
  private let drained = ThreadSignal()
  // On the way of every step: nobody looks whether somebody else has access.
  @exclusivity(unchecked) private var entries: [RecordedEntry] = []
  private var isClosed = false
  private var worker = Worker.awake
  /// So many entries wake a worker that naps.
  private let napLimit: Int
  private var flushesAsked = 0
  private var flushesDone = 0
  private var longest = 0
  @exclusivity(unchecked) private var newest = 0
  /// Whether a step is being reduced, and what was told meanwhile.
  @exclusivity(unchecked) private var isOpen = false
  @exclusivity(unchecked) private var held: [Making] = []
  private var refusals = 0

  /// Makes an entry for the newest step.
  typealias Making = (_ newest: Int) -> RecordedEntry

  private enum Worker {
    case awake
    /// It looks again in a moment by itself: waking it costs the app more than all else about a step.
    case napping
    case asleep
  }

  /// Shorter than what anybody notices, and longer than the pauses of an app that is busy.
  private static let nap = Duration.milliseconds(4)

  /// There is room for so many entries before the first comes, and when they have gone.
  static let room = 1_024

  /// A nap ends early when so many entries wait; with 0 there are none.
  init(napLimit: Int = 64) {
    self.napLimit = napLimit
    entries.reserveCapacity(Self.room)
  }

  /// What the worker is told with its entries.
  struct Batch {
    /// Up to which call of `flush` somebody waits for these entries; nil when nobody does.
    var flush: Int?
    var isLast: Bool
  }

  var longestQueue: Int { locked { longest } }
  /// How many entries came too late.
  var refused: Int { locked { refusals } }
  var isEmpty: Bool { locked { entries.isEmpty } }

  /// A step begins, without a number the one after the newest: that, and how many entries wait. What is
  /// told until it is there comes behind it.
  func open(_ step: Int?) -> (step: Int, waiting: Int) {
    lock.lock()
    defer { lock.unlock() }
    isOpen = true
    return (step ?? newest + 1, entries.count)
  }

  /// A step is there that does not go through the queue; gives what was told meanwhile.
  func close(_ step: Int) -> [RecordedEntry] {
    locked {
      newest = step
      return takeHeld()
    }
  }

  /// What does not go through the queue; nil while a step is open.
  func entry(_ make: @escaping Making) -> RecordedEntry? {
    locked {
      guard isOpen else { return make(newest) }
      held.append(make)
      return nil
    }
  }

  private func takeHeld() -> [RecordedEntry] {
    isOpen = false
    guard !held.isEmpty else { return [] }
    defer { held = [] }
    return held.map { $0(newest) }
  }

  /// Appends a step unless the queue is closed. With a limit it waits first until fewer entries are
  /// there.
  func push(_ step: RecordedStep, limit: Int) {
    lock.lock()
    defer { lock.unlock() }
    while entries.count >= limit, !isClosed {
      wakeWorker()
      drained.wait(in: lock)
    }
    append(.step(step))
    newest = step.number
    isOpen = false
    if !held.isEmpty { for entry in takeHeld() { append(entry) } }
  }

  /// Appends what `make` gives for the newest step, unless the queue is closed.
  func push(_ make: @escaping Making) {
    locked { if isOpen { held.append(make) } else { append(make(newest)) } }
  }

  private func append(_ entry: RecordedEntry) {
    guard !isClosed else {
      refusals += 1
      return
    }
    entries.append(entry)
    if entries.count > longest { longest = entries.count }
    switch worker {
    case .awake: break
    case .napping: if entries.count >= napLimit { wakeWorker() }
    case .asleep: wakeWorker()
    }
  }

  /// Puts all that waits into an empty array, whose room is used for what comes next: an app that sends
  /// seldom asks for no memory here. Blocks until there is something, the queue is closed, or the time is
  /// over. Who had something to do a moment ago naps first.
  func takeAll(
    into taken: inout [RecordedEntry], waitingAtMost timeout: Duration?, mayNap: Bool = false
  ) -> Batch {
    locked {
      let deadline = timeout.map { ThreadDeadline(in: $0) }
      if entries.isEmpty, mayNap, napLimit > 0, !isClosed, flushesAsked == flushesDone {
        worker = .napping
        _ = filled.wait(in: lock, until: ThreadDeadline(in: min(Self.nap, timeout ?? Self.nap)))
        worker = .awake
      }
      while entries.isEmpty, !isClosed, flushesAsked == flushesDone {
        worker = .asleep
        defer { worker = .awake }
        guard let deadline else {
          filled.wait(in: lock)
          continue
        }
        if !filled.wait(in: lock, until: deadline) { break }
      }
      swap(&entries, &taken)
      return Batch(
        flush: flushesAsked > flushesDone ? flushesAsked : nil,
        isLast: isClosed && taken.isEmpty)
    }
  }

  /// The worker has done with a batch.
  func finishedBatch(flush: Int?) {
    locked {
      if let flush { flushesDone = flush }
      drained.wakeAll()
    }
  }

  /// Returns when all that was pushed so far is handed to the system.
  func flush() {
    locked {
      guard !isClosed else { return }
      flushesAsked += 1
      let mine = flushesAsked
      wakeWorker()
      while flushesDone < mine, !isClosed { drained.wait(in: lock) }
    }
  }

  /// Nothing more is taken in; says whether it was open.
  @discardableResult
  func close() -> Bool {
    locked {
      let wasOpen = !isClosed
      for entry in takeHeld() { append(entry) }
      isClosed = true
      filled.wakeOne()
      drained.wakeAll()
      return wasOpen
    }
  }

  private func wakeWorker() {
    guard worker != .awake else { return }
    worker = .awake
    filled.wakeOne()
  }

  private func locked<Result>(_ work: () -> Result) -> Result { lock.withLock(work) }
}
