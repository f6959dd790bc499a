/// Threads outside Swift's pool, for work that computes for long. The pool has one thread for each
/// processor, perhaps a single one: what has to answer at once keeps it for itself.
///
/// ```swift
/// let task = Task(executorPreference: WorkThreads()) { try session.state(after: 90_000) }
/// ```
///
/// `@unchecked Sendable`: everything that changes is only touched while the lock is held.
package final class WorkThreads: TaskExecutor, @unchecked Sendable {
  private let lock = Lock()
  private let filled = ThreadSignal()
  private var waiting: [UnownedJob] = []
  private var idle = 0
  private var threads = 0

  /// More work than that waits for its turn.
  private static let most = 32
  private static let timeToLive = Duration.seconds(2)

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustStart = lock.withLock {
      waiting.append(job)
      guard idle < waiting.count, threads < Self.most else {
        filled.wakeOne()
        return false
      }
      threads += 1
      return true
    }
    guard mustStart, (try? SystemThread.start(stackSize: 8 << 20, { self.work() })) == nil else {
      return
    }
    // The system has no thread left.
    Task.detached { self.work() }
  }

  private func work() {
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Nil when there has been nothing to do for a while.
  private func next() -> UnownedJob? {
    lock.withLock {
      idle += 1
      defer { idle -= 1 }
      while waiting.isEmpty {
        guard filled.wait(in: lock, until: ThreadDeadline(in: Self.timeToLive)) || !waiting.isEmpty
        else {
          threads -= 1
          return nil
        }
      }
      return waiting.removeFirst()
    }
  }
}
