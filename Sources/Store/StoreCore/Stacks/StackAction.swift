/// An action of a navigation stack or of one of its elements.
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

extension StackAction: CasePathable {
  /// The case paths: `\.path.popFrom`, and `\.path[id: 0]` for one element's actions.
  public struct AllCasePaths: Sendable {
    /// Any element's action.
    public var element: CasePath<StackAction, (id: StackElementID, action: Action)> {
      CasePath(embed: { .element(id: $0.id, action: $0.action) }) { action in
        if case .element(let id, let inner) = action { (id, inner) } else { nil }
      }
    }

    /// The removal of an element and all above it.
    public var popFrom: CasePath<StackAction, StackElementID> {
      CasePath(embed: { .popFrom(id: $0) }) { action in
        if case .popFrom(let id) = action { id } else { nil }
      }
    }

    /// The push of an element.
    public var push: CasePath<StackAction, (id: StackElementID, state: State)> {
      CasePath(embed: { .push(id: $0.id, state: $0.state) }) { action in
        if case .push(let id, let state) = action { (id, state) } else { nil }
      }
    }

    /// The actions of this element.
    public subscript(id id: StackElementID) -> CasePath<StackAction, Action> {
      CasePath(embed: { .element(id: id, action: $0) }) { action in
        if case .element(id, let inner) = action { inner } else { nil }
      }
    }
  }

  /// The case paths.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension CasePath {
  /// The path to one element's actions: `\.path[id: 0]`.
  public subscript<State, Action>(id id: StackElementID) -> CasePath<Root, Action>
  where Value == StackAction<State, Action> {
    appending(Value.allCasePaths[id: id])
  }
}
