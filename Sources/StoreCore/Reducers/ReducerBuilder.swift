/// Builds one reducer from several. They run in the order in which they are written.
@resultBuilder
public enum ReducerBuilder<State: Sendable, Action: Sendable> {
  /// For the compiler: one reducer of a body.
  public static func buildExpression<One: Reducer<State, Action>>(_ reducer: One) -> One {
    reducer
  }

  /// For the compiler: a body without reducers.
  public static func buildBlock() -> EmptyReducer<State, Action> { EmptyReducer() }

  /// For the compiler: the first reducer of a body.
  public static func buildPartialBlock<First: Reducer<State, Action>>(first: First) -> First {
    first
  }

  /// For the compiler: the reducer after those before.
  public static func buildPartialBlock<
    First: Reducer<State, Action>, Second: Reducer<State, Action>
  >(accumulated first: First, next second: Second) -> ReducerSequence<First, Second> {
    ReducerSequence(first: first, second: second)
  }

  /// For the compiler: an `if` without `else`.
  public static func buildOptional<Some: Reducer<State, Action>>(
    _ reducer: Some?
  ) -> OptionalReducer<Some> {
    OptionalReducer(reducer: reducer)
  }

  /// For the compiler: an `if`.
  public static func buildEither<First: Reducer<State, Action>, Second: Reducer<State, Action>>(
    first reducer: First
  ) -> EitherReducer<First, Second> {
    .first(reducer)
  }

  /// For the compiler: an `else`.
  public static func buildEither<First: Reducer<State, Action>, Second: Reducer<State, Action>>(
    second reducer: Second
  ) -> EitherReducer<First, Second> {
    .second(reducer)
  }

  /// For the compiler: the reducers of a `for`.
  public static func buildArray<One: Reducer<State, Action>>(
    _ reducers: [One]
  ) -> ReducerList<One> {
    ReducerList(reducers: reducers)
  }

  /// For the compiler: a reducer under `if #available`.
  public static func buildLimitedAvailability(
    _ reducer: some Reducer<State, Action>
  ) -> Reduce<State, Action> {
    reducer.erased()
  }
}

/// Two reducers, one after the other.
public struct ReducerSequence<First: Reducer, Second: Reducer>: Reducer
where First.State == Second.State, First.Action == Second.Action {
  let first: First
  let second: Second

  /// The first, then the second with the state that the first left; effects run side by side.
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

  /// Without the reducer nothing changes.
  public func reduce(
    into state: inout Present.State, action: Present.Action
  ) -> Effect<Present.Action> {
    reducer?.reduce(into: &state, action: action) ?? .none
  }
}

/// One of two reducers.
public enum EitherReducer<First: Reducer, Second: Reducer>: Reducer
where First.State == Second.State, First.Action == Second.Action {
  /// The one of the `if`.
  case first(First)
  /// The one of the `else`.
  case second(Second)

  /// Only the one that is there.
  public func reduce(
    into state: inout First.State, action: First.Action
  ) -> Effect<First.Action> {
    switch self {
    case .first(let reducer): reducer.reduce(into: &state, action: action)
    case .second(let reducer): reducer.reduce(into: &state, action: action)
    }
  }
}

/// Any number of reducers of one type, one after the other.
public struct ReducerList<One: Reducer>: Reducer {
  let reducers: [One]

  /// From the first to the last; effects run side by side.
  public func reduce(into state: inout One.State, action: One.Action) -> Effect<One.Action> {
    .merge(reducers.map { $0.reduce(into: &state, action: action) })
  }
}
