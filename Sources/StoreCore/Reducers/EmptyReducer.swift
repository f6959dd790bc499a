/// A reducer that does nothing.
public struct EmptyReducer<State: Sendable, Action: Sendable>: Reducer {
  /// For where a reducer has to stand and nothing is to happen.
  public init() {}

  /// Leaves the state as it is and starts nothing.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}
