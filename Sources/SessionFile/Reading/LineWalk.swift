import Platform
import SessionWords

struct LineWalk {
  private static let chunkSize = 1 << 18
  /// The bytes between two checks for interruption, at least one line.
  private static let piece = 1 << 14

  /// Calls `visit` with each line's offset and bytes, without line end and leading zero bytes,
  /// until it returns false. The range must hold whole lines. `length` may know how long the first
  /// line of some bytes is, which saves looking for its end.
  @inline(__always)
  static func walk(
    _ range: Range<Int>, in parts: PartList,
    length lengthOfLine: (UnsafeBufferPointer<UInt8>) -> Int? = { _ in nil },
    visit: (Int, UnsafeBufferPointer<UInt8>) throws(SessionError) -> Bool
  ) throws(SessionError) {
    var start = range.lowerBound
    var length = chunkSize
    let canBeStopped = Interruption.isHeeded
    var looked = start
    // One for all chunks: the system clears the memory of each new one.
    var room = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 16)
    defer { room.deallocate() }
    func look(_ offset: Int) throws(SessionError) {
      guard canBeStopped, offset - looked >= piece else { return }
      looked = offset
      if Interruption.isAsked {
        throw SessionError(.interrupted, path: parts.part(holding: start).file.path)
      }
    }
    while start < range.upperBound {
      let part = parts.part(holding: start)
      let partEnd = min(range.upperBound, part.base + part.size)
      let end = min(start + length, partEnd)
      if room.count < end - start {
        room.deallocate()
        room = .allocate(byteCount: end - start, alignment: 16)
      }
      let buffer = try parts.read(start..<end, into: room)
      var position = 0
      var goesOn = true
      while goesOn, let newline = endOfLine(at: position, in: buffer, lengthOfLine) {
        try look(start + newline)
        let text = textRange(of: buffer, position, newline)
        goesOn = try visit(
          start + text.lowerBound, UnsafeBufferPointer(rebasing: buffer[text]))
        position = newline + 1
      }
      if goesOn, end == partEnd, position < buffer.count {
        try look(start + buffer.count)
        let text = textRange(of: buffer, position, buffer.count)
        goesOn = try visit(
          start + text.lowerBound, UnsafeBufferPointer(rebasing: buffer[text]))
        position = buffer.count
      }
      guard goesOn else { return }
      length = position == 0 ? length * 4 : chunkSize
      start += position
    }
  }

  @inline(__always)
  private static func endOfLine(
    at start: Int, in buffer: UnsafeBufferPointer<UInt8>,
    _ lengthOfLine: (UnsafeBufferPointer<UInt8>) -> Int?
  ) -> Int? {
    if start < buffer.count,
      let length = lengthOfLine(UnsafeBufferPointer(rebasing: buffer[start...])),
      start + length < buffer.count, buffer[start + length] == 0x0A
    {
      return start + length
    }
    return buffer.newline(from: start)
  }

  @inline(__always)
  private static func textRange(
    of buffer: UnsafeBufferPointer<UInt8>, _ first: Int, _ last: Int
  ) -> Range<Int> {
    var (start, end) = (first, last)
    while start < end, buffer[start] == 0 { start += 1 }
    if start < end, buffer[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the parser takes all bytes as text. Most lines are ASCII, which is quick to see.
  package var isUTF8: Bool {
    guard let base = UnsafeRawPointer(baseAddress) else { return true }
    let rest = count & ~7
    var bits: UInt64 = 0
    for offset in stride(from: 0, to: rest, by: 8) {
      bits |= (base + offset).loadUnaligned(as: UInt64.self)
    }
    for offset in rest..<count { bits |= UInt64(self[offset]) }
    return bits & 0x8080_8080_8080_8080 == 0 || String(validating: self, as: UTF8.self) != nil
  }

  func newline(from position: Int) -> Int? {
    guard position < count, let base = baseAddress,
      let found = memchr(base + position, 0x0A, count - position)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }
}
