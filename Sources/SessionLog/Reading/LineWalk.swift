#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Goes through the lines of a range of bytes in order, some hundred kilobytes at a time.
struct LineWalk {
  private static let chunkSize = 1 << 18

  /// Calls `visit` with the offset and the bytes of each line, without its line end, until it
  /// returns false. The range begins with a line and ends with one.
  static func walk(
    _ range: Range<Int>, in parts: PartList,
    visit: (Int, UnsafeBufferPointer<UInt8>) throws(SessionError) -> Bool
  ) throws(SessionError) {
    var start = range.lowerBound
    var length = chunkSize
    while start < range.upperBound {
      let part = parts.part(holding: start)
      let partEnd = min(range.upperBound, part.base + part.size)
      let end = min(start + length, partEnd)
      let bytes = try parts.bytes(start..<end)
      var position = 0
      var goesOn = true
      try bytes.withUnsafeBufferPointer { buffer throws(SessionError) in
        while goesOn, let newline = newline(in: buffer, from: position) {
          goesOn = try visit(
            start + position, UnsafeBufferPointer(rebasing: buffer[position..<newline]))
          position = newline + 1
        }
        if goesOn, end == partEnd, position < buffer.count {
          goesOn = try visit(
            start + position, UnsafeBufferPointer(rebasing: buffer[position...]))
          position = buffer.count
        }
      }
      guard goesOn else { return }
      length = position == 0 ? length * 4 : chunkSize
      start += position
    }
  }

  private static func newline(in buffer: UnsafeBufferPointer<UInt8>, from position: Int) -> Int? {
    guard position < buffer.count, let base = buffer.baseAddress,
      let found = memchr(base + position, 0x0A, buffer.count - position)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }
}
