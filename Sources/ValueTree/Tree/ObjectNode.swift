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

  static func create(shape: KeyShape, capacity: Int) -> ObjectNode {
    unsafeDowncast(
      create(minimumCapacity: capacity) { _ in Header(shape: shape, count: 0, height: 1) },
      to: ObjectNode.self)
  }

  /// A node of the given shape whose values are moved out of `source`.
  static func moving(_ source: UnsafeMutablePointer<Value>, shape: KeyShape) -> ObjectNode {
    let count = shape.keys.count
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
