import Platform
import SessionWords

/// Finds lines by their ends only: one pass with `pread`, without parsing.
struct LineScanner {
  static let chunkSize = 1 << 20

  struct Line {
    var offset: Int
    var zeroBytes: Int
    var head: UnsafeBufferPointer<UInt8>
    var whole: UnsafeBufferPointer<UInt8>?
    var length: Int
    var isEmpty: Bool
    var isClosed: Bool

    /// Reads a line that the scanner has only in pieces.
    func read(from file: PartFile) -> [UInt8]? { try? file.bytes(at: offset, count: length) }
  }

  /// Calls `found` for each whole line from an offset on, and stops behind `most` bytes and one line.
  /// Returns the start of the first line that is incomplete or was not reached.
  /// Reads nothing from `limit` on, where a line must begin.
  static func scan(
    _ file: PartFile, from start: Int, to limit: Int = .max, most: Int = .max,
    found: (Line) -> Void
  ) throws(SessionError) -> (end: Int, isWhole: Bool) {
    // The system clears the memory of each large buffer, which costs much for many pieces.
    let size = min(most < .max ? 1 << 16 : chunkSize, max(1 << 12, file.size - start + 1))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 4096)
    defer { buffer.deallocate() }
    var run = Run(lineStart: start)
    var offset = start
    while true {
      let part = UnsafeMutableRawBufferPointer(
        rebasing: buffer.prefix(max(0, min(size, limit - offset))))
      let count = try file.read(into: part, at: offset)
      guard count > 0 else { return (run.lineStart, true) }
      if offset - start >= most, run.lineStart > start { return (run.lineStart, false) }
      run.scan(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: offset, found)
      offset += count
    }
  }

  private struct Run {
    var lineStart: Int
    var saved: [UInt8] = []
    var zeroBytes = 0
    var lastByte: UInt8 = 0

    mutating func scan(_ chunk: UnsafeRawBufferPointer, at offset: Int, _ found: (Line) -> Void) {
      guard let base = chunk.baseAddress else { return }
      var position = 0
      while position < chunk.count,
        let newline = memchr(base + position, 0x0A, chunk.count - position)
      {
        let end = UnsafeRawPointer(newline) - base
        finishLine(chunk, position..<end, at: offset, found)
        position = end + 1
        lineStart = offset + position
      }
      if position < chunk.count { keep(chunk, position..<chunk.count) }
    }

    private mutating func finishLine(
      _ chunk: UnsafeRawBufferPointer, _ range: Range<Int>, at offset: Int,
      _ found: (Line) -> Void
    ) {
      guard saved.isEmpty, zeroBytes == 0, range.isEmpty || chunk[range.lowerBound] != 0 else {
        keep(chunk, range)
        saved.withUnsafeBufferPointer {
          found(
            Line(
              offset: lineStart + zeroBytes, zeroBytes: zeroBytes, head: $0,
              length: offset + range.upperBound - lineStart - zeroBytes, isEmpty: $0.isEmpty,
              isClosed: lastByte == UInt8(ascii: "}")))
        }
        saved.removeAll(keepingCapacity: true)
        zeroBytes = 0
        lastByte = 0
        return
      }
      let bytes = chunk.bindMemory(to: UInt8.self)
      var end = range.upperBound
      if end > range.lowerBound, bytes[end - 1] == 0x0D { end -= 1 }
      let head = range.lowerBound..<min(end, range.lowerBound + LineHead.length)
      found(
        Line(
          offset: lineStart, zeroBytes: 0, head: UnsafeBufferPointer(rebasing: bytes[head]),
          whole: UnsafeBufferPointer(rebasing: bytes[range.lowerBound..<end]),
          length: range.count, isEmpty: head.isEmpty,
          isClosed: end > range.lowerBound && bytes[end - 1] == UInt8(ascii: "}")))
    }

    private mutating func keep(_ chunk: UnsafeRawBufferPointer, _ range: Range<Int>) {
      var start = range.lowerBound
      if saved.isEmpty {
        while start < range.upperBound, chunk[start] == 0 { start += 1 }
        zeroBytes += start - range.lowerBound
      }
      let end = min(range.upperBound, start + LineHead.length - saved.count)
      if start < end { saved.append(contentsOf: chunk[start..<end]) }
      var last = range.upperBound
      if last > start, chunk[last - 1] == 0x0D { last -= 1 }
      if last > start { lastByte = chunk[last - 1] }
    }
  }
}

package struct LineHead {
  var kind: LineKind
  /// The number of a first key `step` or `begin`; nil if missing or too large.
  package var number: Int?
  package var isKeyframe = false
  package var isStep: Bool { kind == .step }

  static let length = 64

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var scanner = HeadScanner(bytes: bytes)
    guard scanner.skip(UInt8(ascii: "{")), let key = scanner.string() else {
      kind = .unknown
      return
    }
    kind = LineKind(key: key)
    guard kind == .step || kind == .begin else { return }
    guard scanner.skip(UInt8(ascii: ":")), let number = scanner.integer() else { return }
    self.number = number
    guard kind == .step, scanner.skip(UInt8(ascii: ",")), let second = scanner.string() else {
      return
    }
    isKeyframe = second.elementsEqual("keyframe".utf8)
  }

  package init(line bytes: UnsafeBufferPointer<UInt8>) {
    let start = bytes.firstIndex { $0 != 0 } ?? 0
    self.init(UnsafeBufferPointer(rebasing: bytes[start...].prefix(Self.length)))
  }
}

private struct HeadScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0

  private mutating func skipSpaces() {
    while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 {
      position += 1
    }
  }

  mutating func skip(_ byte: UInt8) -> Bool {
    skipSpaces()
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  mutating func string() -> UnsafeBufferPointer<UInt8>? {
    guard skip(UInt8(ascii: "\"")) else { return nil }
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") { position += 1 }
    guard position < bytes.count else { return nil }
    position += 1
    return UnsafeBufferPointer(rebasing: bytes[start..<position - 1])
  }

  /// At most 17 digits, as in an index entry.
  mutating func integer() -> Int? {
    skipSpaces()
    let start = position
    var number = 0
    while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10
    {
      guard position - start < 17 else { return nil }
      number = number * 10 + Int(digit)
      position += 1
    }
    return position == start ? nil : number
  }
}
