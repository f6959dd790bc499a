extension Parser {
  @inline(__always)
  mutating func parseString() throws(ParseError) -> String {
    position += 1
    let first = position
    let isASCII = skipPlainText()
    guard position < end, position.pointee == UInt8(ascii: "\"") else {
      return try parseRest(from: first)
    }
    let text = UnsafeBufferPointer(start: first, count: position - first)
    guard isASCII else { return try parseRest(from: first) }
    position += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// Skips to a quote, a backslash, a control character or the end. False if the text may not be
  /// all ASCII.
  @inline(__always)
  private mutating func skipPlainText() -> Bool {
    let highs: UInt64 = 0x8080_8080_8080_8080
    var seen: UInt64 = 0
    while end - position >= 8 {
      let word = UInt64(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
      let found = word.endsOfText
      if found != 0 {
        let bits = found.trailingZeroBitCount & ~7
        position += bits / 8
        return (seen | (word & ((1 << UInt64(bits)) &- 1))) & highs == 0
      }
      seen |= word
      position += 8
    }
    var tail: UInt8 = 0
    while position < end {
      let byte = position.pointee
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      tail |= byte
      position += 1
    }
    return seen & highs == 0 && tail < 0x80
  }

  @inline(never)
  private mutating func parseRest(from first: UnsafePointer<UInt8>) throws(ParseError) -> String {
    var text: [UInt8] = []
    var copied = first
    while position < end {
      switch position.pointee {
      case UInt8(ascii: "\""):
        text.append(contentsOf: UnsafeBufferPointer(start: copied, count: position - copied))
        guard let string = String(validating: text, as: UTF8.self) else {
          throw error(.invalidUTF8, at: firstInvalidUTF8(from: first))
        }
        position += 1
        return string
      case UInt8(ascii: "\\"):
        text.append(contentsOf: UnsafeBufferPointer(start: copied, count: position - copied))
        try parseEscape(into: &text)
        copied = position
      case 0..<0x20: throw error(.unescapedControl(position.pointee))
      default: _ = skipPlainText()
      }
    }
    throw expected("the closing quote of a string")
  }

  private mutating func parseEscape(into text: inout [UInt8]) throws(ParseError) {
    let backslash = position
    position += 1
    guard position < end else { throw expected("the rest of an escape") }
    let byte = position.pointee
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: Array(String(try parseUnicodeEscape()).utf8))
    default: throw error(.invalidEscape, at: backslash)
    }
  }

  private mutating func parseUnicodeEscape() throws(ParseError) -> UnicodeScalar {
    let unit = try parseFourDigits()
    if let scalar = UnicodeScalar(unit) { return scalar }
    guard unit < 0xDC00, end - position >= 2, position[0] == UInt8(ascii: "\\"),
      position[1] == UInt8(ascii: "u")
    else { return "\u{FFFD}" }
    let beforePartner = position
    position += 2
    let partner = try parseFourDigits()
    guard 0xDC00...0xDFFF ~= partner else {
      position = beforePartner
      return "\u{FFFD}"
    }
    return UnicodeScalar(0x10000 + (UInt32(unit - 0xD800) << 10) + UInt32(partner - 0xDC00))
      ?? "\u{FFFD}"
  }

  private mutating func parseFourDigits() throws(ParseError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard position < end, let digit = hexadecimalDigit(position.pointee) else {
        throw expected("four hexadecimal digits after \\u")
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }

  private func firstInvalidUTF8(from first: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var bytes = UnsafeBufferPointer(start: first, count: position - first).makeIterator()
    var (decoder, place) = (UTF8(), first)
    while case .scalarValue(let scalar) = decoder.decode(&bytes) { place += UTF8.width(scalar) }
    return place
  }
}

func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
