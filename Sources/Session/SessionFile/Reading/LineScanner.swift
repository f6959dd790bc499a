import Platform
import SessionWords
import ValueTree

/// Finds lines by their ends only: one pass with `pread`, without parsing.
struct LineScanner {
  static let chunkSize = 1 << 20

  struct Line {
    /// Behind the zero bytes.
    var offset: Int
    var zeroBytes = 0
    /// Without line end. Only the first ones of a line that the scanner does not hold as a whole.
    var bytes: UnsafeBufferPointer<UInt8>
    var length: Int
    var isWhole = true

    /// Reads a line that the scanner does not hold; nil if that fails.
    @inline(__always)
    func withAllBytes<Result>(
      in file: PartFile, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result? {
      if isWhole { return body(bytes) }
      return (try? file.bytes(at: offset, count: length))?.withUnsafeBufferPointer(body)
    }

    func isClosed(in file: PartFile) -> Bool {
      guard !isWhole else { return bytes.last == UInt8(ascii: "}") }
      let end = try? file.bytes(at: offset + length - 2, count: 2)
      return end?.last { $0 != 0x0D } == UInt8(ascii: "}")
    }
  }

  /// Calls `found` for each whole line from an offset on, and stops behind `most` bytes and one line.
  /// Returns the start of the first line that is incomplete or was not reached.
  /// Reads nothing from `limit` on, where a line must begin, and nothing behind a line for which `found`
  /// says no.
  static func scan(
    _ file: PartFile, from start: Int, to limit: Int = .max, most: Int = .max,
    found: (Line) -> Bool
  ) throws(SessionError) -> (end: Int, isWhole: Bool) {
    // The system clears the memory of each large buffer, which costs much for many pieces.
    let size = min(most < .max ? 1 << 16 : chunkSize, max(1 << 12, file.size - start + 1))
    var window = LineWindow(file, from: start, size: size)
    var (lineStart, zeroBytes, position) = (start, 0, 0)
    /// The beginning of a line that is longer than the window.
    var head: [UInt8] = []
    let canBeStopped = Interruption.isHeeded
    while true {
      if canBeStopped, Interruption.isAsked {
        throw SessionError(.interrupted, path: file.path)
      }
      let seen = window.start + window.bytes.count
      guard try window.move(by: position, to: limit) else { return (lineStart, true) }
      if seen - start >= most, lineStart > start { return (lineStart, false) }
      let bytes = window.bytes
      position = 0
      while let newline = bytes.newline(from: position) {
        var text = UnsafeBufferPointer(rebasing: bytes[position..<newline])
        if head.isEmpty, text.first == 0 {
          let line = text.drop { $0 == 0 }
          zeroBytes += text.count - line.count
          text = UnsafeBufferPointer(rebasing: line)
        }
        let offset = lineStart + zeroBytes
        let length = window.start + newline - offset
        let goesOn: Bool
        if head.isEmpty {
          if text.last == 0x0D { text = UnsafeBufferPointer(rebasing: text.dropLast()) }
          goesOn = found(Line(offset: offset, zeroBytes: zeroBytes, bytes: text, length: length))
        } else {
          goesOn = head.withUnsafeBufferPointer {
            found(
              Line(
                offset: offset, zeroBytes: zeroBytes, bytes: $0, length: length, isWhole: false))
          }
          head.removeAll()
        }
        position = newline + 1
        (lineStart, zeroBytes) = (window.start + position, 0)
        if !goesOn { return (lineStart, true) }
      }
      guard position == 0, window.isFull else { continue }
      position = head.isEmpty ? bytes.prefix { $0 == 0 }.count : bytes.count
      zeroBytes += head.isEmpty ? position : 0
      if head.isEmpty, position == bytes.count {
        zeroBytes += window.skip(to: file.nextData(from: window.start + position))
        position = 0
      } else if position == 0 {
        head = Array(bytes.prefix(LineHead.length))
        position = bytes.count
      }
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
    let scanner = ValueScanner(bytes)
    var (kind, number, isKeyframe) = (LineKind?.none, Int?.none, false)
    _ = scanner.endOfMembers(from: 0) { key, start in
      guard kind == nil else {
        isKeyframe = kind == .step && scanner.key(key, is: "keyframe")
        return nil
      }
      let name = bytes[key.lowerBound + 1..<key.upperBound - 1]
      kind = LineKind(key: UnsafeBufferPointer(rebasing: name))
      guard kind == .step || kind == .begin else { return nil }
      let digits = bytes[scanner.afterSpace(start)...].prefix { $0 &- UInt8(ascii: "0") < 10 }
      // As many as an index entry holds.
      guard 1...17 ~= digits.count else { return nil }
      number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      return digits.endIndex
    }
    (self.kind, self.number, self.isKeyframe) = (kind ?? .unknown, number, isKeyframe)
  }

  package init(line bytes: UnsafeBufferPointer<UInt8>) {
    let start = bytes.firstIndex { $0 != 0 } ?? 0
    self.init(UnsafeBufferPointer(rebasing: bytes[start...].prefix(Self.length)))
  }
}
