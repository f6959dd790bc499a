/// Sends actions from inside an effect.
///
/// `await send(action)` returns when the action, and the actions that it sent at once, are reduced.
/// An effect that was cancelled sends nothing more.
public struct Send<Action: Sendable>: Sendable {
  private let deliver: @Sendable (Action) -> Void

  package init(_ deliver: @escaping @Sendable (Action) -> Void) { self.deliver = deliver }

  /// Returns when the action is reduced; in a cancelled task nothing is sent.
  public func callAsFunction(_ action: Action) async {
    guard !Task.isCancelled else { return }
    deliver(action)
  }

  func pullback<Other>(_ transform: @escaping @Sendable (Other) -> Action) -> Send<Other> {
    Send<Other> { [deliver] action in deliver(transform(action)) }
  }
}
