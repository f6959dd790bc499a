import Platform

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
/// Any thread may send. `send` returns when its action, and the actions that reducers sent at once,
/// are reduced. Turns of several threads run one after another. Releasing the store cancels its
/// effects.
@dynamicMemberLookup
public final class Store<State: Sendable, Action: Sendable>: Sendable {
  let engine: any StoreEngine<State, Action>

  init(engine: any StoreEngine<State, Action>) { self.engine = engine }

  deinit { engine.release() }

  /// Creates the state and the reducer with the store's dependencies.
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
          initialState: dependencies.makingState(initialState), reducer: reducer(), hooks: hooks,
          dependencies: dependencies)
      })
  }

  /// The state after the last turn.
  public var state: State { engine.state }

  /// Reduces an action. The returned task lasts as long as the action's effects, and those of the
  /// actions that these send.
  @discardableResult
  public func send(
    _ action: Action,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> StoreTask {
    send(action, at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  package func send(_ action: Action, at place: SourcePlace) -> StoreTask {
    engine.send(action, at: place)
  }

  /// Reduces an action by its case path: `store.send(\.row.tapped)`,
  /// `store.send(\.nameChanged, "Blob")`.
  @discardableResult
  public func send<Value>(
    _ path: CaseKeyPath<Action, Value>, _ value: Value,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> StoreTask where Action: CasePathable {
    send(
      Action.allCasePaths[keyPath: path].embed(value), fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// Reduces an action without a payload: `store.send(\.row.tapped)`.
  @discardableResult
  public func send(
    _ path: CaseKeyPath<Action, Void>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> StoreTask where Action: CasePathable {
    send(path, (), fileID: fileID, filePath: filePath, line: line, column: column)
  }

  package func waitText(effect number: Int) -> String? {
    (engine as? RootEngine<State, Action>)?.waitText(effect: number)
  }

  /// Calls `observer` with the current state, and after each turn that changed it, as long as you
  /// hold the subscription. The call is inside the turn: in order, and it should be short.
  ///
  /// `==` detects changes. A state that is not `Equatable` is reported after each turn.
  public func observe(_ observer: @escaping @Sendable (State) -> Void) -> Subscription {
    observe({ $0 }, observer)
  }

  /// Observes a part of the state: `store.observe(\.count) { count in … }`.
  public func observe<Part: Sendable>(
    _ part: any KeyPath<State, Part> & Sendable, _ observer: @escaping @Sendable (Part) -> Void
  ) -> Subscription {
    observe({ $0[keyPath: part] }, observer)
  }

  private func observe<Part: Sendable>(
    _ part: @escaping @Sendable (State) -> Part, _ observer: @escaping @Sendable (Part) -> Void
  ) -> Subscription {
    guard Part.self is any Equatable.Type else { return engine.observe { observer(part($0)) } }
    let last = Locked<Part?>(nil)
    return engine.observe { state in
      let now = part(state)
      let isNew = last.withLock { last in
        if let before = last, LeafEquality.areEqualByType(before, now) == true { return false }
        last = now
        return true
      }
      if isNew { observer(now) }
    }
  }

  /// The current state, then the state after each turn that changed it. Slow readers get only the
  /// newest.
  public var states: AsyncStream<State> { stream { observe($0) } }

  /// The states of a part.
  public func states<Part: Sendable>(
    _ part: any KeyPath<State, Part> & Sendable
  ) -> AsyncStream<Part> {
    stream { observe(part, $0) }
  }

  private func stream<Element: Sendable>(
    _ observe: (@escaping @Sendable (Element) -> Void) -> Subscription
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(1))
    let subscription = observe { continuation.yield($0) }
    continuation.onTermination = { _ in subscription.cancel() }
    return stream
  }
}

/// A store of this reducer.
public typealias StoreOf<Root: Reducer> = Store<Root.State, Root.Action>

/// Lasts as long as you hold it, or until you cancel it.
public final class Subscription: Sendable {
  private let end: Locked<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) { self.end = Locked(end) }

  deinit { cancel() }

  /// Ends the subscription.
  public func cancel() { end.withLock { $0.take() }?() }
}
