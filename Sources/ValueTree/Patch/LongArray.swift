/// Operations one after another on the elements of one array.
struct ElementRun {
  let array: Pointer
  let count: Int
  /// How many tokens lead to the array.
  var depth: Int { array.tokens.count }

  private static let worthwhile = 64

  /// Nil where there are too few of them to do anything special.
  init?(_ operations: ArraySlice<PatchOperation>) {
    guard operations.count >= Self.worthwhile, let first = operations.first, !first.path.isRoot
    else { return nil }
    let parent = first.path.tokens.dropLast()
    let count =
      operations.prefix { operation in
        switch operation {
        case .add(let path, _), .remove(let path), .replace(let path, _):
          path.tokens.count == parent.count + 1 && path.tokens.starts(with: parent)
        case .move, .copy, .test: false
        }
      }.count
    guard count >= Self.worthwhile else { return nil }
    array = Pointer(tokens: parent)
    self.count = count
  }
}

/// An array in blocks: an element is inserted or taken out by moving those of its block only.
final class LongArray {
  private var blocks: [ContiguousArray<Value>] = []
  private var count: Int

  /// A shorter array is changed faster as it is.
  static let worthwhile = 4_096
  private static let blockSize = 512

  init(_ array: ValueArray) {
    count = array.count
    for start in stride(from: 0, to: array.count, by: Self.blockSize) {
      blocks.append(ContiguousArray(array[start..<min(start + Self.blockSize, array.count)]))
    }
    if blocks.isEmpty { blocks = [[]] }
  }

  var array: ValueArray { ValueArray(blocks.joined()) }

  /// False, with nothing changed, when it cannot be done.
  func apply(_ operation: PatchOperation, depth: Int) -> Bool {
    switch operation {
    case .add(let path, let new):
      guard let index = index(path.tokens[depth]), index <= count else { return false }
      insert(new, at: index)
    case .remove(let path):
      guard let index = index(path.tokens[depth]), index < count else { return false }
      let (block, offset) = place(index)
      blocks[block].remove(at: offset)
      count -= 1
      if blocks[block].isEmpty, blocks.count > 1 { blocks.remove(at: block) }
    case .replace(let path, let new):
      guard let index = index(path.tokens[depth]), index < count else { return false }
      let (block, offset) = place(index)
      blocks[block][offset] = new
    case .move, .copy, .test: return false
    }
    return true
  }

  private func index(_ token: String) -> Int? { token == "-" ? count : Pointer.index(token) }

  private func insert(_ element: Value, at index: Int) {
    let (block, offset) = place(index)
    blocks[block].insert(element, at: offset)
    count += 1
    guard blocks[block].count >= 2 * Self.blockSize else { return }
    let rest = ContiguousArray(blocks[block][Self.blockSize...])
    blocks[block].removeSubrange(Self.blockSize...)
    blocks.insert(rest, at: block + 1)
  }

  /// The block of an element, and its place there; behind the last one, the end of the last block.
  private func place(_ index: Int) -> (block: Int, offset: Int) {
    var offset = index
    for (block, elements) in blocks.enumerated() {
      if offset < elements.count { return (block, offset) }
      offset -= elements.count
    }
    return (blocks.count - 1, blocks[blocks.count - 1].count)
  }
}
