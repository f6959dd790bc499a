import Platform

struct ByteBuffer: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 4096) {
    base = Self.memory(nil, capacity)
    self.capacity = capacity
  }

  deinit { free(base) }

  /// Memory from the C library, which can enlarge a large block without copying it.
  private static func memory(
    _ old: UnsafeMutablePointer<UInt8>?, _ capacity: Int
  ) -> UnsafeMutablePointer<UInt8> {
    let block = realloc(old, capacity)
    precondition(block != nil, "there is memory for the text")
    return block.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
  }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

  /// Room for at most `room` bytes; then call `advance(by:)`.
  @inline(__always)
  mutating func space(_ room: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity - count < room { grow(room) }
    return base + count
  }

  @inline(__always)
  mutating func advance(by length: Int) { count += length }

  @inline(never)
  private mutating func grow(_ room: Int) {
    capacity = max(capacity * 2, count + room)
    base = Self.memory(base, capacity)
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    space(1).pointee = byte
    count += 1
  }

  @inline(__always)
  mutating func append(_ source: UnsafeBufferPointer<UInt8>) {
    guard let start = source.baseAddress else { return }
    memcpy(space(source.count), start, source.count)
    count += source.count
  }

  mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ byte: UInt8, times: Int) {
    space(times).update(repeating: byte, count: times)
    count += times
  }

  @inline(__always)
  mutating func append(_ text: String) {
    let length = text.utf8.count
    let target = space(length)
    let done: Void? = text.utf8.withContiguousStorageIfAvailable { source in
      if let start = source.baseAddress { memcpy(target, start, length) }
    }
    if done == nil { for (place, byte) in text.utf8.enumerated() { target[place] = byte } }
    count += length
  }
}

extension ByteBuffer {
  @inline(__always)
  mutating func append(_ number: Number) {
    switch number {
    case .integer(let value): append(value)
    case .double(let value): append(value)
    case .unsigned, .digits: append(number.text)
    }
  }

  @inline(__always)
  mutating func append(_ value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(digitsOf: value.magnitude)
  }

  @inline(__always)
  private mutating func append(digitsOf value: UInt64) {
    let length = value.decimalLength
    write(value, length: length, to: space(length))
    advance(by: length)
  }

  @inline(__always)
  private func write(_ value: UInt64, length: Int, to target: UnsafeMutablePointer<UInt8>) {
    var rest = value
    var place = length
    while place > 0 {
      place -= 1
      let next = rest / 10
      target[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest &- next &* 10)
      rest = next
    }
  }

  /// Writes the shortest text of a double, like `description`.
  mutating func append(_ value: Double) {
    guard let decimal = ShortDecimal(value) else {
      if value.isFinite { append(value.description) } else { append("null" as StaticString) }
      return
    }
    if value.sign == .minus { append(UInt8(ascii: "-")) }
    let scale = ShortDecimal.powersOfTen[decimal.fractionCount]
    append(digitsOf: decimal.digits / scale)
    append(UInt8(ascii: "."))
    let count = max(decimal.fractionCount, 1)
    write(decimal.digits % scale, length: count, to: space(count))
    advance(by: count)
  }
}

/// A double that a few decimals write exactly. They are its shortest text: at most 15 digits name
/// one double, and the search starts with the fewest.
private struct ShortDecimal {
  var digits: UInt64
  var fractionCount: Int

  static let powersOfTen: [UInt64] = [1, 10, 100, 1_000, 10_000]

  @inline(__always)
  init?(_ value: Double) {
    let size = value.magnitude
    guard size < 1e11, size >= 0.001 || size == 0 else { return nil }
    for count in 0..<5 {
      let scale = Double.powersOfTen[count]
      let whole = UInt64(size * scale + 0.5)
      if Double(whole) / scale == size {
        digits = whole
        fractionCount = count
        return
      }
    }
    return nil
  }
}

extension UInt64 {
  fileprivate var decimalLength: Int {
    if self < 10 { return 1 }
    var length = 1
    var rest = self
    while rest >= 10_000 {
      rest /= 10_000
      length += 4
    }
    return length + (rest >= 1_000 ? 3 : rest >= 100 ? 2 : rest >= 10 ? 1 : 0)
  }
}

extension ByteBuffer {
  @inline(__always)
  mutating func appendQuoted(_ text: String) {
    let done: Void? = text.utf8.withContiguousStorageIfAvailable { appendQuoted($0) }
    if done == nil { ContiguousArray(text.utf8).withUnsafeBufferPointer { appendQuoted($0) } }
  }

  @inline(__always)
  private mutating func appendQuoted(_ text: UnsafeBufferPointer<UInt8>) {
    let target = space(text.count + 2)
    target.pointee = UInt8(ascii: "\"")
    guard let start = text.baseAddress, Self.copyPlain(start, text.count, to: target + 1) else {
      return appendEscaped(text)
    }
    target[text.count + 1] = UInt8(ascii: "\"")
    advance(by: text.count + 2)
  }

  /// Copies text, eight bytes at a time; false if something needs an escape.
  @inline(__always)
  private static func copyPlain(
    _ source: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    var found: UInt64 = 0
    var place = 0
    while count - place >= 8 {
      let word = UnsafeRawPointer(source + place).loadUnaligned(as: UInt64.self)
      UnsafeMutableRawPointer(target + place).storeBytes(of: word, as: UInt64.self)
      found |= word.endsOfText
      place += 8
    }
    var isPlain = found == 0
    while place < count {
      let byte = source[place]
      target[place] = byte
      isPlain = isPlain && byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      place += 1
    }
    return isPlain
  }

  @inline(never)
  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""): append("\\\"" as StaticString)
      case UInt8(ascii: "\\"): append("\\\\" as StaticString)
      case 0x08: append("\\b" as StaticString)
      case 0x09: append("\\t" as StaticString)
      case 0x0A: append("\\n" as StaticString)
      case 0x0C: append("\\f" as StaticString)
      case 0x0D: append("\\r" as StaticString)
      case ..<0x20:
        append("\\u00" as StaticString)
        append(byte < 16 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
        append((byte & 15 < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) + (byte & 15))
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }
}
