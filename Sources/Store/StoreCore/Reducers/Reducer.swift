/// Changes a state by an action, and returns the effects to run.
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
/// A reducer has either `body` or `reduce(into:action:)`. Any thread may send to a store, so
/// states, actions and reducers are `Sendable`.
public protocol Reducer<State, Action>: Sendable {
  associatedtype State: Sendable
  associatedtype Action: Sendable
  associatedtype Body

  func reduce(into state: inout State, action: Action) -> Effect<Action>

  @ReducerBuilder<State, Action>
  var body: Body { get }
}

/// A reducer with another one's state and actions.
public typealias ReducerOf<Other: Reducer> = Reducer<Other.State, Other.Action>

/// The body of a reducer that has `reduce(into:action:)` instead.
public struct NoBody: Sendable {}

extension Reducer where Body == NoBody {
  /// The absent body of a reducer with `reduce(into:action:)`.
  public var body: NoBody { NoBody() }
}

extension Reducer where Body: Reducer, Body.State == State, Body.Action == Action {
  /// Runs the body; write one of the two, not both.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    body.reduce(into: &state, action: action)
  }
}

/// A reducer from a closure.
public struct Reduce<State: Sendable, Action: Sendable>: Reducer {
  private let change: @Sendable (inout State, Action) -> Effect<Action>

  /// Creates a reducer from a closure.
  public init(
    _ change: @escaping @Sendable (_ state: inout State, _ action: Action) -> Effect<Action>
  ) {
    self.change = change
  }

  /// Calls the closure.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    change(&state, action)
  }
}

extension Reducer {
  /// This reducer without its type: `Counter().erased()`.
  public func erased() -> Reduce<State, Action> {
    Reduce { state, action in self.reduce(into: &state, action: action) }
  }
}

/// A reducer that does nothing.
public struct EmptyReducer<State: Sendable, Action: Sendable>: Reducer {
  /// Creates a reducer that does nothing.
  public init() {}

  /// Changes nothing and starts nothing.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

/// Several reducers as one, so that a modifier applies to all.
public struct CombineReducers<State: Sendable, Action: Sendable, Combined: Reducer>: Reducer
where Combined.State == State, Combined.Action == Action {
  private let reducers: Combined

  /// Combines reducers, which run in this order.
  public init(@ReducerBuilder<State, Action> _ build: () -> Combined) {
    reducers = build()
  }

  /// Runs all in order; their effects run concurrently.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    reducers.reduce(into: &state, action: action)
  }
}
