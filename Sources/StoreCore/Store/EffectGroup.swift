/// The effects that descend from one `send`.
final class EffectGroup: Sendable {
  private struct Standing {
    var count = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let standing = LockedBox(Standing())
  private let root = LockedBox<Int?>(nil)
  private let cancelAll: @Sendable (_ root: Int) -> Void

  init(cancel: @escaping @Sendable (_ root: Int) -> Void) { cancelAll = cancel }

  /// The action of the user that they descend from is this step.
  func begin(at step: Int) { root.withValue { $0 = step } }

  func enter() { standing.withValue { $0.count += 1 } }

  /// Says whether this was the last.
  @discardableResult
  func leave() -> Bool {
    let waiters: [CheckedContinuation<Void, Never>]? = standing.withValue { standing in
      standing.count -= 1
      guard standing.count == 0 else { return nil }
      defer { standing.waiters = [] }
      return standing.waiters
    }
    for waiter in waiters ?? [] { waiter.resume() }
    return waiters != nil
  }

  func finish() async {
    await withCheckedContinuation { continuation in
      let isDone = standing.withValue { standing in
        if standing.count > 0 { standing.waiters.append(continuation) }
        return standing.count == 0
      }
      if isDone { continuation.resume() }
    }
  }

  func cancel() {
    if let root = root.withValue({ $0 }) { cancelAll(root) }
  }
}
