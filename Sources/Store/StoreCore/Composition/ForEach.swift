/// Runs a child's reducer on one element of a collection, before its parent's.
public struct ForEachReducer<Base: Reducer, Child: Reducer>: Reducer
where Child.State: Identifiable, Child.State.ID: Sendable {
  /// The type of the ids.
  public typealias ID = Child.State.ID

  let base: Base
  let child: Child
  let state: any WritableKeyPath<Base.State, IdentifiedArray<Child.State>> & Sendable
  let action: CasePath<Base.Action, IdentifiedAction<ID, Child.Action>>
  let place: SourcePlace

  /// Runs the element, then the parent; cancels effects of removed elements.
  public func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let childEffect = reduceChild(into: &state, action: action)
    let before = state[keyPath: self.state].keys
    let baseEffect = base.reduce(into: &state, action: action)
    let effect = childEffect.merge(with: baseEffect)
    let after = state[keyPath: self.state].keys
    // Holding the old keys would force a copy on every change.
    if before === after { return effect }
    return effect.ending(before.ids.lazy.filter { after.indexes[$0] == nil }.map(element))
  }

  private func reduceChild(
    into state: inout Base.State, action: Base.Action
  ) -> Effect<Base.Action> {
    guard case .element(let id, let childAction) = self.action.extract(action) else {
      return .none
    }
    guard let index = state[keyPath: self.state].index(id: id) else {
      reportMissingChild(action, in: "not in the collection (id \(id))", place)
      return .none
    }
    let effect = state[keyPath: self.state].update(index) {
      child.reduceNoticing(into: &$0, action: childAction, place)
    }
    let embed = self.action.embed
    let mapped = effect.operation.map { embed(.element(id: id, action: $0)) }
    return Effect(operation: mapped.inside(element(id)))
  }

  private func element(_ id: ID) -> EffectPathElement {
    let path = state
    return EffectPathElement(
      place: AnyID(ChildPlace<Child.State>(keyPath: path)), identity: AnyID(id),
      finder: ChildFinder { (parent: Base.State) in
        let elements = parent[keyPath: path]
        return ChildFinder.Children(version: elements.keys) { identity in
          (identity.base as? ID).map(elements.contains(id:)) ?? false
        } state: { identity in
          (identity.base as? ID).flatMap { elements[id: $0] }
        }
      })
  }
}

extension Reducer {
  /// Runs a child's reducer on the element that an action names. Removing the element cancels its
  /// effects.
  public func forEach<
    ChildState: Sendable, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>
  >(
    _ state: any WritableKeyPath<State, IdentifiedArray<ChildState>> & Sendable,
    action: CaseKeyPath<Action, IdentifiedAction<ChildState.ID, ChildAction>>,
    @ReducerBuilder<ChildState, ChildAction> element child: () -> Child,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> ForEachReducer<Self, Child>
  where ChildState: Identifiable, ChildState.ID: Sendable, Action: CasePathable {
    ForEachReducer(
      base: self, child: child(), state: state, action: Action.allCasePaths[keyPath: action],
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
