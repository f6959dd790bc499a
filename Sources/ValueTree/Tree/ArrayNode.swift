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
