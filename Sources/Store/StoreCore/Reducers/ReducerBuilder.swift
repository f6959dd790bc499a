/// Builds one reducer from several, which run in the order written.
@resultBuilder
public enum ReducerBuilder<State: Sendable, Action: Sendable> {
  /// Used by the compiler for one reducer.
  public static func buildExpression<One: Reducer<State, Action>>(_ reducer: One) -> One {
    reducer
  }

  /// Used by the compiler for an empty body.
  public static func buildBlock() -> EmptyReducer<State, Action> { EmptyReducer() }

  /// Used by the compiler for the first reducer.
  public static func buildPartialBlock<First: Reducer<State, Action>>(first: First) -> First {
    first
  }

  /// Used by the compiler for a further reducer.
  public static func buildPartialBlock<
    First: Reducer<State, Action>, Second: Reducer<State, Action>
  >(accumulated first: First, next second: Second) -> ReducerSequence<First, Second> {
    ReducerSequence(first: first, second: second)
  }

  /// Used by the compiler for an `if` without `else`.
  public static func buildOptional<Some: Reducer<State, Action>>(
    _ reducer: Some?
  ) -> OptionalReducer<Some> {
    OptionalReducer(reducer: reducer)
  }

  /// Used by the compiler for an `if`.
  public static func buildEither<First: Reducer<State, Action>, Second: Reducer<State, Action>>(
    first reducer: First
  ) -> EitherReducer<First, Second> {
    .first(reducer)
  }

  /// Used by the compiler for an `else`.
  public static func buildEither<First: Reducer<State, Action>, Second: Reducer<State, Action>>(
    second reducer: Second
  ) -> EitherReducer<First, Second> {
    .second(reducer)
  }

  /// Used by the compiler for a `for`.
  public static func buildArray<One: Reducer<State, Action>>(
    _ reducers: [One]
  ) -> ReducerList<One> {
    ReducerList(reducers: reducers)
  }

  /// Used by the compiler for `if #available`.
  public static func buildLimitedAvailability(
    _ reducer: some Reducer<State, Action>
  ) -> Reduce<State, Action> {
    reducer.erased()
  }
}

/// Two reducers in sequence.
public struct ReducerSequence<First: Reducer, Second: Reducer>: Reducer
where First.State == Second.State, First.Action == Second.Action {
  let first: First
  let second: Second

  /// Runs both in order; their effects run concurrently.
  public func reduce(
    into state: inout First.State, action: First.Action
  ) -> Effect<First.Action> {
    let effect = first.reduce(into: &state, action: action)
    return effect.merge(with: second.reduce(into: &state, action: action))
  }
}

/// A reducer that may be absent.
public struct OptionalReducer<Present: Reducer>: Reducer {
  let reducer: Present?

  /// Runs the reducer, if present.
  public func reduce(
    into state: inout Present.State, action: Present.Action
  ) -> Effect<Present.Action> {
    reducer?.reduce(into: &state, action: action) ?? .none
  }
}

/// One of two reducers.
public enum EitherReducer<First: Reducer, Second: Reducer>: Reducer
where First.State == Second.State, First.Action == Second.Action {
  /// The `if` branch.
  case first(First)
  /// The `else` branch.
  case second(Second)

  /// Runs the present one.
  public func reduce(
    into state: inout First.State, action: First.Action
  ) -> Effect<First.Action> {
    switch self {
    case .first(let reducer): reducer.reduce(into: &state, action: action)
    case .second(let reducer): reducer.reduce(into: &state, action: action)
    }
  }
}

/// A list of reducers of one type.
public struct ReducerList<One: Reducer>: Reducer {
  let reducers: [One]

  /// Runs all in order; their effects run concurrently.
  public func reduce(into state: inout One.State, action: One.Action) -> Effect<One.Action> {
    .merge(reducers.map { $0.reduce(into: &state, action: action) })
  }
}
