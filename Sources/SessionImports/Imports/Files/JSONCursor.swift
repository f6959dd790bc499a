import ValueTree

/// Finds members and elements of JSON in a file, without building values, in bounded memory.
///
/// It trusts quotes and brackets only; parsing checks the rest.
struct JSONCursor {
  let file: FileBytes
  private(set) var offset: Int

  init(_ file: FileBytes, at offset: Int = 0) {
    self.file = file
    self.offset = offset
  }

  /// The next byte that is not blank; nil at the end.
  mutating func peek() throws -> UInt8? {
    while let byte = try file.byte(at: offset) {
      guard byte == 0x20 || (0x09...0x0D).contains(byte) || isByteOrderMark(byte) else {
        return byte
      }
      offset += 1
    }
    return nil
  }

  /// Visits the members of the object here: keys and ranges.
  mutating func members(_ body: (_ key: String, _ value: Range<Int>) throws -> Void) throws {
    try expect("{")
    guard try peek() != UInt8(ascii: "}") else {
      offset += 1
      return
    }
    while true {
      let key = try keyText()
      try expect(":")
      try body(key, try valueRange())
      guard try continues(until: "}") else { return }
    }
  }

  mutating func elements(_ body: (_ element: Range<Int>) throws -> Void) throws {
    try expect("[")
    guard try peek() != UInt8(ascii: "]") else {
      offset += 1
      return
    }
    repeat { try body(try valueRange()) } while try continues(until: "]")
  }

  /// The range of the next value; moves behind it.
  mutating func valueRange() throws -> Range<Int> {
    let first = try peek()
    let start = offset
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): try skipWhole("an object or array")
    case UInt8(ascii: "\""): try skipWhole("a string")
    case .some: try skipScalar()
    case nil: throw unexpected("a value")
    }
    return start..<offset
  }

  private mutating func keyText() throws -> String {
    guard try peek() == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
    let range = try valueRange()
    guard range.count < 1 << 20, let key = try file.value(range).string else {
      throw unexpected("a key of less than a megabyte")
    }
    return key
  }

  private mutating func expect(_ character: Unicode.Scalar) throws {
    guard try peek() == UInt8(ascii: character) else { throw unexpected("'\(character)'") }
    offset += 1
  }

  private mutating func continues(until end: Unicode.Scalar) throws -> Bool {
    switch try peek() {
    case UInt8(ascii: ","):
      offset += 1
      return true
    case UInt8(ascii: end):
      offset += 1
      return false
    default: throw unexpected("',' or '\(end)'")
    }
  }

  private func unexpected(_ wanted: String) -> ImportError {
    let found = (try? file.byte(at: offset)).flatMap { $0 }
    return .syntax(
      "expected \(wanted), found \(found.map(ImportError.name) ?? "the end of the file")",
      path: file.path, offset: offset)
  }

  private func isByteOrderMark(_ byte: UInt8) -> Bool {
    offset < 3 && (byte == 0xEF || byte == 0xBB || byte == 0xBF)
  }
}

extension JSONCursor {
  private mutating func skipScalar() throws {
    try skip { byte in
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x09...0x0D: .stopBefore
      default: .goOn
      }
    }
  }

  private mutating func skipWhole(_ name: String) throws {
    var (depth, isInString, isEscaped) = (0, false, false)
    let ended = try skip { byte in
      switch byte {
      case _ where isEscaped:
        isEscaped = false
        return .goOn
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "\\") where isInString:
        isEscaped = true
        return .goOn
      case UInt8(ascii: "{") where !isInString, UInt8(ascii: "[") where !isInString: depth += 1
      case UInt8(ascii: "}") where !isInString, UInt8(ascii: "]") where !isInString: depth -= 1
      default: return .goOn
      }
      return depth == 0 && !isInString ? .stopBehind : .goOn
    }
    guard ended else { throw unexpected("the end of \(name)") }
  }

  private enum Stop { case goOn, stopBefore, stopBehind }

  /// Moves forward until told to stop; false at the file's end.
  @discardableResult
  private mutating func skip(_ decide: (UInt8) -> Stop) throws -> Bool {
    while true {
      let (passed, stopped) = try file.withWindow(at: offset) { window in
        for (index, byte) in window.enumerated() {
          switch decide(byte) {
          case .goOn: continue
          case .stopBefore: return (index, true)
          case .stopBehind: return (index + 1, true)
          }
        }
        return (window.count, false)
      }
      offset += passed
      if stopped { return true }
      if passed == 0 { return false }
    }
  }
}

extension FileBytes {
  func members(at offset: Int) throws -> [String: Range<Int>] {
    var cursor = JSONCursor(self, at: offset)
    var ranges: [String: Range<Int>] = [:]
    try cursor.members { ranges[$0] = $1 }
    return ranges
  }

  func elements(at offset: Int) throws -> [Range<Int>] {
    var cursor = JSONCursor(self, at: offset)
    var ranges: [Range<Int>] = []
    try cursor.elements { ranges.append($0) }
    return ranges
  }

  /// A larger value is more than a debugger can show.
  static let largestValue = 256 << 20

  func value(_ range: Range<Int>) throws -> Value {
    try value(of: try checkedBytes(range), at: range.lowerBound)
  }

  func checkedBytes(_ range: Range<Int>) throws -> [UInt8] {
    guard range.count <= Self.largestValue else {
      throw ImportError.syntax(
        "a single value has \(range.count >> 20) MB; at most \(Self.largestValue >> 20) can be read",
        path: path, offset: range.lowerBound)
    }
    return try bytes(range)
  }

  func value(of bytes: [UInt8], at offset: Int) throws -> Value {
    do throws(ParseError) {
      return try Value(parsing: bytes)
    } catch {
      throw ImportError.syntax(error.what, path: path, offset: offset + error.offset)
    }
  }
}
