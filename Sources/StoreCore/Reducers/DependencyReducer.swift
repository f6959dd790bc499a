/// A reducer that runs where dependencies are changed.
public struct DependencyReducer<Base: Reducer>: Reducer {
  let base: Base
  let change: @Sendable (inout DependencyValues) -> Void

  /// The base's work, with its dependencies changed.
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
