import Platform

/// The effects that descend from one `send`.
final class EffectGroup: Sendable {
  typealias Waiter = CheckedContinuation<Void, Never>

  private struct Standing {
    var count = 0
    var waiters: [Waiter] = []
    var root: Int?
    var isCancelled = false
  }

  private let standing = Locked(Standing())
  private let cancelAll: @Sendable (_ root: Int) -> Void

  init(cancel: @escaping @Sendable (_ root: Int) -> Void) { cancelAll = cancel }

  /// The action of the user that they descend from is this step. Says whether they were cancelled
  /// before.
  @discardableResult
  func begin(at step: Int) -> Bool {
    standing.withLock { standing in
      standing.root = step
      return standing.isCancelled
    }
  }

  func enter() { standing.withLock { $0.count += 1 } }

  /// Gives, when this was the last, those who wait for the end.
  func leave() -> [Waiter]? {
    standing.withLock { standing in
      standing.count -= 1
      guard standing.count == 0 else { return nil }
      defer { standing.waiters = [] }
      return standing.waiters
    }
  }

  func finish() async {
    await withCheckedContinuation { continuation in
      let isDone = standing.withLock { standing in
        if standing.count > 0 { standing.waiters.append(continuation) }
        return standing.count == 0
      }
      if isDone { continuation.resume() }
    }
  }

  func cancel() {
    let root = standing.withLock { standing in
      standing.isCancelled = true
      return standing.root
    }
    if let root { cancelAll(root) }
  }
}
