struct QueryReader {
  let text: String
  let bytes: [UInt8]
  var offset = 0

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  var isAtEnd: Bool { offset >= bytes.count }
  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  func byte(after distance: Int) -> UInt8? {
    offset + distance < bytes.count ? bytes[offset + distance] : nil
  }

  mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      offset += 1
    }
  }

  mutating func consume(_ characters: StaticString) -> Bool {
    let count = characters.utf8CodeUnitCount
    guard offset + count <= bytes.count else { return false }
    for index in 0..<count where bytes[offset + index] != characters.utf8Start[index] {
      return false
    }
    offset += count
    return true
  }

  /// The next name (`ALPHA`, `_`, anything beyond ASCII, then digits too), or nil.
  mutating func readName() -> String? {
    guard let first = next, Self.startsName(first) else { return nil }
    let start = offset
    while let byte = next, Self.startsName(byte) || isDigit(byte) { offset += 1 }
    return text(from: start)
  }

  /// The next file with a function's name: `src/rules.mjs#isSorted`.
  mutating func readCodeName() -> String? {
    let start = offset
    while let byte = next, Self.isInFileName(byte) || offset > start && byte == UInt8(ascii: "@") {
      offset += 1
    }
    if offset > start, consume("#"), readName() != nil { return text(from: start) }
    offset = start
    return nil
  }

  private static func isInFileName(_ byte: UInt8) -> Bool {
    startsName(byte) || isDigit(byte) || "./-~+".utf8.contains(byte)
  }

  func text(from start: Int) -> String { String(decoding: bytes[start..<offset], as: UTF8.self) }

  /// The next integer: exact in a double, without leading zeros.
  mutating func readInteger() throws(QueryError) -> Int? {
    let start = offset
    if next == UInt8(ascii: "-") { offset += 1 }
    let digits = offset
    let count = skipDigits()
    if count == 0 {
      guard digits > start else { return nil }
      throw error("A digit must follow “-”.", at: digits)
    }
    if bytes[digits] == UInt8(ascii: "0"), count > 1 || digits > start {
      throw error("An index is written without leading zeros, and zero without “-”.", at: start)
    }
    let limit = 9_007_199_254_740_991
    guard let number = Int(text(from: start)), (-limit...limit).contains(number) else {
      throw error("An index must lie between -2⁵³ + 1 and 2⁵³ - 1.", at: start)
    }
    return number
  }

  func error(_ what: String, at offset: Int? = nil, hint: String? = nil) -> QueryError {
    QueryError(text: text, offset: min(offset ?? self.offset, bytes.count), what: what, hint: hint)
  }

  var found: String {
    guard offset < bytes.count else { return "the end" }
    let rest = String(decoding: bytes[offset...].prefix(24), as: UTF8.self)
    return rest.first.map { "“\($0)”" } ?? "the end"
  }

  static func startsName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}

extension QueryReader {
  /// The next JSON number; `-0` is allowed, too.
  mutating func readNumber() throws(QueryError) -> Value? {
    let start = offset
    _ = consume("-")
    guard let first = next, isDigit(first) else {
      guard offset > start else { return nil }
      throw error("A digit must follow “-”.")
    }
    let digits = skipDigits()
    if first == UInt8(ascii: "0"), digits > 1 {
      throw error("A number has no leading zeros.", at: start)
    }
    if consume(".") {
      guard skipDigits() > 0 else { throw error("A digit must follow the point.") }
    }
    if consume("e") || consume("E") {
      if !consume("+") { _ = consume("-") }
      guard skipDigits() > 0 else { throw error("A digit must follow the exponent's “e”.") }
    }
    let text = text(from: start)
    return .number(Number(text: text) ?? .digits(text))
  }

  private mutating func skipDigits() -> Int {
    let start = offset
    while let byte = next, isDigit(byte) { offset += 1 }
    return offset - start
  }

  mutating func readString() throws(QueryError) -> String? {
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
      case UInt8(ascii: "\\"): content += try readEscape(quote: quote)
      case ..<0x20:
        throw error("A control character in a string is written as an escape, like \\n.")
      default:
        content.append(byte)
        offset += 1
      }
    }
    throw error(
      "The string that begins here has no end.", at: start,
      hint: "Close it with \(UnicodeScalar(quote)).")
  }

  private mutating func readEscape(quote: UInt8) throws(QueryError) -> [UInt8] {
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
    case UInt8(ascii: "u"): return try readCodePoint(from: start)
    default:
      throw error(
        "This escape is unknown.", at: start,
        hint: "Write \\\\ for a backslash; \\b \\f \\n \\r \\t \\/ and \\u0000 are the others.")
    }
  }

  private mutating func readCodePoint(from start: Int) throws(QueryError) -> [UInt8] {
    var code = try readHexadecimal()
    if (0xD800...0xDBFF).contains(code), consume("\\u") {
      let low = try readHexadecimal()
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

  private mutating func readHexadecimal() throws(QueryError) -> UInt32 {
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
