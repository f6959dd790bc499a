extension QueryReader {
  /// A number of JSON, but for `-0`, which may stand alone.
  mutating func takeNumber() throws(QueryError) -> Value? {
    let start = offset
    _ = take("-")
    guard let first = next, Self.isDigit(first) else {
      guard offset > start else { return nil }
      throw error("A digit must follow “-”.")
    }
    let digits = takeDigits()
    if first == UInt8(ascii: "0"), digits > 1 {
      throw error("A number has no leading zeros.", at: start)
    }
    if take(".") {
      guard takeDigits() > 0 else { throw error("A digit must follow the point.") }
    }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      guard takeDigits() > 0 else { throw error("A digit must follow the exponent's “e”.") }
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    return .number(Number(text: text) ?? .digits(text))
  }

  private mutating func takeDigits() -> Int {
    let start = offset
    while let byte = next, Self.isDigit(byte) { offset += 1 }
    return offset - start
  }

  /// A string in single or double quotes; nil when none comes next.
  mutating func takeString() throws(QueryError) -> String? {
    guard let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return nil
    }
    let start = offset
    offset += 1
    var content: [UInt8] = []
    while let byte = next {
      switch byte {
      case quote:
        offset += 1
        return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"): content += try takeEscape(quote: quote)
      case ..<0x20:
        throw error("A control character in a string is written as an escape, like \\n.")
      default:
        content.append(byte)
        offset += 1
      }
    }
    throw error(
      "The string that begins here has no end.", at: start,
      hint: "Close it with \(quote == UInt8(ascii: "'") ? "'" : "\"").")
  }

  private mutating func takeEscape(quote: UInt8) throws(QueryError) -> [UInt8] {
    let start = offset
    offset += 1
    guard let byte = next else { throw error("The string ends within an escape.", at: start) }
    offset += 1
    switch byte {
    case quote, UInt8(ascii: "/"), UInt8(ascii: "\\"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return try takeCodePoint(from: start)
    default:
      throw error(
        "This escape is unknown.", at: start,
        hint: "Write \\\\ for a backslash; \\b \\f \\n \\r \\t \\/ and \\u0000 are the others.")
    }
  }

  private mutating func takeCodePoint(from start: Int) throws(QueryError) -> [UInt8] {
    var code = try takeHexadecimal()
    if (0xD800...0xDBFF).contains(code), take("\\u") {
      let low = try takeHexadecimal()
      guard (0xDC00...0xDFFF).contains(low) else {
        throw error("The second half of a surrogate pair is missing.", at: start)
      }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else {
      throw error("Half of a surrogate pair is no character.", at: start)
    }
    return Array(String(Character(scalar)).utf8)
  }

  private mutating func takeHexadecimal() throws(QueryError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80
      else { throw error("Four hexadecimal digits must follow “\\u”.") }
      code = code << 4 + UInt32(digit)
      offset += 1
    }
    return code
  }
}
