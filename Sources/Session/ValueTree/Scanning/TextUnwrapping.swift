import Platform

extension ValueScanner {
  /// Copies the text, which may write eight bytes more than it has. An object or array that it holds as
  /// JSON in a string becomes a value between two line ends, so that no other line becomes the same.
  ///
  /// Returns the length; nil if only the parser can tell a string.
  package func unwrap(into room: UnsafeMutableRawPointer) -> Int? {
    guard let base = UnsafeRawPointer(bytes.baseAddress) else { return 0 }
    var (position, length, isInside) = (0, 0, false)
    while position < bytes.count {
      if position + 8 <= bytes.count {
        let eight = (base + position).loadUnaligned(as: UInt64.self)
        (room + length).storeBytes(of: eight, as: UInt64.self)
        let passed = eight.littleEndian.endsOfText.trailingZeroBitCount >> 3
        (position, length) = (position + passed, length + passed)
        if passed == 8 { continue }
      }
      var byte = bytes[position]
      let next = position + 1 < bytes.count ? bytes[position + 1] : 0
      switch (byte, isInside) {
      case (UInt8(ascii: "\""), false) where next | 0x20 != UInt8(ascii: "{"):
        guard let end = stringEnd(position) else { return nil }
        memcpy(room + length, base + position, end - position)
        (position, length) = (end, length + end - position)
        continue
      case (UInt8(ascii: "\""), _):
        byte = 0x0A
        isInside.toggle()
      case (UInt8(ascii: "\\"), true) where next == UInt8(ascii: "\"") || next == byte:
        byte = next
        position += 1
      case (UInt8(ascii: "\\"), _), (0..<0x20, true): return nil
      default: break
      }
      room.storeBytes(of: byte, toByteOffset: length, as: UInt8.self)
      (position, length) = (position + 1, length + 1)
    }
    return isInside ? nil : length
  }
}

extension UInt64 {
  /// The highest bit of each byte that is a quote, a backslash or a control character. Only the lowest
  /// one is certain.
  @inlinable
  @inline(__always)
  package var endsOfText: UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let (quote, backslash) = (self ^ (ones &* 0x22), self ^ (ones &* 0x5C))
    let found = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
    return (found | ((self &- ones &* 0x20) & ~self)) & (ones &* 0x80)
  }
}
