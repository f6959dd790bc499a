import Platform

/// The members of a JSON object, in the order written. Copies share their storage.
///
/// Keys compare by bytes: a composed and a decomposed `é` are two keys.
///
/// `@unchecked Sendable`: nodes and shapes change only while uniquely referenced, so no other
/// thread sees a change.
public struct ValueObject: @unchecked Sendable {
  /// A key and its value.
  public typealias Element = (key: String, value: Value)

  var node: ValueNode?

  init(node: ValueNode?) { self.node = node }

  /// Creates an object; a repeated key takes the last value, at the first place.
  public init(_ members: some Sequence<Element>) {
    var keys: [String] = []
    var values: [Value] = []
    keys.reserveCapacity(members.underestimatedCount)
    values.reserveCapacity(members.underestimatedCount)
    for member in members {
      keys.append(member.key)
      values.append(member.value)
    }
    self.init(keys: keys, values: values)
  }

  init(keys: [String], values: [Value]) {
    precondition(keys.count == values.count, "every key has a value")
    guard !keys.isEmpty else { return }
    if let shape = KeyShape(distinct: keys) {
      node = ValueNode.copying(values, shape: shape)
    } else {
      for (key, value) in zip(keys, values) { self[key] = value }
    }
  }

  /// The keys in the order written; objects of one shape share them.
  public var keys: [String] { node?.read { header, _ in header.shape?.keys } ?? [] }

  /// The member with a key. Setting an absent key adds it at the end; setting nil removes it.
  public subscript(key: String) -> Value? {
    get {
      node?.read { header, elements in
        header.shape?.position(of: key).map { elements[$0] }
      }
    }
    set {
      let position = node?.read { header, _ in header.shape?.position(of: key) }
      switch (position, newValue) {
      case (let position?, let value?): replace(position, with: value)
      case (let position?, nil): remove(position)
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  /// Whether both share their storage, and so are equal.
  public func isIdentical(to other: ValueObject) -> Bool { node === other.node }
}

extension ValueObject {
  private mutating func replace(_ position: Int, with value: Value) {
    node.makeUnique()
    guard let node else { return impossible("an object with a member has storage") }
    node.lose(node.elements[position])
    node.elements[position] = value
    node.cover(value)
  }

  private mutating func append(_ key: String, _ value: Value) {
    if node == nil { node = ValueNode.create(capacity: 4, shape: KeyShape()) }
    node.makeUnique(capacity: count + 1)
    guard let node else { return impossible("room for a member is storage") }
    if !isKnownUniquelyReferenced(&node.head.pointee.shape) {
      node.head.pointee.shape = node.head.pointee.shape.map(KeyShape.init(copying:))
    }
    node.head.pointee.shape?.append(key)
    (node.elements + node.head.pointee.count).initialize(to: value)
    node.head.pointee.count += 1
    node.cover(value)
  }

  private mutating func remove(_ position: Int) {
    var keys = keys
    var values = map(\.value)
    keys.remove(at: position)
    values.remove(at: position)
    self = ValueObject(keys: keys, values: values)
  }
}

extension ValueObject: RandomAccessCollection, ExpressibleByDictionaryLiteral {
  /// Creates an object; of duplicate keys the last counts.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(elements.map { (key: $0.0, value: $0.1) })
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of members.
  public var endIndex: Int { node?.read { header, _ in header.count } ?? 0 }

  /// The member at an index, in the order of the keys.
  public subscript(position: Int) -> Element {
    precondition(position >= 0 && position < endIndex, "index outside an object")
    guard let node else { return ("", .null) }
    return node.read { header, elements in
      (header.shape?.keys[position] ?? "", elements[position])
    }
  }
}

extension ValueObject: Hashable {
  /// Equal members in any order.
  public static func == (left: Self, right: Self) -> Bool { Value.object(left) == .object(right) }
  /// Hashes the members, in any order.
  public func hash(into hasher: inout Hasher) { Value.object(self).hash(into: &hasher) }
}
