/// Finds children in their feature's state, whatever changed it.
///
/// States are passed as `Any`, because an effect knows no states. An unexpected type comes from a
/// user's reducer in between: then nothing is known.
package struct ChildFinder: Sendable {
  enum Answer {
    case unknown
    case absent
    case one(AnyID, state: Any)
    case several(Children)
  }

  struct Children {
    /// The same object means the same children.
    var version: AnyObject?
    var contains: (AnyID) -> Bool
    var state: (AnyID) -> Any?
  }

  let find: @Sendable (_ parent: Any) -> Answer

  static func one<Parent, Child: Sendable>(
    _ child: @escaping @Sendable (Parent) -> Child?
  ) -> ChildFinder {
    ChildFinder { parent in
      guard let parent = parent as? Parent else { return .unknown }
      guard let child = child(parent) else { return .absent }
      return .one(childIdentity(of: child), state: child)
    }
  }
}

struct StatePart: Sendable {
  enum Answer {
    case unknown
    case absent
    case found(Any)
  }

  let name: AnyID
  let find: @Sendable (_ whole: Any) -> Answer

  init<Whole, Part>(
    named name: some Hashable & Sendable, _ part: @escaping @Sendable (Whole) -> Part?
  ) {
    self.name = AnyID(name)
    find = { whole in
      guard let whole = whole as? Whole else { return .unknown }
      guard let part = part(whole) else { return .absent }
      return .found(part)
    }
  }
}

struct LiveChildren: Sendable {
  fileprivate struct Place: Sendable {
    var finder: ChildFinder?
    var children: [AnyID?: LiveChildren] = [:]
    var parents: Set<AnyID?> = []
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
    guard let first = path.first, var place = places.removeValue(forKey: first.place) else {
      return
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
    switch finder?.find(state) ?? .unknown {
    case .unknown: return []
    case .absent: return children.keys.map { [EffectPathElement(unplaced: $0)] }
    case .one(let identity, let state):
      return children.keys.filter { $0 != identity }.map { [EffectPathElement(unplaced: $0)] }
        + descend(identity, state)
    case .several(let present):
      var absent: [[EffectPathElement]] = []
      if present.version == nil || present.version !== version?.object {
        version = present.version.map { LiveChildren.Version(object: $0) }
        absent = children.keys.filter { $0.map { !present.contains($0) } ?? false }
          .map { [EffectPathElement(unplaced: $0)] }
      }
      for identity in parents {
        guard let identity, let state = present.state(identity) else { continue }
        absent += descend(identity, state)
      }
      return absent
    }
  }

  private mutating func descend(_ identity: AnyID, _ state: Any) -> [[EffectPathElement]] {
    guard parents.contains(identity) else { return [] }
    let inner = children[identity]?.absent(in: state) ?? []
    return inner.map { [EffectPathElement(unplaced: identity)] + $0 }
  }
}

extension EffectPathElement {
  fileprivate init(unplaced identity: AnyID?) { self.init(place: AnyID(0), identity: identity) }
}
