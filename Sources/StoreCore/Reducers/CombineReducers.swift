/// Several reducers as one, so that something can be said about all of them at once.
public struct CombineReducers<State: Sendable, Action: Sendable, Combined: Reducer>: Reducer
where Combined.State == State, Combined.Action == Action {
  private let reducers: Combined

  /// The reducers in the order in which they run.
  public init(@ReducerBuilder<State, Action> _ build: () -> Combined) {
    reducers = build()
  }

  /// From the first to the last; effects run side by side.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    reducers.reduce(into: &state, action: action)
  }
}
