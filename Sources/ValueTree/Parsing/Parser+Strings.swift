extension Parser {
  /// Reads the string whose opening quote stands here.
  mutating func parseString() throws(ParseError) -> String {
    position += 1
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        let text = try validated(start..<position)
        position += 1
        return text
      case UInt8(ascii: "\\"): return try parseEscapedString(from: start)
      case 0..<0x20: throw error(.unescapedControl(bytes[position]))
      default: position += 1
      }
    }
    throw expected("the closing quote of a string")
  }

  private func validated(_ range: Range<Int>) throws(ParseError) -> String {
    guard let text = String(validating: bytes[range], as: UTF8.self) else {
      throw error(.invalidUTF8, at: firstInvalidUTF8(in: range))
    }
    return text
  }

  /// Reads on from the first escape of a string that began at `start`.
  private mutating func parseEscapedString(from start: Int) throws(ParseError) -> String {
    var text: [UInt8] = []
    var copied = start
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        text.append(contentsOf: bytes[copied..<position])
        guard let string = String(validating: text, as: UTF8.self) else {
          throw error(.invalidUTF8, at: firstInvalidUTF8(in: start..<position))
        }
        position += 1
        return string
      case UInt8(ascii: "\\"):
        text.append(contentsOf: bytes[copied..<position])
        try parseEscape(into: &text)
        copied = position
      case 0..<0x20: throw error(.unescapedControl(bytes[position]))
      default: position += 1
      }
    }
    throw expected("the closing quote of a string")
  }

  private mutating func parseEscape(into text: inout [UInt8]) throws(ParseError) {
    let start = position
    position += 1
    guard let byte else { throw expected("the rest of an escape") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: Array(String(try parseUnicodeEscape()).utf8))
    default: throw error(.invalidEscape, at: start)
    }
  }

  /// The scalar of `\uXXXX` or a pair of them; a surrogate that has no partner is U+FFFD.
  private mutating func parseUnicodeEscape() throws(ParseError) -> UnicodeScalar {
    let unit = try parseFourDigits()
    if let scalar = UnicodeScalar(unit) { return scalar }
    guard unit < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
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
      guard let byte, let digit = hexadecimalDigit(byte) else {
        throw expected("four hexadecimal digits after \\u")
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }

  /// Where the first byte stands that cannot be part of UTF-8.
  private func firstInvalidUTF8(in range: Range<Int>) -> Int {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let length =
        switch bytes[offset] {
        case ..<0x80: 1
        case 0xC2..<0xE0: 2
        case 0xE0..<0xF0: 3
        case 0xF0..<0xF5: 4
        default: 0
        }
      guard length > 0, offset + length <= range.upperBound,
        String(validating: bytes[offset..<offset + length], as: UTF8.self) != nil
      else { return offset }
      offset += length
    }
    return range.lowerBound
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
