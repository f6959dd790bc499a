/// The storage of a ``ValueArray`` or a ``ValueObject``: a header and the values of its children in one
/// block.
///
/// A node is changed only while one reference to it exists; then nobody else can see the change.
final class ValueNode: ManagedBuffer<ValueNode.Header, Value> {
  struct Header {
    var count = 0
    /// How many containers are inside one another at most, this one counted.
    var height = 1
    /// Of all values in it. It wraps around, so that what is taken out counts down exactly.
    var weight = 0
    /// The keys of an object; an array has none.
    var shape: KeyShape?
  }

  /// Trees up to this height are walked by plain recursion, taller ones with a list of work, so that no
  /// tree can exhaust the stack.
  private static let recursionLimit = 200

  @inline(__always)
  static func create(capacity: Int, shape: KeyShape? = nil) -> ValueNode {
    unsafeDowncast(
      create(minimumCapacity: capacity) { _ in Header(shape: shape) }, to: ValueNode.self)
  }

  /// A node of `count` values that are moved out of `source`.
  @inline(__always)
  static func moving(
    _ source: UnsafeMutablePointer<Value>, count: Int, shape: KeyShape? = nil
  ) -> ValueNode {
    let node = create(capacity: count, shape: shape)
    node.elements.moveInitialize(from: source, count: count)
    node.fill(count)
    return node
  }

  /// A node of values that are copied; nil of none.
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

  /// A copy, with room for more.
  func copy(capacity: Int = 0) -> ValueNode {
    let copy = Self.create(
      capacity: max(capacity, head.pointee.count), shape: head.pointee.shape)
    copy.elements.initialize(from: elements, count: head.pointee.count)
    copy.head.pointee.count = head.pointee.count
    copy.head.pointee.height = head.pointee.height
    copy.head.pointee.weight = head.pointee.weight
    return copy
  }

  /// Has so many values by now.
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

  /// Is higher than this value, which it has got, and heavier by it.
  @inline(__always)
  func cover(_ value: Value) {
    head.pointee.height = max(head.pointee.height, value.height + 1)
    head.pointee.weight &+= value.weight
  }

  /// Is lighter by a value that it holds no longer.
  @inline(__always)
  func lose(_ value: Value) { head.pointee.weight &-= value.weight }

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

  /// What tells one shape from another, without a count of references.
  @inline(__always)
  var shapeAddress: UnsafeRawPointer? {
    guard let offset = MemoryLayout<Header>.offset(of: \.shape) else { return nil }
    return UnsafeRawPointer(head).load(fromByteOffset: offset, as: UnsafeRawPointer?.self)
  }

  /// The keys of an object.
  @inline(__always)
  var keys: [String] { head.pointee.shape?.keys ?? [] }

  /// Whether two objects have the same keys in the same order.
  func hasSameKeys(as other: ValueNode) -> Bool {
    guard let shape = head.pointee.shape, let others = other.head.pointee.shape else {
      return false
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
      // Asked in place: a local variable may count as a second reference in unoptimised builds.
      let isUnique = isKnownUniquelyReferenced(&waiting[waiting.count - 1])
      let node = waiting.removeLast()
      if isUnique { node.empty(into: &waiting) }
    }
  }

  /// Ends the values, but for the tall ones, whose nodes are left in `waiting`.
  private func empty(into waiting: inout [ValueNode]) {
    // A pointer into a node does not keep it, and nobody else may do so any more.
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
  /// Makes it one that nobody else has, with room for so many values.
  mutating func makeUnique(capacity: Int = 0) {
    // Asked before the node is bound, which is a second reference.
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
  /// 0 for a scalar, else how many containers are inside one another at most.
  var height: Int {
    switch self {
    case .array(let array): array.node?.read { header, _ in header.height } ?? 1
    case .object(let object): object.node?.read { header, _ in header.height } ?? 1
    default: 0
    }
  }

  /// What it takes to walk or to print the value, about in bytes: a part that stands in several places
  /// counts in each of them.
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

  /// The storage of a container that has children.
  var node: ValueNode? {
    switch self {
    case .array(let array): array.node
    case .object(let object): object.node
    default: nil
    }
  }

  /// Whether both are containers with the same storage: equal without looking.
  package func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.array(let left), .array(let right)): left.isIdentical(to: right)
    case (.object(let left), .object(let right)): left.isIdentical(to: right)
    default: false
    }
  }
}
