/// The long arrays of a value that gets many operations, split into blocks so that an insertion or
/// removal moves only one block's elements.
///
/// In the value, an empty node with enough room replaces the array, so that its elements can return
/// wherever it moves.
final class LongArrays {
  private var open: [ObjectIdentifier: LongArray] = [:]
  private var moved = 0
  private var operationsLeft = 0
  /// Work since the last check for interruption: an operation, or a thousand moves.
  private var unseen = 0

  static let pieces = 64
  static let worthwhile = 4_096
  /// The cost of splitting and joining, in moves for each element.
  private static let price = 16

  var isEmpty: Bool { open.isEmpty }

  /// Announces the operations of a patch. Returns whether it is time to check for interruption.
  func expect(_ operations: Int) -> Bool {
    operationsLeft = operations
    unseen += 1
    guard unseen >= Self.pieces else { return false }
    unseen = 0
    return true
  }

  subscript(array: ValueArray) -> LongArray? {
    guard !open.isEmpty, let node = array.node, node.head.pointee.count == 0 else { return nil }
    return open[ObjectIdentifier(node)]
  }

  func count(of array: ValueArray) -> Int { self[array]?.count ?? array.count }

  /// Counts the elements behind an index that is about to change; splits the array once that has
  /// cost enough.
  func move(_ array: inout ValueArray, behind index: Int) {
    moved += array.count - index
    unseen += (array.count - index) >> 10
    guard array.count >= Self.worthwhile, moved >= Self.price * array.count, operationsLeft > 0
    else { return }
    let long = LongArray(array, growth: operationsLeft)
    array = long.place
    open[ObjectIdentifier(long.node)] = long
  }

  func close() {
    guard !open.isEmpty else { return }
    for long in open.values { long.close() }
    open = [:]
    moved = 0
  }
}

final class LongArray {
  fileprivate let node: ValueNode
  private var blocks: [ContiguousArray<Value>] = []
  private(set) var count: Int

  private static let blockSize = 512

  fileprivate init(_ array: ValueArray, growth: Int) {
    count = array.count
    node = ValueNode.create(capacity: array.count + growth)
    node.head.pointee.height = Value.array(array).height
    node.head.pointee.weight = array.node?.head.pointee.weight ?? 0
    for start in stride(from: 0, to: array.count, by: Self.blockSize) {
      blocks.append(ContiguousArray(array[start..<min(start + Self.blockSize, array.count)]))
    }
  }

  fileprivate var place: ValueArray { ValueArray(node: node) }

  fileprivate func close() {
    var filled = 0
    for block in blocks {
      block.withUnsafeBufferPointer { elements in
        guard let start = elements.baseAddress else { return }
        (node.elements + filled).initialize(from: start, count: elements.count)
      }
      filled += block.count
    }
    node.head.pointee.count = filled
    blocks = []
  }

  subscript(index: Int) -> Value {
    get {
      let (block, offset) = place(of: index)
      return blocks[block][offset]
    }
    set {
      let (block, offset) = place(of: index)
      node.lose(blocks[block][offset])
      blocks[block][offset] = newValue
      node.cover(newValue)
    }
  }

  func insert(_ element: Value, at index: Int) {
    node.cover(element)
    count += 1
    guard !blocks.isEmpty else { return blocks = [[element]] }
    let (block, offset) = place(of: index)
    blocks[block].insert(element, at: offset)
    guard blocks[block].count >= 2 * Self.blockSize else { return }
    let rest = ContiguousArray(blocks[block][Self.blockSize...])
    blocks[block].removeSubrange(Self.blockSize...)
    blocks.insert(rest, at: block + 1)
  }

  func remove(at index: Int) {
    let (block, offset) = place(of: index)
    node.lose(blocks[block].remove(at: offset))
    count -= 1
    if blocks[block].isEmpty { blocks.remove(at: block) }
  }

  private func place(of index: Int) -> (block: Int, offset: Int) {
    var offset = index
    for block in blocks.indices {
      let count = blocks[block].count
      if offset < count { return (block, offset) }
      offset -= count
    }
    return (blocks.count - 1, blocks[blocks.count - 1].count)
  }
}
