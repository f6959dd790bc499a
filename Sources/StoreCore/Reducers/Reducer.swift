/// Changes a state by an action, and says what is to be done besides.
///
/// ```swift
/// struct Counter: Reducer {
///   struct State: Equatable { var count = 0 }
///   enum Action { case incremented, decremented }
///
///   var body: some ReducerOf<Self> {
///     Reduce { state, action in
///       switch action {
///       case .incremented: state.count += 1
///       case .decremented: state.count -= 1
///       }
///       return .none
///     }
///   }
/// }
/// ```
///
/// A reducer states either `body` or `reduce(into:action:)`. Any thread may send to a store, so
/// states, actions and reducers are `Sendable`.
public protocol Reducer<State, Action>: Sendable {
  associatedtype State: Sendable
  associatedtype Action: Sendable
  associatedtype Body

  func reduce(into state: inout State, action: Action) -> Effect<Action>

  @ReducerBuilder<State, Action>
  var body: Body { get }
}

/// A reducer with the state and the actions of another.
public typealias ReducerOf<Other: Reducer> = Reducer<Other.State, Other.Action>

/// The body of a reducer that has none, because it states `reduce(into:action:)`.
public struct NoBody: Sendable {}

extension Reducer where Body == NoBody {
  /// A reducer that has `reduce(into:action:)` needs no body.
  public var body: NoBody { NoBody() }
}

extension Reducer where Body: Reducer, Body.State == State, Body.Action == Action {
  /// What the body does; write one of the two, not both.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    body.reduce(into: &state, action: action)
  }
}
