/// What a `send` set going: its effects, and the effects of the actions that these send.
public struct StoreTask: Sendable {
  let group: EffectGroup?

  /// The step of the action, when it has effects.
  package var root: Int? { group?.root }

  /// Waits until nothing of it runs any more. When the task that waits is cancelled, all of it is.
  ///
  /// In a test it is an issue when all that is left sleeps on a ``TestClock`` that nobody advances.
  public func finish() async { await group?.finish() }

  /// Cancels all of it.
  public func cancel() { group?.cancel() }
}
