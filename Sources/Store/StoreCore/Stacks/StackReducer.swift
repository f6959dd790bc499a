/// Runs a reducer on the elements of a navigation stack, pushes and pops them.
public struct StackReducer<Base: Reducer, Child: Reducer>: Reducer {
  let base: Base
  let child: Child
  let state: any WritableKeyPath<Base.State, StackState<Child.State>> & Sendable
  let action: CasePath<Base.Action, StackAction<Child.State, Child.Action>>
  let place: SourcePlace

  /// Runs the element, then the parent; cancels effects of removed elements.
  public func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let stackAction = self.action.extract(action)
    let idsBefore = state[keyPath: self.state].ids
    let childEffect = reduceChild(into: &state, action: action, stackAction)
    state[keyPath: self.state].noticeReplacement()
    let beforeBase = state[keyPath: self.state].withoutElements
    let baseEffect = base.reduce(into: &state, action: action)
    state[keyPath: self.state].continueCounting(after: beforeBase)
    if case .popFrom(let id) = stackAction { state[keyPath: self.state].pop(from: id) }
    let effect = childEffect.merge(with: baseEffect)
    let idsAfter = state[keyPath: self.state].ids
    if idsBefore == idsAfter { return effect }
    return effect.ending(idsBefore.lazy.filter { !idsAfter.contains($0) }.map(element))
  }

  private func reduceChild(
    into state: inout Base.State, action: Base.Action,
    _ stackAction: StackAction<Child.State, Child.Action>?
  ) -> Effect<Base.Action> {
    switch stackAction {
    case nil: break
    case .element(let id, let childAction):
      return reduceElement(id, into: &state, action: action, childAction)
    case .popFrom(let id):
      if !state[keyPath: self.state].contains(id: id) {
        reportIssue("The stack has no element \(id) to pop.", at: place)
      }
    case .push(let id, let element):
      if !state[keyPath: self.state].push(element, id: id) {
        reportIssue("An element was pushed with the id \(id), which was given before.", at: place)
      }
    }
    return .none
  }

  private func reduceElement(
    _ id: StackElementID, into state: inout Base.State, action: Base.Action,
    _ childAction: Child.Action
  ) -> Effect<Base.Action> {
    let reduced = state[keyPath: self.state].update(id) { state in
      presenting { child.reduceNoticing(into: &state, action: childAction, place) }
    }
    guard let effect = reduced else {
      reportMissingChild(action, in: "not on the stack (id \(id))", place)
      return .none
    }
    let embed = self.action.embed
    let mapped = effect.operation.presented(
      as: { embed(.element(id: id, action: $0)) }, dismiss: embed(.popFrom(id: id)))
    return Effect(operation: mapped.inside(element(id)))
  }

  private func element(_ id: StackElementID) -> EffectPathElement {
    let path = state
    return EffectPathElement(
      place: AnyID(ChildPlace<Child.State>(keyPath: path)), identity: AnyID(id),
      finder: ChildFinder { (parent: Base.State) in
        let stack = parent[keyPath: path]
        return ChildFinder.Children { identity in
          // A stack rebuilt since its reducer ran has new elements, whatever their ids.
          !stack.isReplaced && (identity.base as? StackElementID).map(stack.contains) ?? false
        } state: { identity in
          (identity.base as? StackElementID).flatMap { stack[id: $0] }
        }
      })
  }
}

extension Reducer {
  /// Runs a reducer on the elements of a navigation stack. Removing an element cancels its effects.
  ///
  /// ```swift
  /// Reduce { state, action in .none }
  ///   .forEach(\.details, action: \.details) {
  ///     Detail()
  ///   }
  /// ```
  public func forEach<
    ChildState: Sendable, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>
  >(
    _ state: any WritableKeyPath<State, StackState<ChildState>> & Sendable,
    action: CaseKeyPath<Action, StackAction<ChildState, ChildAction>>,
    @ReducerBuilder<ChildState, ChildAction> destination child: () -> Child,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> StackReducer<Self, Child> where Action: CasePathable {
    StackReducer(
      base: self, child: child(), state: state, action: Action.allCasePaths[keyPath: action],
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
