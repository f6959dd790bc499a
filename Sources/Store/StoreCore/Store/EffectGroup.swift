import Platform

final class EffectGroup: Sendable {
  typealias Waiter = CheckedContinuation<Void, Never>

  private struct Standing {
    var count = 0
    var waiters: [Int: Waiter] = [:]
    var waiterCount = 0
    var root: Int?
    var isCancelled = false
  }

  private let standing = Locked(Standing())
  private let cancelAll: @Sendable (_ root: Int) -> Void
  private let watch: (@Sendable (_ root: Int) async -> Void)?

  /// `watch` runs while a caller waits for the end.
  init(
    cancel: @escaping @Sendable (_ root: Int) -> Void,
    watch: (@Sendable (_ root: Int) async -> Void)?
  ) {
    cancelAll = cancel
    self.watch = watch
  }

  var root: Int? { standing.withLock { $0.root } }

  @discardableResult
  func begin(at step: Int) -> Bool {
    standing.withLock { standing in
      standing.root = step
      return standing.isCancelled
    }
  }

  func enter() { standing.withLock { $0.count += 1 } }

  func leave() -> [Waiter]? {
    standing.withLock { standing in
      standing.count -= 1
      guard standing.count == 0 else { return nil }
      defer { standing.waiters = [:] }
      return standing.waiters.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// Waits for the end. Cancelling the waiting task cancels the effects and the wait.
  func finish() async {
    guard isRunning else { return }
    let watching = watch.flatMap { watch in root.map { root in Task { await watch(root) } } }
    let number = standing.withLock { standing in
      standing.waiterCount += 1
      return standing.waiterCount
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = standing.withLock { standing in
          if standing.count == 0 || Task.isCancelled { return true }
          standing.waiters[number] = continuation
          return false
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      cancel()
      standing.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }
    watching?.cancel()
  }

  private var isRunning: Bool { standing.withLock { $0.count > 0 } }

  func cancel() {
    let root = standing.withLock { standing in
      standing.isCancelled = true
      return standing.root
    }
    if let root { cancelAll(root) }
  }
}

/// The effects of a `send`, and of the actions that these send.
public struct StoreTask: Sendable {
  let group: EffectGroup?

  package var root: Int? { group?.root }

  /// Waits until all effects have ended. Cancelling the waiting task cancels them.
  ///
  /// In a test it is an issue if all remaining effects sleep on a ``TestClock`` that nothing
  /// advances.
  public func finish() async { await group?.finish() }

  /// Cancels all effects.
  public func cancel() { group?.cancel() }
}
