#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Carries entries from the threads of the app to the worker, in order.
///
/// `@unchecked Sendable`: everything is touched only while the lock is held.
final class EntryQueue: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let filled: UnsafeMutablePointer<pthread_cond_t>
  private let drained: UnsafeMutablePointer<pthread_cond_t>
  private var entries: [RecordedEntry] = []
  private var isClosed = false
  private var isWorkerAsleep = false
  private var flushesAsked = 0
  private var flushesDone = 0
  private var longest = 0
  private var newest = 0
  private var refusals = 0

  /// What the worker gets when it asks.
  struct Batch {
    var entries: [RecordedEntry]
    /// Up to which call of `flush` somebody waits for these entries; nil when nobody does.
    var flush: Int?
    var isLast: Bool
  }

  init() {
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_mutex_t())
    pthread_mutex_init(lock, nil)
    filled = .allocate(capacity: 1)
    filled.initialize(to: pthread_cond_t())
    pthread_cond_init(filled, nil)
    drained = .allocate(capacity: 1)
    drained.initialize(to: pthread_cond_t())
    pthread_cond_init(drained, nil)
  }

  deinit {
    pthread_cond_destroy(drained)
    pthread_cond_destroy(filled)
    pthread_mutex_destroy(lock)
    drained.deallocate()
    filled.deallocate()
    lock.deallocate()
  }

  var longestQueue: Int { locked { longest } }
  /// The number of the step that was pushed last.
  var newestStep: Int { locked { newest } }
  /// How many entries came too late.
  var refused: Int { locked { refusals } }
  var isEmpty: Bool { locked { entries.isEmpty } }

  /// Takes note of a step that does not go through the queue.
  func note(_ step: Int) { locked { newest = step } }

  /// How many entries wait.
  var waiting: Int { locked { entries.count } }

  /// Appends a step unless the queue is closed. With a limit it waits first until fewer entries are
  /// there.
  func push(_ step: RecordedStep, limit: Int) {
    locked {
      while entries.count >= limit, !isClosed { pthread_cond_wait(drained, lock) }
      append(.step(step))
      newest = step.number
    }
  }

  /// Appends what `make` gives for the newest step, unless the queue is closed.
  func push(_ make: (_ newest: Int) -> RecordedEntry) {
    locked { append(make(newest)) }
  }

  private func append(_ entry: RecordedEntry) {
    guard !isClosed else {
      refusals += 1
      return
    }
    entries.append(entry)
    if entries.count > longest { longest = entries.count }
    wakeWorker()
  }

  /// All that waits. Blocks until there is something, the queue is closed, or the time is over.
  func takeAll(waitingAtMost timeout: Duration?) -> Batch {
    locked {
      let deadline = timeout.map(Self.deadline)
      while entries.isEmpty, !isClosed, flushesAsked == flushesDone {
        isWorkerAsleep = true
        defer { isWorkerAsleep = false }
        guard var deadline else {
          pthread_cond_wait(filled, lock)
          continue
        }
        if pthread_cond_timedwait(filled, lock, &deadline) == ETIMEDOUT { break }
      }
      let batch = Batch(
        entries: entries, flush: flushesAsked > flushesDone ? flushesAsked : nil, isLast: isClosed)
      entries = []
      return batch
    }
  }

  /// The worker has done with a batch.
  func finishedBatch(flush: Int?) {
    locked {
      if let flush { flushesDone = flush }
      pthread_cond_broadcast(drained)
    }
  }

  /// Returns when all that was pushed so far is handed to the system.
  func flush() {
    locked {
      guard !isClosed else { return }
      flushesAsked += 1
      let mine = flushesAsked
      wakeWorker()
      while flushesDone < mine, !isClosed { pthread_cond_wait(drained, lock) }
    }
  }

  /// Nothing more is taken in; says whether it was open.
  @discardableResult
  func close() -> Bool {
    locked {
      let wasOpen = !isClosed
      isClosed = true
      pthread_cond_signal(filled)
      pthread_cond_broadcast(drained)
      return wasOpen
    }
  }

  private func wakeWorker() {
    guard isWorkerAsleep else { return }
    isWorkerAsleep = false
    pthread_cond_signal(filled)
  }

  private static func deadline(in timeout: Duration) -> timespec {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let (seconds, attoseconds) = timeout.components
    let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000)
    return timespec(
      tv_sec: now.tv_sec + Int(seconds) + nanoseconds / 1_000_000_000,
      tv_nsec: nanoseconds % 1_000_000_000)
  }

  private func locked<Result>(_ work: () -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return work()
  }
}
