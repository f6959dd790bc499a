import Platform

/// Runs the effects of a store one at a time, in the order in which they became ready, so that a
/// test has one order and not several.
///
/// Stores in a test use one each (``DependencyValues/effectExecutor``). Work that an effect hands
/// to another actor, or to a task of its own, is not held.
///
/// `@unchecked Sendable`: everything that changes is only touched while the lock is held.
public final class SerialEffectExecutor: TaskExecutor, @unchecked Sendable {
  private let lock = Lock()
  private var waiting: [UnownedJob] = []
  private var isRunning = false
  private var holds = 0
  private var idleWaiters: [CheckedContinuation<Void, Never>] = []

  /// Holds nothing yet.
  public init() {}

  /// Whether nothing of it can go on by itself just now.
  package var isSettled: Bool { lock.withLock { !isRunning } }

  /// Takes work that is ready to go on. The system calls it.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustStart = lock.withLock {
      waiting.append(job)
      return starts()
    }
    if mustStart { Task.detached { self.runWaiting() } }
  }

  /// What becomes ready meanwhile has its order before any of it runs: what runs would make more.
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

  /// Returns when no effect of this executor can go on by itself: all have ended, or wait for a
  /// clock or for something outside.
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
  /// Runs the bodies of effects; the shared pool of threads where it is nil. In tests each store
  /// has a ``SerialEffectExecutor``.
  public var effectExecutor: (any TaskExecutor)? {
    get { self[EffectExecutorKey.self] }
    set { self[EffectExecutorKey.self] = newValue }
  }
}
