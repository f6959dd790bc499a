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

  /// Whether the file ended where something was expected.
  var isAtEnd: Bool { offset >= file.count }

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

  /// Moves to the value of the next member of an object; nil behind the last one.
  mutating func nextKey(_ isFirst: Bool) throws -> String? {
    guard try nextChild("{", "}", isFirst) else { return nil }
    let key = try keyText()
    try expect(":")
    return key
  }

  /// Moves to the next element of an array; false behind the last one.
  mutating func nextElement(_ isFirst: Bool) throws -> Bool { try nextChild("[", "]", isFirst) }

  private mutating func nextChild(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ isFirst: Bool
  ) throws -> Bool {
    if isFirst { try expect(open) }
    let found = try peek()
    guard found != UInt8(ascii: close) else {
      offset += 1
      return false
    }
    if !isFirst {
      guard found == UInt8(ascii: ",") else { throw unexpected("',' or '\(close)'") }
      offset += 1
    }
    return true
  }

  /// The range of the next value; moves behind it.
  mutating func valueRange() throws -> Range<Int> {
    let first = try peek()
    let start = offset
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      var end = ContainerEnd()
      try skip(to: "the end of an object or array", atLeast: 64) { window, isLast in
        end.find(in: window, isLast: isLast)
      }
    case UInt8(ascii: "\""):
      offset += 1
      try skip(to: "the end of a string") { window, _ in
        var position = 0
        while position < window.count, window[position] != UInt8(ascii: "\"") {
          position += window[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return position < window.count ? (position + 1, true) : (position, false)
      }
    case .some:
      try skip { window, _ in
        let end = window.firstIndex(where: Self.endsScalar)
        return (end ?? window.count, end != nil)
      }
    case nil: throw unexpected("a value")
    }
    return start..<offset
  }

  /// The range of the object here, and its value at a place; moves behind it. One walk finds both in a
  /// window of the file.
  mutating func object(with place: ScanPath) throws -> (range: Range<Int>, value: Value?) {
    _ = try peek()
    let start = offset
    let found = try file.withWindow(at: start, atLeast: 1 << 16) { window in
      let (place, end) = ValueScanner(window).find(place, from: 0)
      return end.map { ($0, place.flatMap { try? Value(parsing: window[$0]) }) }
    }
    if let (length, value) = found {
      offset = start + length
      return (start..<offset, value)
    }
    let range = try valueRange()
    return (range, try file.checkedBytes(range).value(at: place))
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

  /// Moves on until `end` finds the end of a value in a window of the file. A wanted end must come.
  private mutating func skip(
    to wanted: String? = nil, atLeast least: Int = 1,
    _ end: (_ window: UnsafeBufferPointer<UInt8>, _ isLast: Bool) -> (passed: Int, isFound: Bool)
  ) throws {
    while true {
      let (passed, isFound) = try file.withWindow(at: offset, atLeast: least) { window in
        // No JSON goes on behind a hole, which may be of terabytes.
        let isHole = window.count >= 4_096 && window.prefix(4_096).allSatisfy { $0 == 0 }
        return isHole ? (0, false) : end(window, offset + window.count == file.count)
      }
      offset = min(offset + passed, file.count)
      if isFound { return }
      guard passed == 0 else { continue }
      if let wanted { throw unexpected(wanted) }
      return
    }
  }

  private static func endsScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x09...0x0D: true
    default: false
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

extension [UInt8] {
  func value(at place: ScanPath, from offset: Int = 0) -> Value? {
    withUnsafeBufferPointer { bytes in
      ValueScanner(bytes).range(of: place, from: offset).flatMap {
        try? Value(parsing: bytes[$0])
      }
    }
  }
}

extension FileBytes {
  func members(at offset: Int) throws -> [String: Range<Int>] {
    var cursor = JSONCursor(self, at: offset)
    var ranges: [String: Range<Int>] = [:]
    while let key = try cursor.nextKey(ranges.isEmpty) { ranges[key] = try cursor.valueRange() }
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
