/// The children an effect was made in, and the ids that cancel it.
struct EffectScope: Sendable {
  var path: [EffectPathElement] = []
  var ids: [ScopedID] = []
}

/// A cancel id and the feature it belongs to.
struct ScopedID: Sendable {
  var path: [EffectPathElement]
  var id: AnyID
}

/// What an effect descends from.
package struct EffectStart: Sendable, Hashable {
  /// The step whose reducer returned the effect.
  package var step: Int
  /// The step of the user's action that all this began with.
  package var root: Int
}

/// What things in flight are found by.
enum ScopeKey: Hashable, Sendable {
  /// In this child or below.
  case child([EffectPathElement])
  /// With this id, which was given in this child or below.
  case id(AnyID, in: [EffectPathElement])
  /// Descending from the user's action of this step.
  case root(Int)
}

/// Finds what belongs to a child, a cancel id or an action of the user, however much is in flight.
struct ScopeIndex<Member: Hashable & Sendable>: Sendable {
  private var members: [ScopeKey: Set<Member>] = [:]

  var isEmpty: Bool { members.isEmpty }

  func members(_ keys: [ScopeKey]) -> Set<Member> {
    guard keys.count > 1 else { return keys.first.flatMap { members[$0] } ?? [] }
    return Set(keys.flatMap { members[$0] ?? [] })
  }

  mutating func insert(_ member: Member, _ scope: EffectScope, root: Int) {
    Self.forEachKey(of: scope, root: root) { members[$0, default: []].insert(member) }
  }

  mutating func remove(_ member: Member, _ scope: EffectScope, root: Int) {
    Self.forEachKey(of: scope, root: root) { key in
      members[key]?.remove(member)
      if members[key]?.isEmpty == true { members[key] = nil }
    }
  }

  private static func forEachKey(
    of scope: EffectScope, root: Int, _ work: (ScopeKey) -> Void
  ) {
    work(.root(root))
    for end in scope.path.indices { work(.child(Array(scope.path[...end]))) }
    for scoped in scope.ids {
      for count in 0...scoped.path.count {
        work(.id(scoped.id, in: Array(scoped.path.prefix(count))))
      }
    }
  }
}

/// Which child of a feature something happens in: the place of the child and its identity there.
package struct EffectPathElement: Hashable, Sendable {
  package var place: AnyID
  package var identity: AnyID?
  /// Looks whether the child is there. No part of what the child is known by.
  var finder: ChildFinder?

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
