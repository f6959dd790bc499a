/// Reads the text of a query byte by byte.
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

  /// Passes over these characters, when they come next.
  mutating func take(_ characters: StaticString) -> Bool {
    let count = characters.utf8CodeUnitCount
    guard offset + count <= bytes.count else { return false }
    for index in 0..<count where bytes[offset + index] != characters.utf8Start[index] {
      return false
    }
    offset += count
    return true
  }

  /// The name that comes next (`ALPHA`, `_`, anything beyond ASCII, then digits too); nil when none does.
  mutating func takeName() -> String? {
    guard let first = next, Self.startsName(first) else { return nil }
    let start = offset
    while let byte = next, Self.startsName(byte) || Self.isDigit(byte) { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// Integers of a query lie within what a double holds exactly, without leading zeros.
  mutating func takeInteger() throws(QueryError) -> Int? {
    let start = offset
    if next == UInt8(ascii: "-") { offset += 1 }
    let digits = offset
    while let byte = next, Self.isDigit(byte) { offset += 1 }
    let count = offset - digits
    if count == 0 {
      guard digits > start else { return nil }
      throw error("A digit must follow “-”.", at: digits)
    }
    if bytes[digits] == UInt8(ascii: "0"), count > 1 || digits > start {
      throw error("An index is written without leading zeros, and zero without “-”.", at: start)
    }
    let limit = 9_007_199_254_740_991
    guard let number = Int(String(decoding: bytes[start..<offset], as: UTF8.self)),
      (-limit...limit).contains(number)
    else { throw error("An index must lie between -2⁵³ + 1 and 2⁵³ - 1.", at: start) }
    return number
  }

  func error(_ what: String, at offset: Int? = nil, hint: String? = nil) -> QueryError {
    QueryError(text: text, offset: min(offset ?? self.offset, bytes.count), what: what, hint: hint)
  }

  /// What comes next, in words for messages.
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

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
