/// Builds one reducer from several. They run in the order in which they are written.
@resultBuilder
public enum ReducerBuilder<State: Sendable, Action: Sendable> {
  public static func buildExpression<One: Reducer<State, Action>>(_ reducer: One) -> One {
    reducer
  }

  public static func buildBlock() -> EmptyReducer<State, Action> { EmptyReducer() }

  public static func buildPartialBlock<First: Reducer<State, Action>>(first: First) -> First {
    first
  }

  public static func buildPartialBlock<
    First: Reducer<State, Action>, Second: Reducer<State, Action>
  >(accumulated first: First, next second: Second) -> ReducerSequence<First, Second> {
    ReducerSequence(first: first, second: second)
  }

  public static func buildOptional<Some: Reducer<State, Action>>(
    _ reducer: Some?
  ) -> OptionalReducer<Some> {
    OptionalReducer(reducer: reducer)
  }

  public static func buildEither<First: Reducer<State, Action>, Second: Reducer<State, Action>>(
    first reducer: First
  ) -> EitherReducer<First, Second> {
    .first(reducer)
  }

  public static func buildEither<First: Reducer<State, Action>, Second: Reducer<State, Action>>(
    second reducer: Second
  ) -> EitherReducer<First, Second> {
    .second(reducer)
  }

  public static func buildArray<One: Reducer<State, Action>>(
    _ reducers: [One]
  ) -> ReducerList<One> {
    ReducerList(reducers: reducers)
  }

  public static func buildLimitedAvailability(
    _ reducer: some Reducer<State, Action>
  ) -> Reduce<State, Action> {
    reducer.erased()
  }
}
