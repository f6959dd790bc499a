import SessionWords

/// What the first bytes of a line tell without parsing it.
struct LineHead {
  var kind: LineKind
  /// The number after a first key `step` or `begin`; nil where none that can be counted stands there.
  var number: Int?
  var isKeyframe = false

  /// How many bytes of a line are looked at.
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

  /// Of a whole line, which may begin with zero bytes.
  init(line bytes: UnsafeBufferPointer<UInt8>) {
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

  /// The bytes of a string without escapes.
  mutating func string() -> UnsafeBufferPointer<UInt8>? {
    guard skip(UInt8(ascii: "\"")) else { return nil }
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") { position += 1 }
    guard position < bytes.count else { return nil }
    position += 1
    return UnsafeBufferPointer(rebasing: bytes[start..<position - 1])
  }

  /// At most 17 digits: what an index entry can count.
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
