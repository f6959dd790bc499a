import Platform

protocol StoreEngine<State, Action>: AnyObject, Sendable {
  associatedtype State: Sendable
  associatedtype Action: Sendable

  var state: State { get }
  func send(_ action: Action, at place: SourcePlace) -> StoreTask
  func observe(_ observer: @escaping @Sendable (State) -> Void) -> Subscription
  func release()
}

final class ScopedEngine<Parent: Sendable, ParentAction: Sendable, State: Sendable, Action>:
  StoreEngine
where Action: Sendable {
  private let parent: Store<Parent, ParentAction>
  private let part: @Sendable (Parent) -> State
  private let embed: @Sendable (Action) -> ParentAction

  init(
    parent: Store<Parent, ParentAction>, part: @escaping @Sendable (Parent) -> State,
    embed: @escaping @Sendable (Action) -> ParentAction
  ) {
    self.parent = parent
    self.part = part
    self.embed = embed
  }

  var state: State { part(parent.state) }

  func send(_ action: Action, at place: SourcePlace) -> StoreTask {
    parent.engine.send(embed(action), at: place)
  }

  func observe(_ observer: @escaping @Sendable (State) -> Void) -> Subscription {
    parent.observe { [part] state in observer(part(state)) }
  }

  func release() {}
}

extension Store {
  /// A store of a part, for a view. It lasts as long as its parent or itself, and owns no effects.
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

  /// A store of an optional child: nil if absent. If the child goes later, the store keeps its last
  /// state.
  public func scope<ChildState: Sendable, ChildAction: Sendable>(
    state: any KeyPath<State, ChildState?> & Sendable,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction>? where Action: CasePathable {
    let path = Action.allCasePaths[keyPath: action]
    return part({ $0[keyPath: state] }, path.embed)
  }
}

extension Store {
  /// A store of the element with this id: nil if absent. If the element goes later, the store keeps
  /// its last state.
  public func scope<Element: Identifiable & Sendable, ElementAction: Sendable>(
    element id: Element.ID,
    of state: any KeyPath<State, IdentifiedArray<Element>> & Sendable,
    action: CaseKeyPath<Action, IdentifiedAction<Element.ID, ElementAction>>
  ) -> Store<Element, ElementAction>? where Action: CasePathable, Element.ID: Sendable {
    let path = Action.allCasePaths[keyPath: action]
    return part({ $0[keyPath: state][id: id] }, { path.embed(.element(id: id, action: $0)) })
  }

  /// A store of the stack element with this id: nil if absent.
  public func scope<Element: Sendable, ElementAction: Sendable>(
    element id: StackElementID,
    of state: any KeyPath<State, StackState<Element>> & Sendable,
    action: CaseKeyPath<Action, StackAction<Element, ElementAction>>
  ) -> Store<Element, ElementAction>? where Action: CasePathable {
    let path = Action.allCasePaths[keyPath: action]
    return part({ $0[keyPath: state][id: id] }, { path.embed(.element(id: id, action: $0)) })
  }

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
