/// Several reducers as one, so that something can be said about all of them at once.
public struct CombineReducers<Combined: Reducer>: Reducer {
  private let reducers: Combined

  public init(@ReducerBuilder<Combined.State, Combined.Action> _ build: () -> Combined) {
    reducers = build()
  }

  public func reduce(
    into state: inout Combined.State, action: Combined.Action
  ) -> Effect<Combined.Action> {
    reducers.reduce(into: &state, action: action)
  }
}
