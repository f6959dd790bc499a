/// A reducer made of a closure, or of another reducer whose type is to be forgotten.
public struct Reduce<State: Sendable, Action: Sendable>: Reducer {
  private let change: @Sendable (inout State, Action) -> Effect<Action>

  public init(
    _ change: @escaping @Sendable (_ state: inout State, _ action: Action) -> Effect<Action>
  ) {
    self.change = change
  }

  public init(_ reducer: some Reducer<State, Action>) {
    change = { state, action in reducer.reduce(into: &state, action: action) }
  }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    change(&state, action)
  }
}
