/// An action of one element of a collection.
public enum IdentifiedAction<ID: Hashable & Sendable, Action: Sendable>: Sendable {
  case element(id: ID, action: Action)
}

/// The actions of the elements that this reducer reduces.
public typealias IdentifiedActionOf<Element: Reducer> = IdentifiedAction<
  Element.State.ID, Element.Action
> where Element.State: Identifiable, Element.State.ID: Sendable

extension IdentifiedAction: Equatable where Action: Equatable {}
extension IdentifiedAction: Hashable where Action: Hashable {}
extension IdentifiedAction: Encodable where ID: Encodable, Action: Encodable {}
extension IdentifiedAction: Decodable where ID: Decodable, Action: Decodable {}

extension CasePath {
  /// The way on to the actions of one element of a collection: `\.rows[id: 7]`.
  public subscript<ID: Sendable, Action>(id id: ID) -> CasePath<Root, Action>
  where Value == IdentifiedAction<ID, Action> {
    appending(
      CasePath<Value, Action>(embed: { .element(id: id, action: $0) }) { action in
        if case .element(id, let inner) = action { inner } else { nil }
      })
  }
}
