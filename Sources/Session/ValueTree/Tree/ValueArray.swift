import Platform

/// The elements of a JSON array. Copies share their storage.
///
/// `@unchecked Sendable`: nodes change only while uniquely referenced, so no other thread sees a
/// change.
public struct ValueArray: @unchecked Sendable {
  var node: ValueNode?

  init(node: ValueNode?) { self.node = node }

  /// Creates an array of these elements.
  public init(_ elements: some Sequence<Value>) {
    node = ValueNode.copying(ContiguousArray(elements))
  }

  /// Whether both share their storage, and so are equal.
  public func isIdentical(to other: ValueArray) -> Bool { node === other.node }
}

extension ValueArray: RandomAccessCollection, MutableCollection, RangeReplaceableCollection,
  ExpressibleByArrayLiteral
{
  /// Creates an empty array, without storage.
  public init() {}
  /// Creates an array of these elements.
  public init(arrayLiteral elements: Value...) { self.init(elements) }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { node?.read { header, _ in header.count } ?? 0 }

  /// The element at an index, which must be in range.
  public subscript(position: Int) -> Value {
    get {
      precondition(position >= 0 && position < endIndex, "index outside an array")
      guard let node else { return impossible("an array with an index has storage", .null) }
      return node.read { _, elements in elements[position] }
    }
    set {
      precondition(position >= 0 && position < endIndex, "index outside an array")
      node.makeUnique()
      guard let node else { return impossible("an array with an index has storage") }
      node.lose(node.elements[position])
      node.elements[position] = newValue
      node.cover(newValue)
    }
  }

  /// Replaces elements; copies shared storage first.
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
  /// Hashes the elements, in any member order.
  public func hash(into hasher: inout Hasher) { Value.array(self).hash(into: &hasher) }
}

extension ValueArray {
  /// Inserts an element, in place if unshared and with room.
  public mutating func insert(_ element: Value, at position: Int) {
    precondition(position >= 0 && position <= endIndex, "index outside an array")
    node.makeUnique(capacity: endIndex + 1)
    guard let node else { return impossible("room for an element is storage") }
    let place = node.elements + position
    (place + 1).moveInitialize(from: place, count: node.head.pointee.count - position)
    place.initialize(to: element)
    node.head.pointee.count += 1
    node.cover(element)
  }

  /// Removes an element, in place if unshared.
  @discardableResult
  public mutating func remove(at position: Int) -> Value {
    precondition(position >= 0 && position < endIndex, "index outside an array")
    node.makeUnique()
    guard let node else { return impossible("an array with an index has storage", .null) }
    let place = node.elements + position
    let element = place.move()
    place.moveInitialize(from: place + 1, count: node.head.pointee.count - position - 1)
    node.head.pointee.count -= 1
    node.lose(element)
    if node.head.pointee.count == 0 { self.node = nil }
    return element
  }
}
