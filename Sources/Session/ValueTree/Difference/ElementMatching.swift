/// The rule by which a difference recognises array elements.
///
/// Objects with an identity key that holds a string or a number match wherever they are, if that
/// identity is unique. Others match by content, and the rest between two matches is compared in
/// order.
public struct ElementMatching: Sendable, Hashable {
  /// The identity keys; an element's first one counts.
  public var identityKeys: [String]
  /// Whether numbers compare by value: `1` is `1.0`.
  private(set) var equatesNumbers = false

  /// Creates a rule; without keys all elements match by content.
  public init(identityKeys: [String]) { self.identityKeys = identityKeys }

  /// Matches by `id`, `_id` or `key`, in this order.
  public static let standard = ElementMatching(identityKeys: ["id", "_id", "key"])
  /// Matches all elements by content.
  public static let byContent = ElementMatching(identityKeys: [])

  /// The standard for people: a reader sees no change from `1` to `1.0`.
  package static let shown: ElementMatching = {
    var matching = standard
    matching.equatesNumbers = true
    return matching
  }()

  func areSame(_ old: Value, _ new: Value) -> Bool {
    equatesNumbers ? old == new : old.isExactlyEqual(to: new)
  }

  /// The identity of an element; nil if it matches by content only.
  func identity(of element: Value) -> ElementIdentity? {
    guard case .object(let object) = element else { return nil }
    for (place, key) in identityKeys.enumerated() {
      guard let value = object[key] else { continue }
      switch value {
      case .string, .number: return ElementIdentity(key: place, value: value)
      default: continue
      }
    }
    return nil
  }
}

struct ElementIdentity: Hashable {
  var key: Int
  var value: Value

  static func == (left: Self, right: Self) -> Bool {
    left.key == right.key && left.value.isExactlyEqual(to: right.value)
  }
}

struct ElementMatches {
  var oldCount: Int
  var newCount: Int
  var anchors: [ElementPair]
  var moves: [ElementPair] = []
  var movedOld: [Bool]
  var movedNew: [Bool]

  init(tokens: ElementTokens) {
    let (old, new) = (tokens.old, tokens.new)
    self.init(
      oldCount: old.count, newCount: new.count,
      anchors: CommonOrder.pairs(old, new, tokenCount: tokens.count))
    var matchedOld = Array(repeating: false, count: old.count)
    var matchedNew = Array(repeating: false, count: new.count)
    for anchor in anchors {
      matchedOld[anchor.old] = true
      matchedNew[anchor.new] = true
    }
    var waiting: [Int: [Int]] = [:]
    for place in old.indices.reversed() where !matchedOld[place] {
      waiting[old[place], default: []].append(place)
    }
    for place in new.indices where !matchedNew[place] {
      guard let from = waiting[new[place]]?.popLast() else { continue }
      moves.append(ElementPair(old: from, new: place))
      movedOld[from] = true
      movedNew[place] = true
    }
  }

  init(inPlace count: Int) {
    self.init(
      oldCount: count, newCount: count,
      anchors: (0..<count).map { ElementPair(old: $0, new: $0) })
  }

  private init(oldCount: Int, newCount: Int, anchors: [ElementPair]) {
    self.oldCount = oldCount
    self.newCount = newCount
    self.anchors = anchors
    movedOld = Array(repeating: false, count: oldCount)
    movedNew = Array(repeating: false, count: newCount)
  }

  var editCount: Int {
    let gone = oldCount - anchors.count - moves.count
    let come = newCount - anchors.count - moves.count
    return moves.count + max(gone, come)
  }
}

/// The elements of two stretches as small numbers, equal for equal elements.
struct ElementTokens {
  private(set) var old: [Int] = []
  private(set) var new: [Int] = []
  private(set) var areScalars = true

  private var identities: [ElementIdentity: Int] = [:]
  private var contents: [ContentKey: Int] = [:]

  init(old: some Collection<Value>, new: some Collection<Value>, matching: ElementMatching) {
    let oldIdentities = old.map { matching.identity(of: $0) }
    let newIdentities = new.map { matching.identity(of: $0) }
    // An identity that occurs twice on one side does not count.
    let doubled = Self.doubled(oldIdentities).union(Self.doubled(newIdentities))
    self.old = zip(old, oldIdentities).map { token($0, $1, doubled: doubled) }
    self.new = zip(new, newIdentities).map { token($0, $1, doubled: doubled) }
  }

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

/// A value as a hash key, equal for values that print the same, ignoring member order.
struct ContentKey: Hashable {
  var value: Value
  private var digest: Int

  init(_ value: Value) {
    self.value = value
    digest = value.hashValue
  }

  static func == (left: Self, right: Self) -> Bool {
    left.digest == right.digest && left.value.isExactlyEqual(to: right.value)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
