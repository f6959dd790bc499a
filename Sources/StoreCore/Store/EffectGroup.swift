/// The effects that descend from one `send`.
final class EffectGroup: Sendable {
  private struct Standing {
    var count = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let standing = LockedBox(Standing())
  private let cancelAll: @Sendable () -> Void

  init(cancel: @escaping @Sendable () -> Void) { cancelAll = cancel }

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

  func cancel() { cancelAll() }
}
