import Platform

/// The storage of a ``ValueArray`` or a ``ValueObject``: a header and the children in one block.
///
/// A node changes only while it has one reference; so the change is invisible to others.
final class ValueNode: ManagedBuffer<ValueNode.Header, Value> {
  struct Header {
    var count = 0
    var height = 1
    /// The weight of all children. Wraps around, so that subtracting stays exact.
    var weight = 0
    var shape: KeyShape?
  }

  /// The tallest tree for plain recursion; taller ones use a work list, so that no tree exhausts
  /// the stack.
  private static let recursionLimit = 200

  @inline(__always)
  static func create(capacity: Int, shape: KeyShape? = nil) -> ValueNode {
    unsafeDowncast(
      create(minimumCapacity: capacity) { _ in Header(shape: shape) }, to: ValueNode.self)
  }

  @inline(__always)
  static func moving(
    _ source: UnsafeMutablePointer<Value>, count: Int, shape: KeyShape? = nil
  ) -> ValueNode {
    let node = create(capacity: count, shape: shape)
    node.elements.moveInitialize(from: source, count: count)
    node.fill(count)
    return node
  }

  /// Nil for an empty node.
  static func copying(
    _ values: some Collection<Value>, shape: KeyShape? = nil
  ) -> ValueNode? {
    guard !values.isEmpty else { return nil }
    let node = create(capacity: values.count, shape: shape)
    _ = UnsafeMutableBufferPointer(start: node.elements, count: values.count)
      .initialize(fromContentsOf: values)
    node.fill(values.count)
    return node
  }

  func copy(capacity: Int = 0) -> ValueNode {
    let copy = Self.create(
      capacity: max(capacity, head.pointee.count), shape: head.pointee.shape)
    copy.elements.initialize(from: elements, count: head.pointee.count)
    copy.head.pointee.count = head.pointee.count
    copy.head.pointee.height = head.pointee.height
    copy.head.pointee.weight = head.pointee.weight
    return copy
  }

  func fill(_ count: Int) {
    var (height, weight) = (0, 0)
    for index in 0..<count {
      height = max(height, elements[index].height)
      weight &+= elements[index].weight
    }
    head.pointee.count = count
    head.pointee.height = height + 1
    head.pointee.weight = weight
  }

  @inline(__always)
  func cover(_ value: Value) {
    head.pointee.height = max(head.pointee.height, value.height + 1)
    head.pointee.weight &+= value.weight
  }

  @inline(__always)
  func lose(_ value: Value) { head.pointee.weight &-= value.weight }

  /// Reads while keeping the node alive. (A pointer into a node does not.)
  @inline(__always)
  func read<Result>(_ work: (borrowing Header, UnsafeMutablePointer<Value>) -> Result) -> Result {
    withUnsafeMutablePointers { work($0.pointee, $1) }
  }

  /// The header's address, for nodes held elsewhere: a stored property would check exclusivity on
  /// each use.
  @inline(__always)
  var head: UnsafeMutablePointer<Header> { withUnsafeMutablePointerToHeader { $0 } }

  @inline(__always)
  var elements: UnsafeMutablePointer<Value> { withUnsafeMutablePointerToElements { $0 } }

  @inline(__always)
  var shapeAddress: UnsafeRawPointer? {
    guard let offset = MemoryLayout<Header>.offset(of: \.shape) else { return nil }
    return UnsafeRawPointer(head).load(fromByteOffset: offset, as: UnsafeRawPointer?.self)
  }

  @inline(__always)
  var keys: [String] { head.pointee.shape?.keys ?? [] }

  func hasSameKeys(as other: ValueNode) -> Bool {
    guard let shape = head.pointee.shape, let others = other.head.pointee.shape else {
      return impossible("only objects are asked for their keys", false)
    }
    return shape.hasSameKeys(as: others)
  }

  deinit {
    guard head.pointee.height > Self.recursionLimit else {
      elements.deinitialize(count: head.pointee.count)
      return
    }
    var waiting: [ValueNode] = []
    empty(into: &waiting)
    while !waiting.isEmpty {
      // Asked in place: in debug builds a local variable may add a reference.
      let isUnique = isKnownUniquelyReferenced(&waiting[waiting.count - 1])
      let node = waiting.removeLast()
      if isUnique { node.empty(into: &waiting) }
    }
  }

  /// Frees the values, except tall nodes, which it moves to `waiting`.
  private func empty(into waiting: inout [ValueNode]) {
    // A pointer into a node does not keep it alive.
    withExtendedLifetime(self) {
      for index in 0..<head.pointee.count {
        if elements[index].height > Self.recursionLimit, let node = elements[index].node {
          waiting.append(node)
        }
        (elements + index).deinitialize(count: 1)
      }
      head.pointee.count = 0
    }
  }
}

extension ValueNode? {
  mutating func makeUnique(capacity: Int = 0) {
    // Asked before binding, which adds a reference.
    let isUnique = isKnownUniquelyReferenced(&self)
    guard let node = self else {
      if capacity > 0 { self = ValueNode.create(capacity: max(capacity, 4)) }
      return
    }
    guard !isUnique || node.capacity < capacity else { return }
    let count = node.head.pointee.count
    self = node.copy(capacity: capacity > count ? max(capacity, count * 2) : 0)
  }
}

extension Value {
  var childCount: Int { node?.read { header, _ in header.count } ?? 0 }

  var height: Int {
    switch self {
    case .array(let array): array.node?.read { header, _ in header.height } ?? 1
    case .object(let object): object.node?.read { header, _ in header.height } ?? 1
    default: 0
    }
  }

  /// The cost of walking or printing the value, roughly in bytes: shared parts count once for each
  /// place.
  @inline(__always)
  package var weight: Int {
    switch self {
    case .string(let text): 16 &+ text.utf8.count
    case .number(.digits(let text)): 16 &+ text.utf8.count
    case .array(let array): 16 &+ (array.node?.read { header, _ in header.weight } ?? 0)
    case .object(let object):
      16 &+ (object.node?.read { header, _ in header.weight &+ (header.shape?.weight ?? 0) } ?? 0)
    default: 16
    }
  }

  var node: ValueNode? {
    switch self {
    case .array(let array): array.node
    case .object(let object): object.node
    default: nil
    }
  }

  /// Whether both are containers that share storage, and so are equal.
  package func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.array(let left), .array(let right)): left.isIdentical(to: right)
    case (.object(let left), .object(let right)): left.isIdentical(to: right)
    default: false
    }
  }
}
