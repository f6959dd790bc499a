extension ByteBuffer {
  /// The text as a JSON string: only what JSON demands is escaped.
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

  /// Copies text while looking for what must be escaped: eight bytes at a time. False when there is any.
  @inline(__always)
  private static func copyPlain(
    _ source: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var found: UInt64 = 0
    var place = 0
    while count - place >= 8 {
      let word = UnsafeRawPointer(source + place).loadUnaligned(as: UInt64.self)
      UnsafeMutableRawPointer(target + place).storeBytes(of: word, as: UInt64.self)
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      found |=
        ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
        | ((word &- ones &* 0x20) & ~word)
      place += 8
    }
    var isPlain = found & (ones &* 0x80) == 0
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
