import Platform

/// Finds the end of an object or array that is read in pieces.
package struct ContainerEnd {
  private var nesting = Nesting()
  /// Whether the parser certainly rejects the value.
  var isTooDeep: Bool { nesting.isTooDeep }

  package init() {}

  /// The place behind the end, if it is found, else the start of what must come again. Only the last
  /// piece may have less than 64 bytes.
  package mutating func find(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0, isLast: Bool
  ) -> (passed: Int, isFound: Bool) {
    guard let base = UnsafeRawPointer(bytes.baseAddress) else { return (0, false) }
    var position = start
    while position <= bytes.count - ByteBlock.count {
      if let place = nesting.end(in: ByteBlock(base + position)) {
        return (position + place + 1, true)
      }
      position += ByteBlock.count
    }
    guard isLast, position < bytes.count else { return (position, false) }
    // The rest is the end of an earlier block.
    let before = position + ByteBlock.count - bytes.count
    let rest = UnsafeRawBufferPointer(start: base + position, count: bytes.count - position)
    let place =
      position >= before
      ? nesting.end(in: ByteBlock(base + position - before), from: before)
      : nesting.end(inRest: rest)
    return (place.map { position + $0 + 1 } ?? bytes.count, place != nil)
  }
}

private struct Nesting {
  private var depth = 0
  /// All bits set if the next block begins inside a string.
  private var inText: UInt64 = 0
  /// One if its first byte is escaped.
  private var escaped: UInt64 = 0
  private(set) var isTooDeep = false
  private static let limit = ParseLimits.standard.depth

  @inline(__always)
  mutating func end(in block: ByteBlock, from first: Int = 0) -> Int? {
    let first = UInt64(first)
    var quotes = block.places(of: UInt8(ascii: "\"")) &>> first
    let backslashes = block.places(of: UInt8(ascii: "\\")) &>> first
    if backslashes | escaped != 0 { quotes &= ~escapes(backslashes) }
    // The block is inside a long string.
    if quotes == 0, inText != 0 { return nil }
    var texts = quotes
    for distance: UInt64 in [1, 2, 4, 8, 16, 32] { texts ^= texts &<< distance }
    texts ^= inText
    inText = UInt64(bitPattern: Int64(bitPattern: texts) &>> 63)
    // Both kinds differ in one bit.
    let closed = block.places(of: UInt8(ascii: "}"), setting: 0x20) &>> first & ~texts
    let opened = block.places(of: UInt8(ascii: "{"), setting: 0x20) &>> first & ~texts
    guard closed != 0 else {
      depth += opened.nonzeroBitCount
      if depth > Self.limit { isTooDeep = true }
      return nil
    }
    // Counting bits costs more than visiting these few.
    var braces = closed | opened
    while braces != 0 {
      let brace = braces & (0 &- braces)
      depth += opened & brace == 0 ? -1 : 1
      if depth == 0 { return brace.trailingZeroBitCount }
      braces ^= brace
    }
    return nil
  }

  /// The same for less than a block.
  mutating func end(inRest bytes: UnsafeRawBufferPointer) -> Int? {
    withUnsafeTemporaryAllocation(byteCount: ByteBlock.count, alignment: 16) { block in
      guard let first = block.baseAddress, let base = bytes.baseAddress else { return nil }
      memset(first, 0, ByteBlock.count)
      memcpy(first, base, bytes.count)
      return end(in: ByteBlock(first))
    }
  }

  private mutating func escapes(_ backslashes: UInt64) -> UInt64 {
    // In a run of backslashes every second one is escaped, as is the byte after an odd run.
    let even: UInt64 = 0x5555_5555_5555_5555
    let backslashes = backslashes & ~escaped
    let behind = backslashes &<< 1 | escaped
    let (sum, isOver) = (backslashes & ~even & ~behind).addingReportingOverflow(backslashes)
    escaped = isOver ? 1 : 0
    return (even ^ sum &<< 1) & behind
  }
}
