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
