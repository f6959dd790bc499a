/// Runs a child's reducer while the child exists, before its parent's.
public struct IfLetReducer<Base: Reducer, Child: Reducer>: Reducer {
  let base: Base
  let child: Child
  let state: any WritableKeyPath<Base.State, Child.State?> & Sendable
  let action: CasePath<Base.Action, Child.Action>
  let place: SourcePlace

  /// Runs the child, then the parent; cancels effects of a removed child.
  public func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let childEffect = reduceChild(into: &state, action: action)
    let before = state[keyPath: self.state].map { childIdentity(of: $0) }
    let ended = state[keyPath: self.state].flatMap { endedChild($0, by: action) }
    let baseEffect = base.reduce(into: &state, action: action)
    // An alert ends, unless the parent replaced it.
    if let ended, let now = state[keyPath: self.state], !isOther(now, than: ended) {
      state[keyPath: self.state] = nil
    }
    let effect = childEffect.merge(with: baseEffect)
    guard let before, before != state[keyPath: self.state].map({ childIdentity(of: $0) }) else {
      return effect
    }
    return effect.ending([element(before)])
  }

  private func endedChild(_ child: Child.State, by action: Base.Action) -> Child.State? {
    guard isEphemeral(child), let action = self.action.extract(action) else { return nil }
    return isEnded(child, by: action) ? child : nil
  }

  private func reduceChild(
    into state: inout Base.State, action: Base.Action
  ) -> Effect<Base.Action> {
    guard let childAction = self.action.extract(action) else { return .none }
    guard let before = state[keyPath: self.state].map({ childIdentity(of: $0) }),
      let effect = state[keyPath: self.state].modify({
        child.reduceNoticing(into: &$0, action: childAction, place)
      })
    else {
      reportMissingChild(action, in: "nil", place)
      return .none
    }
    let mapped = effect.operation.map(self.action.embed)
    return Effect(operation: mapped.inside(element(before)))
  }

  private func element(_ identity: AnyID) -> EffectPathElement {
    let path = state
    return EffectPathElement(
      place: AnyID(ChildPlace<Child.State>(keyPath: path)), identity: identity,
      finder: .one { (parent: Base.State) in parent[keyPath: path] })
  }
}

extension Reducer {
  /// Shows an alert, which has no reducer: a button's action dismisses it.
  public func ifLet<Child: EphemeralState & Sendable, ChildAction: Sendable>(
    _ state: any WritableKeyPath<State, Child?> & Sendable,
    action: CaseKeyPath<Action, ChildAction>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> IfLetReducer<Self, EmptyReducer<Child, ChildAction>> where Action: CasePathable {
    IfLetReducer(
      base: self, child: EmptyReducer(), state: state,
      action: Action.allCasePaths[keyPath: action],
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

extension EffectOperation {
  func inside(_ child: @autoclosure () -> EffectPathElement) -> EffectOperation {
    if case .none = self { return .none }
    return .inChild(child(), self)
  }
}

extension Reducer {
  /// Runs a child's reducer while its state is not nil. Then its effects are cancelled.
  public func ifLet<
    ChildState: Sendable, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>
  >(
    _ state: any WritableKeyPath<State, ChildState?> & Sendable,
    action: CaseKeyPath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then child: () -> Child,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> IfLetReducer<Self, Child> where Action: CasePathable {
    IfLetReducer(
      base: self, child: child(), state: state, action: Action.allCasePaths[keyPath: action],
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

/// Runs a child's reducer while the state is in its case, before its parent's.
public struct IfCaseLetReducer<Base: Reducer, Child: Reducer>: Reducer {
  let base: Base
  let child: Child
  let state: CasePath<Base.State, Child.State>
  let name: ChildPlace<Child.State>
  let action: CasePath<Base.Action, Child.Action>
  let place: SourcePlace

  /// Runs the child, then the parent; cancels effects of a removed child.
  public func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let childEffect = reduceChild(into: &state, action: action)
    let before = identity(in: state)
    let baseEffect = base.reduce(into: &state, action: action)
    let effect = childEffect.merge(with: baseEffect)
    guard let before, before != identity(in: state) else { return effect }
    return effect.ending([element(before)])
  }

  private func reduceChild(
    into state: inout Base.State, action: Base.Action
  ) -> Effect<Base.Action> {
    guard let childAction = self.action.extract(action) else { return .none }
    guard let before = identity(in: state),
      let effect = self.state.modify(
        &state, { child.reduceNoticing(into: &$0, action: childAction, place) })
    else {
      reportMissingChild(action, in: "another case", place)
      return .none
    }
    return Effect(
      operation: effect.operation.map(self.action.embed).inside(element(before)))
  }

  private func identity(in state: Base.State) -> AnyID? {
    self.state.contains(state) ? childIdentity(of: state) : nil
  }

  private func element(_ identity: AnyID) -> EffectPathElement {
    EffectPathElement(
      place: AnyID(name), identity: identity,
      finder: ChildFinder { [path = state] (parent: Base.State) in
        let child = path.extract(parent)
        return .one(child.map { _ in childIdentity(of: parent) }, state: child)
      })
  }
}

extension Reducer {
  /// Runs a child's reducer while the state is in this case. Then its effects are cancelled.
  public func ifCaseLet<
    ChildState: Sendable, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>
  >(
    _ state: CaseKeyPath<State, ChildState>,
    action: CaseKeyPath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then child: () -> Child,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> IfCaseLetReducer<Self, Child> where Action: CasePathable, State: CasePathable {
    IfCaseLetReducer(
      base: self, child: child(), state: State.allCasePaths[keyPath: state],
      name: ChildPlace(keyPath: state), action: Action.allCasePaths[keyPath: action],
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
