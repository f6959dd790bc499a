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

/// A reducer made of a closure.
public struct Reduce<State: Sendable, Action: Sendable>: Reducer {
  private let change: @Sendable (inout State, Action) -> Effect<Action>

  /// Changes the state by the action, and gives the effect.
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
  /// The same reducer without its type: `Counter().erased()`.
  public func erased() -> Reduce<State, Action> {
    Reduce { state, action in self.reduce(into: &state, action: action) }
  }
}

/// A reducer that does nothing.
public struct EmptyReducer<State: Sendable, Action: Sendable>: Reducer {
  /// For where a reducer has to stand and nothing is to happen.
  public init() {}

  /// Leaves the state as it is and starts nothing.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

/// Several reducers as one, so that something can be said about all of them at once.
public struct CombineReducers<State: Sendable, Action: Sendable, Combined: Reducer>: Reducer
where Combined.State == State, Combined.Action == Action {
  private let reducers: Combined

  /// The reducers in the order in which they run.
  public init(@ReducerBuilder<State, Action> _ build: () -> Combined) {
    reducers = build()
  }

  /// From the first to the last; effects run side by side.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    reducers.reduce(into: &state, action: action)
  }
}
