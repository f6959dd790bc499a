/// What a `send` set going: its effects, and the effects of the actions that these send.
public struct StoreTask: Sendable {
  let group: EffectGroup?

  /// Waits until nothing of it runs any more.
  public func finish() async { await group?.finish() }

  /// Cancels all of it.
  public func cancel() { group?.cancel() }
}
