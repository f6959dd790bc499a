struct EffectScope: Sendable {
  var path: [EffectPathElement] = []
  var ids: [ScopedID] = []
}

struct ScopedID: Sendable {
  var path: [EffectPathElement]
  var id: AnyID
}

package struct EffectStart: Sendable, Hashable {
  package var step: Int
  /// The step of the user's action behind it.
  package var root: Int
}

enum ScopeKey: Hashable, Sendable {
  case child([EffectPathElement])
  /// With this id, used in this child or below.
  case id(AnyID, in: [EffectPathElement])
  case root(Int)
}

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

package struct EffectPathElement: Hashable, Sendable {
  package var place: AnyID
  package var identity: AnyID
  /// Checks whether the child exists. Not part of the identity.
  var finder: ChildFinder?

  package static func == (left: Self, right: Self) -> Bool {
    left.place == right.place && left.identity == right.identity
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(place)
    hasher.combine(identity)
  }

  func seen(through part: StatePart) -> EffectPathElement {
    var element = self
    element.place = AnyID(PartPlace(part: part.name, place: place))
    element.finder = finder.map(part.widened)
    return element
  }
}

extension EffectPathElement: CustomStringConvertible {
  package var description: String { "\(place)[\(identity)]" }
}

/// A child's place in a part of a feature. Its text equals the place's, because recordings contain
/// it.
private struct PartPlace: Hashable, Sendable, CustomStringConvertible {
  var part: AnyID
  var place: AnyID

  var description: String { "\(place)" }
}
