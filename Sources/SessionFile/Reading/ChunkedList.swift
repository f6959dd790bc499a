/// A list that grows by whole chunks: it never holds more than one chunk of unused memory, and a
/// copy shares all chunks but the last.
struct ChunkedList: Sendable {
  private static let shift = 15
  private static let size = 1 << shift
  private var chunks: [ContiguousArray<UInt64>] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  subscript(index: Int) -> UInt64 {
    get { chunks[index >> Self.shift][index & (Self.size - 1)] }
    set { chunks[index >> Self.shift][index & (Self.size - 1)] = newValue }
  }

  mutating func append(_ element: UInt64) {
    if count & (Self.size - 1) == 0 {
      var chunk = ContiguousArray<UInt64>()
      chunk.reserveCapacity(Self.size)
      chunks.append(chunk)
    }
    chunks[chunks.count - 1].append(element)
    count += 1
  }

  mutating func removeLast() {
    chunks[chunks.count - 1].removeLast()
    count -= 1
    if count & (Self.size - 1) == 0 { chunks.removeLast() }
  }

  /// The first index whose element is not below the given one, in an ascending list.
  func firstIndex(notBelow element: UInt64) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < element { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
