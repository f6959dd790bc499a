/// What a ``Store`` is the face of.
protocol StoreEngine<State, Action>: AnyObject, Sendable {
  associatedtype State: Sendable
  associatedtype Action: Sendable

  var state: State { get }
  func send(_ action: Action, at place: SourcePlace) -> StoreTask
  func observe(_ observer: @escaping @Sendable (State) -> Void) -> Subscription
  /// The store is gone.
  func release()
}
