/// Holds the state of an app or a part of it, and changes it by actions.
///
/// ```swift
/// let store = Store(initialState: Counter.State()) {
///   Counter()
/// } withDependencies: {
///   $0.date = .constant(Date(timeIntervalSince1970: 0))
/// }
/// store.send(.incremented)
/// print(store.state.count)
/// ```
///
/// Any thread may send. `send` returns when its action, and the actions that reducers sent at once
/// because of it, are reduced; actions of several threads are reduced one turn after another. When
/// the store is released, its effects are cancelled.
public final class Store<State: Sendable, Action: Sendable>: Sendable {
  let engine: any StoreEngine<State, Action>

  init(engine: any StoreEngine<State, Action>) { self.engine = engine }

  deinit { engine.release() }

  /// The state and the reducer are made where the store's dependencies are in force.
  public convenience init<Root: Reducer<State, Action>>(
    initialState: @autoclosure () -> State,
    hooks: (any StoreHooks<State, Action>)? = nil,
    @ReducerBuilder<State, Action> reducer: () -> Root,
    withDependencies change: (inout DependencyValues) -> Void = { _ in }
  ) {
    var dependencies = DependencyValues.current.forNewStore()
    dependencies.prepare {
      change(&$0)
      hooks?.prepare(&$0)
    }
    self.init(
      engine: dependencies.run {
        RootEngine(
          initialState: initialState(), reducer: reducer(), hooks: hooks,
          dependencies: dependencies)
      })
  }

  /// The state after the last turn.
  public var state: State { engine.state }

  /// Reduces an action. The task that comes back lasts as long as the effects of the action, and of
  /// the actions that these send.
  @discardableResult
  public func send(
    _ action: Action,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> StoreTask {
    engine.send(
      action, at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Calls `observer` with the state now, and once after every turn, as long as the subscription is
  /// held. It is called inside the turn: in order, and not for long.
  public func observe(_ observer: @escaping @Sendable (State) -> Void) -> Subscription {
    engine.observe(observer)
  }
}

/// A store of what this reducer reduces.
public typealias StoreOf<Root: Reducer> = Store<Root.State, Root.Action>
