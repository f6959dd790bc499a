/// A reducer made of a closure.
public struct Reduce<State: Sendable, Action: Sendable>: Reducer {
  private let change: @Sendable (inout State, Action) -> Effect<Action>

  /// Changes the state by the action, and gives the effect.
  public init(
    _ change: @escaping @Sendable (_ state: inout State, _ action: Action) -> Effect<Action>
  ) {
    self.change = change
  }

  /// Calls the closure.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    change(&state, action)
  }
}

extension Reducer {
  /// The same reducer without its type: `Counter().erased()`.
  public func erased() -> Reduce<State, Action> {
    Reduce { state, action in self.reduce(into: &state, action: action) }
  }
}
