/// The elements of a JSON array. Copies share their storage.
///
/// `@unchecked Sendable`: nodes are changed only while uniquely referenced, so no two threads can see
/// one change.
public struct ValueArray: @unchecked Sendable {
  /// Nil when there are no elements.
  var node: ArrayNode?

  init(node: ArrayNode?) { self.node = node }

  /// These elements, in this order.
  public init(_ elements: some Sequence<Value>) {
    var list = ContiguousArray(elements)
    guard !list.isEmpty else { return }
    let node = ArrayNode.create(capacity: list.count)
    list.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      node.elements.initialize(from: base, count: buffer.count)
      node.head.pointee = ArrayNode.Header(
        count: buffer.count, height: TreeHeight.above(base, count: buffer.count))
    }
    self.node = node
  }

  /// Whether both have the same storage: equal without looking at the elements.
  public func isIdentical(to other: ValueArray) -> Bool { node === other.node }

  private mutating func makeUnique() {
    // Asked before the node is bound, which is a second reference.
    let isUnique = isKnownUniquelyReferenced(&node)
    guard !isUnique, let current = node else { return }
    node = ArrayNode.copying(
      current.elements, count: current.head.pointee.count, height: current.head.pointee.height)
  }
}

extension ValueArray: RandomAccessCollection, MutableCollection, RangeReplaceableCollection,
  ExpressibleByArrayLiteral
{
  /// No elements; it takes no storage.
  public init() {}
  /// These elements, in this order.
  public init(arrayLiteral elements: Value...) { self.init(elements) }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { node?.read { header, _ in header.count } ?? 0 }

  /// The element at an index from 0; one outside the array is an error of the program.
  public subscript(position: Int) -> Value {
    get {
      precondition(position >= 0 && position < endIndex, "index outside an array")
      guard let node else { return .null }
      return node.read { _, elements in elements[position] }
    }
    set {
      precondition(position >= 0 && position < endIndex, "index outside an array")
      makeUnique()
      guard let node else { return }
      node.elements[position] = newValue
      node.head.pointee.height = Swift.max(node.head.pointee.height, newValue.height + 1)
    }
  }

  /// Puts elements in the place of others; storage that others share is copied first.
  public mutating func replaceSubrange(
    _ range: Range<Int>, with elements: some Collection<Value>
  ) {
    var list = ContiguousArray(self)
    list.replaceSubrange(range, with: elements)
    self = ValueArray(list)
  }
}

extension ValueArray: Hashable {
  /// Equal elements in the same order.
  public static func == (left: Self, right: Self) -> Bool { Value.array(left) == .array(right) }
  /// Fits the equality, also for elements that are objects with other orders of members.
  public func hash(into hasher: inout Hasher) { Value.array(self).hash(into: &hasher) }
}

extension ValueArray {
  /// Inserts an element; in place when nobody else has this storage and there is room.
  public mutating func insert(_ element: Value, at position: Int) {
    precondition(position >= 0 && position <= endIndex, "index outside an array")
    makeRoom(for: endIndex + 1)
    guard let node else { return }
    let place = node.elements + position
    (place + 1).moveInitialize(from: place, count: node.head.pointee.count - position)
    place.initialize(to: element)
    node.head.pointee.count += 1
    node.head.pointee.height = Swift.max(node.head.pointee.height, element.height + 1)
  }

  /// Takes out an element; in place when nobody else has this storage.
  @discardableResult
  public mutating func remove(at position: Int) -> Value {
    precondition(position >= 0 && position < endIndex, "index outside an array")
    makeRoom(for: endIndex)
    guard let node else { return .null }
    let place = node.elements + position
    let element = place.move()
    place.moveInitialize(from: place + 1, count: node.head.pointee.count - position - 1)
    node.head.pointee.count -= 1
    if node.head.pointee.count == 0 { self.node = nil }
    return element
  }

  private mutating func makeRoom(for count: Int) {
    let isUnique = isKnownUniquelyReferenced(&node)
    guard let current = node else {
      node = ArrayNode.create(capacity: Swift.max(count, 4))
      return
    }
    guard !isUnique || current.capacity < count else { return }
    let room =
      count > current.head.pointee.count ? Swift.max(count, current.head.pointee.count * 2) : count
    let copy = ArrayNode.create(capacity: room)
    copy.elements.initialize(from: current.elements, count: current.head.pointee.count)
    copy.head.pointee = current.head.pointee
    node = copy
  }
}

/// The storage of a ``ValueArray``: a header and the elements in one block.
///
/// A node is changed only while one reference to it exists; then nobody else can see the change.
final class ArrayNode: ManagedBuffer<ArrayNode.Header, Value> {
  struct Header {
    var count: Int
    /// How many containers are inside one another at most, this one counted.
    var height: Int
  }

  static func create(capacity: Int) -> ArrayNode {
    unsafeDowncast(
      create(minimumCapacity: capacity) { _ in Header(count: 0, height: 1) }, to: ArrayNode.self)
  }

  /// A node of `count` elements that are moved out of `source`.
  static func moving(_ source: UnsafeMutablePointer<Value>, count: Int) -> ArrayNode {
    let node = create(capacity: count)
    node.withUnsafeMutablePointers { header, elements in
      elements.moveInitialize(from: source, count: count)
      header.pointee = Header(count: count, height: TreeHeight.above(elements, count: count))
    }
    return node
  }

  /// A node of `count` elements that are copied from `source`.
  static func copying(_ source: UnsafePointer<Value>, count: Int, height: Int) -> ArrayNode {
    let node = create(capacity: count)
    node.withUnsafeMutablePointers { header, elements in
      elements.initialize(from: source, count: count)
      header.pointee = Header(count: count, height: height)
    }
    return node
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
