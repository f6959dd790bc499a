import Platform

/// Finds children in their feature's state, whatever changed it.
///
/// States are passed as `Any`, because an effect knows no states. An unexpected type comes from a
/// user's reducer in between: then nothing is known.
package struct ChildFinder: Sendable {
  struct Children {
    /// The same object means the same children.
    var version: AnyObject?
    var contains: (AnyID) -> Bool
    var state: (AnyID) -> Any?

    /// At most one child.
    static func one(_ identity: AnyID?, state: Any?) -> Children {
      Children(contains: { $0 == identity }, state: { $0 == identity ? state : nil })
    }
  }

  /// Nil if nothing is known.
  let find: @Sendable (_ parent: Any) -> Children?
}

extension ChildFinder {
  init<Parent>(_ children: @escaping @Sendable (Parent) -> Children) {
    self.init(find: { parent in (parent as? Parent).map(children) })
  }

  static func one<Parent, Child: Sendable>(
    _ child: @escaping @Sendable (Parent) -> Child?
  ) -> ChildFinder {
    ChildFinder { (parent: Parent) in
      let child = child(parent)
      return .one(child.map { childIdentity(of: $0) }, state: child)
    }
  }
}

struct StatePart: Sendable {
  let name: AnyID
  /// Makes a finder for the part one for the whole.
  let widened: @Sendable (ChildFinder) -> ChildFinder

  init<Whole, Part>(
    named name: some Hashable & Sendable, _ part: @escaping @Sendable (Whole) -> Part?
  ) {
    self.name = AnyID(name)
    widened = { finder in
      ChildFinder(find: { whole in
        guard let whole = whole as? Whole else { return nil }
        guard let part = part(whole) else { return .one(nil, state: nil) }
        return finder.find(part)
      })
    }
  }
}

struct LiveChildren: Sendable {
  fileprivate struct Place: Sendable {
    var finder: ChildFinder?
    var children: [AnyID: LiveChildren] = [:]
    var parents: Set<AnyID> = []
    var version: Version?
  }

  /// `@unchecked Sendable`: only compared.
  fileprivate struct Version: @unchecked Sendable {
    let object: AnyObject
  }

  private var places: [AnyID: Place] = [:]
  private var count = 0

  var isEmpty: Bool { places.isEmpty }

  mutating func insert(_ path: ArraySlice<EffectPathElement>) {
    count += 1
    guard let first = path.first else { return }
    var place = places[first.place] ?? Place(finder: first.finder)
    places[first.place] = nil
    place.children[first.identity, default: LiveChildren()].insert(path.dropFirst())
    if path.count > 1 { place.parents.insert(first.identity) }
    places[first.place] = place
  }

  mutating func remove(_ path: ArraySlice<EffectPathElement>) {
    count -= 1
    guard let first = path.first else { return }
    guard var place = places.removeValue(forKey: first.place) else {
      return impossible("an effect leaves only a child that it is in")
    }
    place.children[first.identity]?.remove(path.dropFirst())
    if place.children[first.identity]?.count == 0 { place.children[first.identity] = nil }
    if place.children[first.identity]?.isEmpty ?? true { place.parents.remove(first.identity) }
    if !place.children.isEmpty { places[first.place] = place }
  }

  mutating func absent(in state: Any) -> [[EffectPathElement]] {
    var absent: [[EffectPathElement]] = []
    for place in Array(places.keys) {
      for path in places[place]?.absent(in: state) ?? [] {
        var path = path
        path[0].place = place
        absent.append(path)
      }
    }
    return absent
  }
}

extension LiveChildren.Place {
  fileprivate mutating func absent(in state: Any) -> [[EffectPathElement]] {
    guard let present = finder?.find(state) else { return [] }
    var absent: [[EffectPathElement]] = []
    if present.version == nil || present.version !== version?.object {
      version = present.version.map { LiveChildren.Version(object: $0) }
      absent = children.keys.filter { !present.contains($0) }
        .map { [EffectPathElement(unplaced: $0)] }
    }
    for identity in parents {
      guard let state = present.state(identity) else { continue }
      let inner = children[identity]?.absent(in: state) ?? []
      absent += inner.map { [EffectPathElement(unplaced: identity)] + $0 }
    }
    return absent
  }
}

extension EffectPathElement {
  fileprivate init(unplaced identity: AnyID) { self.init(place: AnyID(0), identity: identity) }
}
