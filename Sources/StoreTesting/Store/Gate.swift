import Platform
import StoreCore

/// Lets those who wait go on when it is opened, once and for all.
final class Gate: Sendable {
  private struct Standing {
    var isOpen = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let standing = Locked(Standing())

  func open() {
    let waiters = standing.withLock { standing in
      standing.isOpen = true
      defer { standing.waiters = [] }
      return standing.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Opens when no effect can go on by itself.
  func open(whenSettled executor: SerialEffectExecutor) {
    Task.detached { [self] in
      await executor.settle()
      open()
    }
  }

  /// Waits until it is opened or the task is cancelled, but not longer than until then.
  nonisolated(nonsending) func wait(until deadline: ContinuousClock.Instant) async {
    let timer = Task.detached { [self] in
      try? await ContinuousClock().sleep(until: deadline)
      open()
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOpen = standing.withLock { standing in
          if !standing.isOpen { standing.waiters.append(continuation) }
          return standing.isOpen
        }
        if isOpen { continuation.resume() }
      }
    } onCancel: {
      open()
    }
    timer.cancel()
  }
}
