extension Store {
  /// A store of a part of this one, for a view that needs no more. It lasts as long as its parent
  /// or itself is held, and owns no effects.
  ///
  /// ```swift
  /// let counter = store.scope(state: \.counter, action: \.counter)
  /// ```
  public func scope<ChildState: Sendable, ChildAction: Sendable>(
    state: any KeyPath<State, ChildState> & Sendable,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> where Action: CasePathable {
    let path = Action.allCasePaths[keyPath: action]
    return Store<ChildState, ChildAction>(
      engine: ScopedEngine(parent: self, part: { $0[keyPath: state] }, embed: path.embed))
  }

  /// A store of a child that may go away: nil when it is not there now. When it has gone since, the
  /// store keeps the last state it saw.
  public func scope<ChildState: Sendable, ChildAction: Sendable>(
    state: any KeyPath<State, ChildState?> & Sendable,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction>? where Action: CasePathable {
    let path = Action.allCasePaths[keyPath: action]
    return part({ $0[keyPath: state] }, path.embed)
  }
}
