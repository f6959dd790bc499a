import Synchronization

/// Actions among which are those that set properties.
///
/// ```swift
/// enum Action: BindableAction {
///   case binding(BindingAction<State>)
///   case saveTapped
/// }
/// ```
public protocol BindableAction<BoundState>: Sendable {
  associatedtype BoundState: BindableState

  static func binding(_ action: BindingAction<BoundState>) -> Self
  /// The action that sets a property, when this is one. Found by reflection where it is not given.
  var bindingAction: BindingAction<BoundState>? { get }
}

extension BindableAction {
  /// What the case holds where that is a binding; nil in every other case.
  public var bindingAction: BindingAction<BoundState>? {
    Mirror(reflecting: self).children.first?.value as? BindingAction<BoundState>
  }
}

/// Sets the properties that views set. It stands before the reducer that looks at the outcome.
public struct BindingReducer<State: BindableState, Action: BindableAction<State>>: Reducer {
  /// Needs to know nothing: the state lists its bindings.
  public init() {}

  /// Sets the property where the action is a binding; it has no effects.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if let binding = action.bindingAction {
      binding.content.set(&state)
      BindingWatch.noteHandled()
    }
    return .none
  }
}

/// Notices actions that set a property while nobody sets it.
final class BindingWatch: Sendable {
  private let handledCount = Atomic<Int>(0)

  /// A ``BindingReducer`` has set a property.
  static func noteHandled() {
    DependencyValues.scene.values.bindingWatch?.handledCount.add(1, ordering: .relaxed)
  }

  /// Runs the reducer of a feature for one of its actions.
  static func reducing<Action, Result>(
    _ action: Action, at place: SourcePlace? = nil, _ reduce: () -> Result
  ) -> Result {
    guard Action.self is any BindableAction.Type, let action = action as? any BindableAction,
      let text = text(of: action), let watch = DependencyValues.scene.values.bindingWatch
    else { return reduce() }
    let before = watch.handledCount.load(ordering: .relaxed)
    let result = reduce()
    if watch.handledCount.load(ordering: .relaxed) == before {
      reportIssue(
        """
        \(text) was to be set, but nobody sets it: put a BindingReducer() into the body of the \
        feature that has this action.
        """, at: place)
    }
    return result
  }

  private static func text<Known: BindableAction>(of action: Known) -> String? {
    action.bindingAction.map { "The property “\($0.name)” of \(Known.BoundState.self)" }
  }
}

extension Reducer {
  /// Reduces an action as a child, and tells of a binding that nobody sets.
  func reduceNoticing(
    into state: inout State, action: Action, _ place: SourcePlace
  ) -> Effect<Action> {
    BindingWatch.reducing(action, at: place) { reduce(into: &state, action: action) }
  }
}
