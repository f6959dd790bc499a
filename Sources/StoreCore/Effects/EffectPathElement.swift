/// Which child of a feature something happens in: the place of the child and its identity there.
package struct EffectPathElement: Hashable, Sendable {
  package var place: AnyID
  package var identity: AnyID?
  /// Looks whether the child is there. No part of what the child is known by.
  var finder: ChildFinder?

  package init(place: AnyID, identity: AnyID? = nil) {
    self.place = place
    self.identity = identity
  }

  init(_ place: AnyID, _ identity: AnyID, finder: ChildFinder) {
    self.init(place: place, identity: identity)
    self.finder = finder
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.place == right.place && left.identity == right.identity
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(place)
    hasher.combine(identity)
  }

  /// The same child, as the feature sees it that has this one's parent as a part.
  func seen(through part: StatePart) -> EffectPathElement {
    var element = self
    element.place = AnyID(PartPlace(part: part.name, place: place))
    element.finder = finder.map { finder in
      ChildFinder { whole in
        switch part.find(whole) {
        case .unknown: .unknown
        case .absent: .absent
        case .found(let state): finder.find(state)
        }
      }
    }
    return element
  }
}

extension EffectPathElement: CustomStringConvertible {
  package var description: String {
    identity.map { "\(place)[\($0)]" } ?? "\(place)"
  }
}

/// A child's place in a part of a feature. It reads like the place alone, because texts of effects
/// stand in recordings.
private struct PartPlace: Hashable, Sendable, CustomStringConvertible {
  var part: AnyID
  var place: AnyID

  var description: String { "\(place)" }
}
