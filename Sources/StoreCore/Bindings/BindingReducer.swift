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
