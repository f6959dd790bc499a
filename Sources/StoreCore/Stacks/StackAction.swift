/// An action of a navigation stack or of one of its elements.
public enum StackAction<State: Sendable, Action: Sendable>: Sendable {
  /// Of the element with this id.
  indirect case element(id: StackElementID, action: Action)
  /// This element and all above it go away.
  case popFrom(id: StackElementID)
  /// An element comes on top.
  indirect case push(id: StackElementID, state: State)
}

/// The actions of a stack of what this reducer reduces.
public typealias StackActionOf<Element: Reducer> = StackAction<Element.State, Element.Action>

extension StackAction: Equatable where State: Equatable, Action: Equatable {}
extension StackAction: Hashable where State: Hashable, Action: Hashable {}
extension StackAction: Encodable where State: Encodable, Action: Encodable {}
extension StackAction: Decodable where State: Decodable, Action: Decodable {}
