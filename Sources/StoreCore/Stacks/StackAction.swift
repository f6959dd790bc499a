/// An action of a navigation stack or of one of its elements: `\.path.popFrom`.
@CasePaths
public enum StackAction<State: Sendable, Action: Sendable>: Sendable {
  /// An action of the element with this id.
  indirect case element(id: StackElementID, action: Action)
  /// Removes this element and all above it.
  case popFrom(id: StackElementID)
  /// Pushes an element.
  indirect case push(id: StackElementID, state: State)
}

/// The stack actions of a reducer.
public typealias StackActionOf<Element: Reducer> = StackAction<Element.State, Element.Action>

extension StackAction: Equatable where State: Equatable, Action: Equatable {}
extension StackAction: Hashable where State: Hashable, Action: Hashable {}
extension StackAction: Encodable where State: Encodable, Action: Encodable {}
extension StackAction: Decodable where State: Decodable, Action: Decodable {}

extension StackAction.AllCasePaths {
  /// The actions of this element.
  public subscript(id id: StackElementID) -> CasePath<StackAction, Action> {
    CasePath(embed: { .element(id: id, action: $0) }) { action in
      if case .element(id, let inner) = action { inner } else { nil }
    }
  }
}

extension CasePath {
  /// The path to one element's actions: `\.path[id: 0]`.
  public subscript<State, Action>(id id: StackElementID) -> CasePath<Root, Action>
  where Value == StackAction<State, Action> {
    appending(Value.allCasePaths[id: id])
  }
}
