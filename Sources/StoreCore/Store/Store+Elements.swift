import Platform

extension Store {
  /// A store of the element with this id: nil when there is none now. When it has gone since, the
  /// store keeps the last state it saw.
  public func scope<Element: Identifiable & Sendable, ElementAction: Sendable>(
    element id: Element.ID,
    of state: any KeyPath<State, IdentifiedArray<Element>> & Sendable,
    action: CaseKeyPath<Action, IdentifiedAction<Element.ID, ElementAction>>
  ) -> Store<Element, ElementAction>? where Action: CasePathable, Element.ID: Sendable {
    let path = Action.allCasePaths[keyPath: action]
    return part({ $0[keyPath: state][id: id] }, { path.embed(.element(id: id, action: $0)) })
  }

  /// A store of the element of a navigation stack with this id: nil when there is none now.
  public func scope<Element: Sendable, ElementAction: Sendable>(
    element id: StackElementID,
    of state: any KeyPath<State, StackState<Element>> & Sendable,
    action: CaseKeyPath<Action, StackAction<Element, ElementAction>>
  ) -> Store<Element, ElementAction>? where Action: CasePathable {
    let path = Action.allCasePaths[keyPath: action]
    return part({ $0[keyPath: state][id: id] }, { path.embed(.element(id: id, action: $0)) })
  }

  /// A store of something that may go away, and whose last state is kept then.
  func part<Part: Sendable, PartAction: Sendable>(
    _ part: @escaping @Sendable (State) -> Part?,
    _ embed: @escaping @Sendable (PartAction) -> Action
  ) -> Store<Part, PartAction>? {
    guard let now = part(state) else { return nil }
    let last = Locked(now)
    return Store<Part, PartAction>(
      engine: ScopedEngine(
        parent: self,
        part: { whole in
          last.withLock { last in
            if let part = part(whole) { last = part }
            return last
          }
        }, embed: embed))
  }
}
