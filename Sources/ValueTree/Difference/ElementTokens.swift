/// The elements of two stretches as small numbers: equal exactly where an element is the same one.
struct ElementTokens {
  private(set) var old: [Int] = []
  private(set) var new: [Int] = []
  /// Whether no element is an array or an object.
  private(set) var areScalars = true

  private var identities: [ElementIdentity: Int] = [:]
  private var contents: [ContentKey: Int] = [:]

  init(old: some Collection<Value>, new: some Collection<Value>, matching: ElementMatching) {
    let oldIdentities = old.map { matching.identity(of: $0) }
    let newIdentities = new.map { matching.identity(of: $0) }
    // An identity that comes twice on one side is none.
    let doubled = Self.doubled(oldIdentities).union(Self.doubled(newIdentities))
    self.old = zip(old, oldIdentities).map { token($0, $1, doubled: doubled) }
    self.new = zip(new, newIdentities).map { token($0, $1, doubled: doubled) }
  }

  /// How many different tokens there are.
  var count: Int { identities.count + contents.count }

  private mutating func token(
    _ element: Value, _ identity: ElementIdentity?, doubled: Set<ElementIdentity>
  ) -> Int {
    let next = count
    if let identity, !doubled.contains(identity) {
      areScalars = false
      let token = identities[identity] ?? next
      identities[identity] = token
      return token
    }
    switch element {
    case .array, .object: areScalars = false
    default: break
    }
    let key = ContentKey(element)
    let token = contents[key] ?? next
    contents[key] = token
    return token
  }

  private static func doubled(_ identities: [ElementIdentity?]) -> Set<ElementIdentity> {
    var seen: Set<ElementIdentity> = []
    var doubled: Set<ElementIdentity> = []
    for case let identity? in identities where !seen.insert(identity).inserted {
      doubled.insert(identity)
    }
    return doubled
  }
}
