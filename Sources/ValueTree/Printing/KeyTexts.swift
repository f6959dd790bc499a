/// The keys of shapes as they are printed, with quotes and colon, for printing many objects of one shape.
struct KeyTexts: ~Copyable {
  private struct Entry {
    var texts: [UInt8]
    var ends: [Int]
  }

  /// The shape whose keys are at hand.
  private(set) var shape: UnsafeMutableRawPointer?
  private var current = Entry(texts: [], ends: [0])
  private var others: [UnsafeMutableRawPointer: Entry] = [:]

  mutating func take(_ shape: Unmanaged<KeyShape>, isSpaced: Bool) {
    if let old = self.shape, others.count < 256 { others[old] = current }
    let address = shape.toOpaque()
    self.shape = address
    if let known = others[address] { return current = known }
    var buffer = ByteBuffer(capacity: 256)
    var ends = [0]
    for key in shape.takeUnretainedValue().keys {
      buffer.appendQuoted(key)
      buffer.append(UInt8(ascii: ":"))
      if isSpaced { buffer.append(UInt8(ascii: " ")) }
      ends.append(buffer.count)
    }
    current = Entry(texts: Array(buffer.bytes), ends: ends)
  }

  @inline(__always)
  func append(_ index: Int, to buffer: inout ByteBuffer) {
    current.texts.withUnsafeBufferPointer { texts in
      buffer.append(
        UnsafeBufferPointer(rebasing: texts[current.ends[index]..<current.ends[index + 1]]))
    }
  }
}
