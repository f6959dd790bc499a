/// A part of another store.
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

  /// Effects belong to the root.
  func release() {}
}
