import Platform
import Synchronization

/// Carries entries from the app's threads to the worker, in order.
///
/// `@unchecked Sendable`: everything is behind the lock.
final class EntryQueue: @unchecked Sendable {
  private let lock = Lock()
  private let filled = ThreadSignal()
  private let drained = ThreadSignal()
  // Every step passes here, so without exclusivity checks.
  @exclusivity(unchecked) private var entries: [RecordedEntry] = []
  private var isClosed = false
  private var worker = Worker.awake
  private let napLimit: Int
  private var flushesAsked = 0
  private var flushesDone = 0
  private var longest = 0
  @exclusivity(unchecked) private var newest = 0
  @exclusivity(unchecked) private var isOpen = false
  @exclusivity(unchecked) private var held: [Making] = []
  private var refusals = 0
  /// The entries that the worker has taken and not handled yet.
  private let taken = Atomic(0)

  typealias Making = (_ newest: Int) -> RecordedEntry

  private enum Worker {
    case awake
    /// The worker wakes up soon by itself, because waking it is the app's largest cost of a step.
    case napping
    case asleep
  }

  /// Unnoticeably short, but longer than the pauses of a busy app.
  private static let nap = Duration.milliseconds(4)

  static let room = 1_024

  /// This many waiting entries end a nap; 0 disables naps.
  init(napLimit: Int = 64) {
    self.napLimit = napLimit
    entries.reserveCapacity(Self.room)
  }

  struct Batch {
    var flush: Int?
    var isLast: Bool
  }

  var longestQueue: Int { locked { longest } }
  var refused: Int { locked { refusals } }
  var isEmpty: Bool { locked { entries.isEmpty } }

  /// Begins a step, by default the one after the newest. Returns it and the number of waiting
  /// entries. Other entries wait behind it.
  func open(_ step: Int?) -> (step: Int, waiting: Int) {
    lock.lock()
    defer { lock.unlock() }
    isOpen = true
    return (step ?? newest + 1, entries.count)
  }

  /// The entries that wait, and those in the worker's hands.
  var unhandled: Int { locked { unhandledNow } }

  private var unhandledNow: Int { entries.count + taken.load(ordering: .relaxed) }

  /// The longest wait of a sender for a busy worker, in nanoseconds of its own computing time. It
  /// spins, because to be woken takes as long again.
  private static let patience = 40_000

  /// Waits while too many entries wait, but never longer than the patience, because the worker may
  /// itself be waiting: for a disk, or for what the sender holds.
  func waitBriefly(beyond limit: Int) {
    guard locked({ unhandledNow >= limit && !isClosed }) else { return }
    let start = Self.computed
    while Self.computed - start < Self.patience {
      // Most rounds only load the atomic, which leaves the lock to the worker.
      let before = taken.load(ordering: .relaxed)
      for _ in 0..<32 where taken.load(ordering: .relaxed) != before { break }
      if locked({ unhandledNow < limit || isClosed }) { return }
    }
  }

  /// This thread's computing time: if others have the cores, they keep them from the worker, too.
  /// On Apple's systems the time that passes, because the type-check does not know that clock.
  private static var computed: Int {
    var time = timespec()
    #if os(Linux)
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    #else
      clock_gettime(CLOCK_MONOTONIC, &time)
    #endif
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }

  /// Ends a step that bypasses the queue; returns the entries made meanwhile.
  func close(_ step: Int) -> [RecordedEntry] {
    locked {
      newest = step
      return takeHeld()
    }
  }

  /// An entry that bypasses the queue; nil during a step.
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

  /// Appends a step unless closed. A limit makes it wait for room first.
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

  /// Moves all entries into an empty array, whose memory is reused, so that slow apps allocate
  /// nothing. Blocks until there is an entry, the queue closes, or time is up. After recent work it
  /// naps first.
  func moveAll(
    into batch: inout [RecordedEntry], waitingAtMost timeout: Duration?, mayNap: Bool = false
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
      swap(&entries, &batch)
      taken.store(batch.count, ordering: .relaxed)
      return Batch(
        flush: flushesAsked > flushesDone ? flushesAsked : nil,
        isLast: isClosed && batch.isEmpty)
    }
  }

  /// Tells senders that the worker has handled one entry of its batch.
  func handledEntry() { taken.wrappingSubtract(1, ordering: .relaxed) }

  func finishedBatch(flush: Int?) {
    locked {
      if let flush { flushesDone = flush }
      drained.wakeAll()
    }
  }

  func flush() {
    locked {
      guard !isClosed else { return }
      flushesAsked += 1
      let mine = flushesAsked
      wakeWorker()
      while flushesDone < mine, !isClosed { drained.wait(in: lock) }
    }
  }

  func close() {
    locked {
      for entry in takeHeld() { append(entry) }
      isClosed = true
      filled.wakeOne()
      drained.wakeAll()
    }
  }

  private func wakeWorker() {
    guard worker != .awake else { return }
    worker = .awake
    filled.wakeOne()
  }

  private func locked<Result>(_ work: () -> Result) -> Result { lock.withLock(work) }
}
