/// The members of a JSON object, in the order they were written. Copies share their storage.
///
/// Keys are told apart by their bytes: a composed and a decomposed `é` are two keys.
///
/// `@unchecked Sendable`: nodes and shapes are changed only while uniquely referenced, so no two
/// threads can see one change.
public struct ValueObject: @unchecked Sendable {
  /// A key and its value, in the order of the object.
  public typealias Element = (key: String, value: Value)

  /// Nil when there are no members.
  var node: ObjectNode?

  init(node: ObjectNode?) { self.node = node }

  /// The last value wins where a key comes twice; it keeps the place of the first.
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
      var values = values
      node = values.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.map { base in
          let node = ObjectNode.create(shape: shape, capacity: buffer.count)
          node.elements.initialize(from: base, count: buffer.count)
          node.head.pointee.count = buffer.count
          node.head.pointee.height = TreeHeight.above(base, count: buffer.count)
          return node
        }
      }
    } else {
      for (key, value) in zip(keys, values) { self[key] = value }
    }
  }

  /// In the order in which they were written; objects of one shape share them.
  public var keys: [String] { node?.read { header, _ in header.shape.keys } ?? [] }

  /// Setting an absent key adds it at the end; setting nil removes it.
  public subscript(key: String) -> Value? {
    get {
      node?.read { header, elements in
        header.shape.position(of: key).map { elements[$0] }
      } ?? nil
    }
    set {
      let position = node?.read { header, _ in header.shape.position(of: key) } ?? nil
      switch (position, newValue) {
      case (let position?, let value?): replace(position, with: value)
      case (let position?, nil): remove(position)
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  /// Whether both have the same storage: equal without looking at the members.
  public func isIdentical(to other: ValueObject) -> Bool { node === other.node }
}

extension ValueObject {
  private mutating func makeUnique(capacity: Int = 0) {
    let isUnique = isKnownUniquelyReferenced(&node)
    guard let current = node, !isUnique || capacity > current.capacity else { return }
    let room =
      capacity > current.head.pointee.count
      ? Swift.max(capacity, current.head.pointee.count * 2) : 0
    node = ObjectNode.copying(current, capacity: room)
  }

  private mutating func replace(_ position: Int, with value: Value) {
    makeUnique()
    guard let node else { return }
    node.elements[position] = value
    node.head.pointee.height = Swift.max(node.head.pointee.height, value.height + 1)
  }

  private mutating func append(_ key: String, _ value: Value) {
    if node == nil { node = ObjectNode.create(shape: KeyShape(), capacity: 4) }
    makeUnique(capacity: count + 1)
    guard let node else { return }
    if !isKnownUniquelyReferenced(&node.head.pointee.shape) {
      node.head.pointee.shape = KeyShape(copying: node.head.pointee.shape)
    }
    node.head.pointee.shape.append(key)
    (node.elements + node.head.pointee.count).initialize(to: value)
    node.head.pointee.count += 1
    node.head.pointee.height = Swift.max(node.head.pointee.height, value.height + 1)
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
  /// Of equal keys the last counts.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(elements.map { (key: $0.0, value: $0.1) })
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of members.
  public var endIndex: Int { node?.read { header, _ in header.count } ?? 0 }

  /// The member at a place from 0, in the order of the keys.
  public subscript(position: Int) -> Element {
    precondition(position >= 0 && position < endIndex, "index outside an object")
    guard let node else { return ("", .null) }
    return node.read { header, elements in (header.shape.keys[position], elements[position]) }
  }
}

extension ValueObject: Hashable {
  /// Equal members in any order.
  public static func == (left: Self, right: Self) -> Bool { Value.object(left) == .object(right) }
  /// Fits the equality: the order of members does not count.
  public func hash(into hasher: inout Hasher) { Value.object(self).hash(into: &hasher) }
}

/// The storage of a ``ValueObject``: its shape and the values of its members in one block.
///
/// A node is changed only while one reference to it exists; then nobody else can see the change.
final class ObjectNode: ManagedBuffer<ObjectNode.Header, Value> {
  struct Header {
    var shape: KeyShape
    var count: Int
    /// How many containers are inside one another at most, this one counted.
    var height: Int
  }

  @inline(__always)
  static func create(shape: KeyShape, capacity: Int) -> ObjectNode {
    unsafeDowncast(
      create(minimumCapacity: capacity) { _ in Header(shape: shape, count: 0, height: 1) },
      to: ObjectNode.self)
  }

  /// A node of the given shape whose values are moved out of `source`.
  @inline(__always)
  static func moving(
    _ source: UnsafeMutablePointer<Value>, count: Int, shape: KeyShape
  ) -> ObjectNode {
    let node = create(shape: shape, capacity: count)
    node.withUnsafeMutablePointers { header, elements in
      elements.moveInitialize(from: source, count: count)
      header.pointee.count = count
      header.pointee.height = TreeHeight.above(elements, count: count)
    }
    return node
  }

  /// A copy of a node, with room for more.
  static func copying(_ node: ObjectNode, capacity: Int) -> ObjectNode {
    let copy = create(
      shape: node.head.pointee.shape, capacity: max(capacity, node.head.pointee.count))
    copy.withUnsafeMutablePointers { header, elements in
      elements.initialize(from: node.elements, count: node.head.pointee.count)
      header.pointee.count = node.head.pointee.count
      header.pointee.height = node.head.pointee.height
    }
    return copy
  }

  /// What is read through this is read while the node is held, even where it is held for nothing
  /// else. (A pointer into a node does not keep it.)
  @inline(__always)
  func read<Result>(_ work: (borrowing Header, UnsafeMutablePointer<Value>) -> Result) -> Result {
    withUnsafeMutablePointers { work($0.pointee, $1) }
  }

  /// The header by its address, where the node is held by somebody else: as a stored property each use
  /// would be checked for exclusivity.
  @inline(__always)
  var head: UnsafeMutablePointer<Header> { withUnsafeMutablePointerToHeader { $0 } }

  @inline(__always)
  var elements: UnsafeMutablePointer<Value> { withUnsafeMutablePointerToElements { $0 } }

  deinit {
    withUnsafeMutablePointers { header, elements in
      TreeHeight.free(elements, count: header.pointee.count, height: header.pointee.height)
    }
  }
}
