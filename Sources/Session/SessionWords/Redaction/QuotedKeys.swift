/// Finds keys in a text that is not JSON as a whole: a name in quotes before a colon, as in
/// `data: {"token":1}`, also behind escapes.
struct QuotedKeys {
  /// The longest key to look for.
  let longest: Int

  private static let blanks = Set(" \t\r\n".utf16)
  private static let colon = UInt16(UInt8(ascii: ":"))
  private static let escape = UInt16(UInt8(ascii: "\\"))
  private static let quotes = Set("\"'".utf16)
  /// The letters that are white space behind a backslash.
  private static let whites = Set("bfnrt".utf16)
  /// Each level is a text inside a text. Deeper ones count as found.
  private static let mostLevels = 16

  func isFound(in text: String, where isWanted: (String) -> Bool) -> Bool {
    // Most texts have neither, and are done here.
    guard longest > 0,
      text.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "\\") })
    else { return false }
    var units = Array(text.utf16)
    for _ in 0..<Self.mostLevels {
      if isFound(in: units, where: isWanted) { return true }
      guard units.contains(Self.escape) else { return false }
      units = Self.unescaped(units)
    }
    return true
  }

  private func isFound(in units: [UInt16], where isWanted: (String) -> Bool) -> Bool {
    for colon in units.indices where units[colon] == Self.colon {
      guard let end = units[..<colon].lastIndex(where: { !Self.blanks.contains($0) }),
        Self.quotes.contains(units[end])
      else { continue }
      // The key may contain quotes.
      for start in stride(from: end - 1, through: max(0, end - 1 - longest), by: -1)
      where units[start] == units[end] {
        if isWanted(String(decoding: units[start + 1..<end], as: UTF16.self)) { return true }
      }
    }
    return false
  }

  private static func unescaped(_ units: [UInt16]) -> [UInt16] {
    var (result, rest) = ([UInt16](), units[...])
    result.reserveCapacity(units.count)
    while let unit = rest.popFirst() {
      guard unit == escape else {
        result.append(unit)
        continue
      }
      guard let next = rest.popFirst() else { break }
      let digits = String(decoding: rest.prefix(4), as: UTF16.self)
      if next == "u".utf16.first, let code = UInt16(digits, radix: 16) {
        rest.removeFirst(digits.utf16.count)
        result.append(code)
      } else {
        result.append(whites.contains(next) ? UInt16(UInt8(ascii: " ")) : next)
      }
    }
    return result
  }
}
