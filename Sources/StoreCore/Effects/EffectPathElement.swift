/// Which child of a feature something happens in: the place of the child and its identity there.
package struct EffectPathElement: Hashable, Sendable {
  package var place: AnyID
  package var identity: AnyID?

  package init(place: AnyID, identity: AnyID? = nil) {
    self.place = place
    self.identity = identity
  }
}

extension EffectPathElement: CustomStringConvertible {
  package var description: String {
    identity.map { "\(place)[\($0)]" } ?? "\(place)"
  }
}
