/// How a difference finds the elements of an array again.
///
/// An element that is an object with one of the identity keys, holding a string or a number, is the
/// same element wherever it stands, as long as no other has that identity. All others are matched by
/// their content, and what is left between two matches is compared in order.
public struct ElementMatching: Sendable, Hashable {
  /// The first of these keys that an object has is its identity.
  public var identityKeys: [String]

  /// The first of these keys that an object has is its identity; with none all go by content.
  public init(identityKeys: [String]) { self.identityKeys = identityKeys }

  /// By `id`, `_id` or `key`, in this order.
  public static let standard = ElementMatching(identityKeys: ["id", "_id", "key"])
  /// No key is an identity: elements are the same where their content is.
  public static let byContent = ElementMatching(identityKeys: [])

  /// What an element is known by; nil for one that is known by its content only.
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
  /// Which of the identity keys it stood under.
  var key: Int
  /// A string or a number.
  var value: Value

  static func == (left: Self, right: Self) -> Bool {
    guard left.key == right.key else { return false }
    return switch (left.value, right.value) {
    case (.string(let left), .string(let right)): left.isExactly(right)
    case (.number(let left), .number(let right)): left.isExactlyEqual(to: right)
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    switch value {
    case .string(let text): text.hashExactly(into: &hasher)
    case .number(let number): hasher.combine(number)
    default: break
    }
  }
}

/// Which elements of two stretches belong together, and which of those stand in the same order.
struct ElementMatches {
  var oldCount: Int
  var newCount: Int
  /// The longest run of elements in the same order that could be found, ascending.
  var anchors: [ElementPair]
  /// The same element at another place among the others, ascending by the new place.
  var moves: [ElementPair] = []
  var movedOld: [Bool]
  var movedNew: [Bool]

  /// The fewest edits that were found.
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

  /// Each element at its own place, for two stretches of one length.
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

  /// How many operations the matches leave to be written, not counting changes inside of elements.
  var editCount: Int {
    let gone = oldCount - anchors.count - moves.count
    let come = newCount - anchors.count - moves.count
    return moves.count + max(gone, come)
  }
}

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

/// A value as a key in a table: the same key exactly when both values print the same, but for the order
/// of members.
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
