/// A reducer that does nothing.
public struct EmptyReducer<State: Sendable, Action: Sendable>: Reducer {
  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}
