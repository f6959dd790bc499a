import Platform

/// Searches JSON text without building a tree.
///
/// ```swift
/// line.withUnsafeBufferPointer { bytes in
///   let scanner = ValueScanner(bytes)
///   let range = scanner.range(of: ["action", "id"])  // the bytes of that value, or nil
/// }
/// ```
///
/// It trusts the text to be JSON. In other text it may find a range where parsing would fail, but
/// it never leaves the bytes, and takes linear time.
@usableFromInline
package struct ValueScanner {
  @usableFromInline
  package let bytes: UnsafeBufferPointer<UInt8>

  @inlinable
  package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The bytes of the value at or after `offset`, without space around it; nil if missing or
  /// truncated.
  @usableFromInline
  package func value(from offset: Int) -> Range<Int>? {
    let start = afterSpace(offset)
    guard start < bytes.count else { return nil }
    switch bytes[start] {
    case UInt8(ascii: "\""): return stringEnd(start).map { start..<$0 }
    case UInt8(ascii: "{"), UInt8(ascii: "["): return containerEnd(start).map { start..<$0 }
    case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "]"), UInt8(ascii: "}"): return nil
    default:
      var end = start
      while end < bytes.count, !Self.endsScalar(bytes[end]) { end += 1 }
      return start..<end
    }
  }

  /// The bytes of the value at a path, from the value at `offset`. Of duplicate keys the last
  /// counts, as in parsing.
  package func range(of path: ScanPath, from offset: Int = 0) -> Range<Int>? {
    find(path, from: offset).place
  }

  /// The same, with the end of the value at `offset`; both nil if truncated.
  package func find(_ path: ScanPath, from offset: Int) -> (place: Range<Int>?, end: Int?) {
    var found: Range<Int>?
    let end = end(of: path, 0, from: offset, &found)
    return (end == nil ? nil : found, end)
  }

  private func end(
    of path: ScanPath, _ depth: Int, from offset: Int, _ found: inout Range<Int>?
  ) -> Int? {
    guard depth < path.tokens.count else {
      found = value(from: offset)
      return found?.upperBound
    }
    found = nil
    let start = afterSpace(offset)
    guard start < bytes.count else { return nil }
    switch bytes[start] {
    case UInt8(ascii: "{"):
      return endOfMembers(from: start) { key, value in
        guard self.key(key, is: path.tokens[depth]) else {
          return self.value(from: value)?.upperBound
        }
        return end(of: path, depth + 1, from: value, &found)
      }
    case UInt8(ascii: "["):
      var index = 0
      return endOfElements(from: start) { value in
        defer { index += 1 }
        guard index == path.tokens[depth].index else { return self.value(from: value)?.upperBound }
        return end(of: path, depth + 1, from: value, &found)
      }
    default: return value(from: start)?.upperBound
    }
  }

  /// Calls `body` with the key (with quotes) and the value of each member of the object at
  /// `offset`, until it returns false. True if it saw the whole object.
  @inlinable
  @inline(__always)
  @discardableResult
  package func members(from offset: Int, _ body: (Range<Int>, Range<Int>) -> Bool) -> Bool {
    endOfMembers(from: offset) { key, start in
      guard let value = value(from: start), body(key, value) else { return nil }
      return value.upperBound
    } != nil
  }

  /// Like ``members(from:_:)``, but the body gets each value's start and returns its end. Returns
  /// the object's end, or nil if not reached.
  @inlinable
  @inline(__always)
  package func endOfMembers(from offset: Int, _ body: (Range<Int>, Int) -> Int?) -> Int? {
    endOfChildren(from: offset, open: UInt8(ascii: "{"), close: UInt8(ascii: "}")) { position in
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\""),
        let keyEnd = stringEnd(position)
      else { return nil }
      let colon = afterSpace(keyEnd)
      guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { return nil }
      return body(position..<keyEnd, colon + 1)
    }
  }

  @inline(__always)
  func endOfElements(from offset: Int, _ body: (Int) -> Int?) -> Int? {
    endOfChildren(
      from: offset, open: UInt8(ascii: "["), close: UInt8(ascii: "]"), child: body)
  }

  @inlinable
  @inline(__always)
  package func text(_ range: Range<Int>, is text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard range.count == text.count else { return false }
    for index in 0..<text.count where bytes[range.lowerBound + index] != text[index] {
      return false
    }
    return true
  }

  @inline(__always)
  func end(of text: StaticString, at offset: Int) -> Int? {
    let end = offset + text.utf8CodeUnitCount
    guard end <= bytes.count, let base = bytes.baseAddress,
      memcmp(base + offset, text.utf8Start, text.utf8CodeUnitCount) == 0
    else { return nil }
    return end
  }

  @inline(__always)
  func text(_ range: Range<Int>, is text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { self.text(range, is: $0) }
  }

  @inlinable
  @inline(__always)
  package func text(_ range: Range<Int>, is text: StaticString) -> Bool {
    self.text(range, is: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// The text between a string's quotes, still escaped; nil for other values.
  @inline(__always)
  func insideQuotes(_ value: Range<Int>) -> Range<Int>? {
    guard value.count >= 2, bytes[value.lowerBound] == UInt8(ascii: "\"") else { return nil }
    return value.lowerBound + 1..<value.upperBound - 1
  }

  @usableFromInline
  package func hasEscapes(_ range: Range<Int>) -> Bool {
    guard range.count > 8, let base = bytes.baseAddress else {
      return hasBackslash(head(of: range))
    }
    return memchr(base + range.lowerBound, 0x5C, range.count) != nil
  }

  @inline(__always)
  private func hasBackslash(_ eight: UInt64) -> Bool {
    let other = eight ^ 0x5C5C_5C5C_5C5C_5C5C
    return (other &- 0x0101_0101_0101_0101) & ~other & 0x8080_8080_8080_8080 != 0
  }

  @inline(__always)
  package func key(_ range: Range<Int>, is text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { key(range, is: $0) }
  }

  @inlinable
  @inline(__always)
  package func key(_ range: Range<Int>, is text: StaticString) -> Bool {
    key(range, is: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inlinable
  @inline(__always)
  package func key(_ range: Range<Int>, is text: UnsafeBufferPointer<UInt8>) -> Bool {
    let inner = range.lowerBound + 1..<range.upperBound - 1
    // Escapes only make it longer.
    guard inner.count >= text.count else { return false }
    return hasEscapes(inner) ? parsedKey(range, is: text) : self.text(inner, is: text)
  }

  @inline(__always)
  private func key(_ range: Range<Int>, is token: ScanPath.Token) -> Bool {
    guard let isIt = key(range, hasHead: token.head, token.count) else {
      return key(range, is: token.bytes)
    }
    return isIt
  }

  @inline(__always)
  func key(_ range: Range<Int>, is text: UnsafeBufferPointer<UInt8>, head: UInt64) -> Bool {
    key(range, hasHead: head, text.count) ?? key(range, is: text)
  }

  /// Compares eight bytes at once: they decide for nearly every member on the way to a place.
  @inline(__always)
  private func key(_ range: Range<Int>, hasHead wanted: UInt64, _ count: Int) -> Bool? {
    let inner = range.lowerBound + 1..<range.upperBound - 1
    let head = head(of: inner)
    let isPlain = !hasBackslash(head)
    guard !isPlain || head == wanted else { return false }
    return isPlain && inner.count <= 8 ? inner.count == count : nil
  }

  /// The first of `names` that a key is.
  package func place(of key: Range<Int>, among names: ScanPath) -> Int? {
    names.tokens.withUnsafeBufferPointer { names in
      for place in names.indices where self.key(key, is: names[place]) { return place }
      return nil
    }
  }

  /// The first eight bytes, or fewer if the range has fewer.
  @inlinable
  @inline(__always)
  package func head(of range: Range<Int>) -> UInt64 {
    guard range.lowerBound + 8 <= bytes.count, let base = UnsafeRawPointer(bytes.baseAddress) else {
      return range.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
    }
    let eight = UInt64(littleEndian: (base + range.lowerBound).loadUnaligned(as: UInt64.self))
    return range.count < 8 ? eight & ~(.max << UInt64(8 * range.count)) : eight
  }

  @usableFromInline
  func parsedKey(_ range: Range<Int>, is text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard case .string(let key)? = try? Value(parsing: bytes[range]) else { return false }
    return key.utf8.elementsEqual(text)
  }
}

extension ValueScanner {
  @inlinable
  @inline(__always)
  func endOfChildren(
    from offset: Int, open: UInt8, close: UInt8, child: (Int) -> Int?
  ) -> Int? {
    var position = afterSpace(offset)
    guard position < bytes.count, bytes[position] == open else { return nil }
    position = afterSpace(position + 1)
    if position < bytes.count, bytes[position] == close { return position + 1 }
    while let end = child(position) {
      position = afterSpace(end)
      guard position < bytes.count else { return nil }
      if bytes[position] == close { return position + 1 }
      guard bytes[position] == UInt8(ascii: ",") else { return nil }
      position = afterSpace(position + 1)
    }
    return nil
  }

  @inlinable
  @inline(__always)
  package func afterSpace(_ offset: Int) -> Int {
    offset >= 0 && offset < bytes.count && bytes[offset] > 0x20 ? offset : skipSpace(offset)
  }

  @usableFromInline
  func skipSpace(_ offset: Int) -> Int {
    var position = max(offset, 0)
    while position < bytes.count, bytes[position] <= 0x20, Self.isSpace(bytes[position]) {
      position += 1
    }
    return position
  }

  @inlinable
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  private static func endsScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "]"), UInt8(ascii: "}"),
      UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "\""):
      true
    default: isSpace(byte)
    }
  }

  @inlinable
  @inline(__always)
  func stringEnd(_ start: Int) -> Int? {
    var position = start + 1
    while let end = quote(from: position) {
      var backslashes = end
      while backslashes > position, bytes[backslashes - 1] == 0x5C { backslashes -= 1 }
      if (end - backslashes).isMultiple(of: 2) { return end + 1 }
      position = end + 1
    }
    return nil
  }

  /// The first quote from an offset on. Most are near, so it compares eight bytes at a time.
  @inlinable
  @inline(__always)
  func quote(from offset: Int) -> Int? {
    guard offset < bytes.count, let base = UnsafeRawPointer(bytes.baseAddress) else { return nil }
    var position = offset
    let near = min(bytes.count - 8, offset + 24)
    while position <= near {
      let eight = (base + position).loadUnaligned(as: UInt64.self) ^ 0x2222_2222_2222_2222
      let found =
        (eight.littleEndian &- 0x0101_0101_0101_0101) & ~eight.littleEndian
        & 0x8080_8080_8080_8080
      if found != 0 { return position + found.trailingZeroBitCount >> 3 }
      position += 8
    }
    guard position < bytes.count,
      let quote = memchr(base + position, 0x22, bytes.count - position)
    else { return nil }
    return UnsafeRawPointer(quote) - base
  }

  /// How many bytes outside of texts are wanted.
  package func countOutsideTexts(_ isWanted: (UInt8) -> Bool) -> Int {
    var (count, isInText, isEscaped) = (0, false, false)
    for byte in bytes {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = true
      case UInt8(ascii: "\""): isInText.toggle()
      default: if !isInText, isWanted(byte) { count += 1 }
      }
    }
    return count
  }

  private func containerEnd(_ start: Int) -> Int? {
    var end = ContainerEnd()
    let (position, isFound) = end.find(in: bytes, from: start, isLast: true)
    return isFound && !end.isTooDeep ? position : nil
  }
}
