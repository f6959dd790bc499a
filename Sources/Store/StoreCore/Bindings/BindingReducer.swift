import Synchronization

/// Actions that include setting properties.
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
  /// The action that sets a property, if this is one. Found by reflection by default.
  var bindingAction: BindingAction<BoundState>? { get }
}

extension BindableAction {
  /// The payload of a binding case; nil for other cases.
  public var bindingAction: BindingAction<BoundState>? {
    Mirror(reflecting: self).children.first?.value as? BindingAction<BoundState>
  }
}

/// Sets the properties that views set. Put it before the reducer that reads them.
public struct BindingReducer<State: BindableState, Action: BindableAction<State>>: Reducer {
  /// Creates the reducer; the state lists its bindings.
  public init() {}

  /// Sets the property of a binding action; has no effects.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if let binding = action.bindingAction {
      binding.content.set(&state)
      BindingWatch.countHandled()
    }
    return .none
  }
}

final class BindingWatch: Sendable {
  private let handledCount = Atomic<Int>(0)

  static func countHandled() {
    DependencyValues.dependencyScope.values.bindingWatch?.handledCount.add(1, ordering: .relaxed)
  }

  static func reducing<Action, Result>(
    _ action: Action, at place: SourcePlace? = nil, _ reduce: () -> Result
  ) -> Result {
    guard Action.self is any BindableAction.Type, let action = action as? any BindableAction,
      let text = text(of: action), let watch = DependencyValues.dependencyScope.values.bindingWatch
    else { return reduce() }
    let before = watch.handledCount.load(ordering: .relaxed)
    let result = reduce()
    if watch.handledCount.load(ordering: .relaxed) == before {
      reportIssue(
        """
        \(text) was not set. Put a BindingReducer() into the body of the feature that has this \
        action.
        """, at: place)
    }
    return result
  }

  private static func text<Known: BindableAction>(of action: Known) -> String? {
    action.bindingAction.map { "The property “\($0.name)” of \(Known.BoundState.self)" }
  }
}

extension Reducer {
  func reduceNoticing(
    into state: inout State, action: Action, _ place: SourcePlace
  ) -> Effect<Action> {
    BindingWatch.reducing(action, at: place) { reduce(into: &state, action: action) }
  }
}
