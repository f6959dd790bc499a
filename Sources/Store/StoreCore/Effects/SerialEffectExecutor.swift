import Platform

/// Runs a store's effects one at a time, in the order in which they became ready, so that tests
/// have one order.
///
/// Each store in a test has its own (``DependencyValues/effectExecutor``). It does not control work
/// that an effect gives to another actor or task.
///
/// `@unchecked Sendable`: all mutable state is behind the lock.
public final class SerialEffectExecutor: TaskExecutor, @unchecked Sendable {
  private let lock = Lock()
  private var waiting: [UnownedJob] = []
  private var isRunning = false
  private var holds = 0
  private var idleWaiters: [CheckedContinuation<Void, Never>] = []

  /// Creates an idle executor.
  public init() {}

  package var isSettled: Bool { lock.withLock { !isRunning } }

  /// Takes work that is ready; the system calls it.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustStart = lock.withLock {
      waiting.append(job)
      return starts()
    }
    if mustStart { Task.detached { self.runWaiting() } }
  }

  /// Queues everything that becomes ready meanwhile before any of it runs, since running creates
  /// more.
  func holding(_ work: () -> Void) {
    lock.withLock { holds += 1 }
    work()
    let mustStart = lock.withLock {
      holds -= 1
      return starts()
    }
    if mustStart { Task.detached { self.runWaiting() } }
  }

  private func starts() -> Bool {
    holds == 0 && !waiting.isEmpty && !exchange(&isRunning, with: true)
  }

  /// Returns when none of its effects can continue by itself: all have ended, or wait for a clock
  /// or the outside.
  public func settle() async {
    await withCheckedContinuation { continuation in
      let isIdle = lock.withLock {
        if isRunning { idleWaiters.append(continuation) }
        return !isRunning
      }
      if isIdle { continuation.resume() }
    }
  }

  private func runWaiting() {
    while true {
      let (jobs, idle) = lock.withLock {
        let jobs = exchange(&waiting, with: [])
        guard jobs.isEmpty else { return (jobs, [CheckedContinuation<Void, Never>]()) }
        isRunning = false
        return (jobs, exchange(&idleWaiters, with: []))
      }
      for waiter in idle { waiter.resume() }
      if jobs.isEmpty { return }
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}

private enum EffectExecutorKey: DependencyKey {
  static let liveValue: (any TaskExecutor)? = nil
  static var testValue: (any TaskExecutor)? { SerialEffectExecutor() }
}

extension DependencyValues {
  /// Runs the bodies of effects; nil means the shared thread pool. In tests each store has a
  /// ``SerialEffectExecutor``.
  public var effectExecutor: (any TaskExecutor)? {
    get { self[EffectExecutorKey.self] }
    set { self[EffectExecutorKey.self] = newValue }
  }
}
