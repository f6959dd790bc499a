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
  case first(First)
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
