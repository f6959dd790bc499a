/// Runs a presented child's reducer before its parent's, and dismisses the child.
public struct PresentationReducer<Base: Reducer, Child: Reducer>: Reducer {
  let base: Base
  let child: Child
  let state: any WritableKeyPath<Base.State, PresentationState<Child.State>> & Sendable
  let action: CasePath<Base.Action, PresentationAction<Child.Action>>
  let place: SourcePlace

  /// Runs the child, then the parent; cancels effects of a removed child.
  public func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let presented = self.action.extract(action)
    let first = identity(in: state)
    let childEffect = reduceChild(into: &state, action: action, presented)
    let beforeBase = identity(in: state)
    let ephemeral = presented.flatMap { endedChild(in: state, by: $0) }
    let baseEffect = base.reduce(into: &state, action: action)
    if let presented, first == beforeBase, beforeBase == identity(in: state) {
      dismissIfAsked(&state, presented, ephemeral)
    }
    let effect = childEffect.merge(with: baseEffect)
    guard let first, first != identity(in: state) else { return effect }
    return effect.ending([element(first)])
  }

  private func reduceChild(
    into state: inout Base.State, action: Base.Action,
    _ presented: PresentationAction<Child.Action>?
  ) -> Effect<Base.Action> {
    guard let presented else { return .none }
    guard let before = identity(in: state) else {
      reportMissingChild(action, in: "nil", place)
      return .none
    }
    guard case .presented(let childAction) = presented,
      let effect = state[keyPath: self.state].wrappedValue.modify({ state in
        presenting { child.reduceNoticing(into: &state, action: childAction, place) }
      })
    else { return .none }
    let embed = self.action.embed
    let mapped = effect.operation.presented(
      as: { embed(.presented($0)) }, dismiss: embed(.dismiss))
    return Effect(operation: mapped.inside(element(before)))
  }

  private func dismissIfAsked(
    _ state: inout Base.State, _ presented: PresentationAction<Child.Action>,
    _ ephemeral: Child.State?
  ) {
    if case .presented = presented {
      guard let ephemeral, let now = state[keyPath: self.state].wrappedValue,
        !isOther(now, than: ephemeral)
      else { return }
    }
    state[keyPath: self.state].wrappedValue = nil
  }

  private func endedChild(
    in state: Base.State, by action: PresentationAction<Child.Action>
  ) -> Child.State? {
    guard case .presented(let action) = action,
      let child = state[keyPath: self.state].wrappedValue, isEnded(child, by: action)
    else { return nil }
    return child
  }

  private func identity(in state: Base.State) -> AnyID? {
    state[keyPath: self.state].wrappedValue.map { childIdentity(of: $0) }
  }

  private func element(_ identity: AnyID) -> EffectPathElement {
    let path = state
    return EffectPathElement(
      place: AnyID(ChildPlace<Child.State>(keyPath: path)), identity: identity,
      finder: .one { (parent: Base.State) in parent[keyPath: path].wrappedValue })
  }
}

extension Reducer {
  /// Runs the reducer of a presented child. Its effects are cancelled when it is dismissed or
  /// replaced.
  ///
  /// ```swift
  /// Reduce { state, action in .none }
  ///   .ifLet(\.$editor, action: \.editor) {
  ///     Editor()
  ///   }
  /// ```
  public func ifLet<
    ChildState: Sendable, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>
  >(
    _ state: any WritableKeyPath<State, PresentationState<ChildState>> & Sendable,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>,
    @ReducerBuilder<ChildState, ChildAction> destination child: () -> Child,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> PresentationReducer<Self, Child> where Action: CasePathable {
    PresentationReducer(
      base: self, child: child(), state: state, action: Action.allCasePaths[keyPath: action],
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Presents an alert, which has no reducer.
  public func ifLet<Child: EphemeralState & Sendable, ChildAction: Sendable>(
    _ state: any WritableKeyPath<State, PresentationState<Child>> & Sendable,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> PresentationReducer<Self, EmptyReducer<Child, ChildAction>> where Action: CasePathable {
    PresentationReducer(
      base: self, child: EmptyReducer(), state: state,
      action: Action.allCasePaths[keyPath: action],
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
