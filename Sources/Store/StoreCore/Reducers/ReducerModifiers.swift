/// A reducer that runs another one in the same step after a value changed.
public struct OnChangeReducer<Base: Reducer, Value: Equatable, Change: Reducer>: Reducer
where Change.State == Base.State, Change.Action == Base.Action {
  let base: Base
  let value: @Sendable (Base.State) -> Value
  let change: @Sendable (Value, Value) -> Change

  /// Runs the base; then the other, if the value changed.
  public func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let before = value(state)
    let effect = base.reduce(into: &state, action: action)
    let after = value(state)
    guard before != after else { return effect }
    return effect.merge(with: change(before, after).reduce(into: &state, action: action))
  }
}

extension Reducer {
  /// Runs a reducer after this one, in the same step, if this one changed a value.
  ///
  /// ```swift
  /// Reduce { state, action in .none }
  ///   .onChange(of: { $0.query }) { before, after in
  ///     Reduce { state, _ in
  ///       state.edits += 1
  ///       return .none
  ///     }
  ///   }
  /// ```
  public func onChange<Value: Equatable, Change: Reducer<State, Action>>(
    of value: @escaping @Sendable (State) -> Value,
    @ReducerBuilder<State, Action> _ change: @escaping @Sendable (Value, Value) -> Change
  ) -> OnChangeReducer<Self, Value, Change> {
    OnChangeReducer(base: self, value: value, change: change)
  }

  /// Runs a reducer after this one, in the same step, if this one changed a value. `removeDuplicates`
  /// says whether two values are the same.
  public func onChange<Value, Change: Reducer<State, Action>>(
    of value: @escaping @Sendable (State) -> Value,
    removeDuplicates areSame: @escaping @Sendable (Value, Value) -> Bool,
    @ReducerBuilder<State, Action> _ change: @escaping @Sendable (Value, Value) -> Change
  ) -> some Reducer<State, Action> {
    OnChangeReducer(
      base: self, value: { ComparedValue(value: value($0), areSame: areSame) },
      change: { change($0.value, $1.value) })
  }
}

private struct ComparedValue<Value>: Equatable {
  let value: Value
  let areSame: @Sendable (Value, Value) -> Bool

  static func == (left: Self, right: Self) -> Bool { left.areSame(left.value, right.value) }
}

/// A reducer with changed dependencies.
public struct DependencyReducer<Base: Reducer>: Reducer {
  let base: Base
  let change: @Sendable (inout DependencyValues) -> Void

  /// Runs the base with the changed dependencies.
  public func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    withDependencies(change) { base.reduce(into: &state, action: action) }
  }
}

extension Reducer {
  /// Sets a dependency for this reducer and its effects.
  public func dependency<Value: Sendable>(
    _ keyPath: any WritableKeyPath<DependencyValues, Value> & Sendable, _ value: Value
  ) -> DependencyReducer<Self> {
    DependencyReducer(base: self) { $0[keyPath: keyPath] = value }
  }

  /// Changes a dependency for this reducer and its effects.
  public func transformDependency<Value>(
    _ keyPath: any WritableKeyPath<DependencyValues, Value> & Sendable,
    transform: @escaping @Sendable (inout Value) -> Void
  ) -> DependencyReducer<Self> {
    DependencyReducer(base: self) { transform(&$0[keyPath: keyPath]) }
  }
}
