extension Store {
  /// A store of a part: `store.scope(\.counter, action: \.counter)`.
  public func scope<ChildState: Sendable, ChildAction: Sendable>(
    _ state: any KeyPath<State, ChildState> & Sendable,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> where Action: CasePathable {
    scope(state: state, action: action)
  }

  /// A store of a part that may be missing.
  public func scope<ChildState: Sendable, ChildAction: Sendable>(
    _ state: any KeyPath<State, ChildState?> & Sendable,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction>? where Action: CasePathable {
    scope(state: state, action: action)
  }

  /// A part of the state: `store.count`.
  public subscript<Value>(dynamicMember part: KeyPath<State, Value>) -> Value {
    state[keyPath: part]
  }

  /// Reads the state: `store.withState(\.count)`.
  public func withState<Result>(_ read: (State) throws -> Result) rethrows -> Result {
    try read(state)
  }
}
