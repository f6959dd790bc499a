import Platform

/// Looks into JSON text without building a tree.
///
/// ```swift
/// line.withUnsafeBufferPointer { bytes in
///   let scanner = ValueScanner(bytes)
///   let range = scanner.range(of: ["action", "id"])  // the bytes of that value, or nil
/// }
/// ```
///
/// It trusts the text to be JSON and checks only what it stands on: in text that is none it may find a
/// range where parsing would fail, but never leaves the bytes, and takes
/// time in proportion to them.
package struct ValueScanner {
  package let bytes: UnsafeBufferPointer<UInt8>

  package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The bytes of the value that begins at or after `offset`, without the space around it; nil when
  /// none begins there or the text ends inside it.
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

  /// The bytes of the value at a path of keys and indices, from the value at `offset` on. Where a key
  /// comes twice the last one counts, as in parsing.
  package func range(of path: some Sequence<String>, from offset: Int = 0) -> Range<Int>? {
    guard var found = value(from: offset) else { return nil }
    for token in path {
      var next: Range<Int>?
      switch bytes[found.lowerBound] {
      case UInt8(ascii: "{"):
        members(from: found.lowerBound) { key, value in
          if self.key(key, is: token) { next = value }
          return true
        }
      case UInt8(ascii: "["):
        guard let index = Pointer.index(token) else { return nil }
        var count = 0
        elements(from: found.lowerBound) { value in
          if count == index { next = value }
          count += 1
          return count <= index
        }
      default: return nil
      }
      guard let next else { return nil }
      found = next
    }
    return found
  }

  /// Calls `body` with the key (quotes included) and the value of each member of the object that
  /// begins at `offset`, until it returns false. True when the whole object was seen.
  @discardableResult
  package func members(from offset: Int, _ body: (Range<Int>, Range<Int>) -> Bool) -> Bool {
    children(from: offset, open: UInt8(ascii: "{"), close: UInt8(ascii: "}")) { position in
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\""),
        let keyEnd = stringEnd(position)
      else { return nil }
      let colon = afterSpace(keyEnd)
      guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":"),
        let value = value(from: colon + 1)
      else { return nil }
      return (value.upperBound, body(position..<keyEnd, value))
    }
  }

  /// Calls `body` with each element of the array that begins at `offset`, until it returns false.
  /// True when the whole array was seen.
  @discardableResult
  package func elements(from offset: Int, _ body: (Range<Int>) -> Bool) -> Bool {
    children(from: offset, open: UInt8(ascii: "["), close: UInt8(ascii: "]")) { position in
      value(from: position).map { ($0.upperBound, body($0)) }
    }
  }

  /// Whether these bytes are this text.
  package func text(_ range: Range<Int>, is text: String) -> Bool {
    range.count == text.utf8.count && bytes[range].elementsEqual(text.utf8)
  }

  /// Whether the key with these bytes (quotes included) is this text.
  package func key(_ range: Range<Int>, is text: String) -> Bool {
    let inner = range.dropFirst().dropLast()
    guard bytes[inner].contains(UInt8(ascii: "\\")) else { return self.text(inner, is: text) }
    guard case .string(let key)? = try? Value(parsing: bytes[range]) else { return false }
    return key.isExactly(text)
  }
}

extension ValueScanner {
  private func children(
    from offset: Int, open: UInt8, close: UInt8, _ child: (Int) -> (end: Int, goOn: Bool)?
  ) -> Bool {
    var position = afterSpace(offset)
    guard position < bytes.count, bytes[position] == open else { return false }
    position = afterSpace(position + 1)
    if position < bytes.count, bytes[position] == close { return true }
    while let (end, goOn) = child(position), goOn {
      position = afterSpace(end)
      guard position < bytes.count else { return false }
      if bytes[position] == close { return true }
      guard bytes[position] == UInt8(ascii: ",") else { return false }
      position = afterSpace(position + 1)
    }
    return false
  }

  private func afterSpace(_ offset: Int) -> Int {
    var position = max(offset, 0)
    while position < bytes.count, bytes[position] <= 0x20, Self.isSpace(bytes[position]) {
      position += 1
    }
    return position
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
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

  /// The place after the closing quote of the string that begins at `start`.
  private func stringEnd(_ start: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var position = start + 1
    while position < bytes.count,
      let quote = memchr(base + position, 0x22, bytes.count - position)
    {
      let end = UnsafeRawPointer(quote) - UnsafeRawPointer(base)
      var backslashes = end
      while backslashes > position, bytes[backslashes - 1] == 0x5C { backslashes -= 1 }
      if (end - backslashes).isMultiple(of: 2) { return end + 1 }
      position = end + 1
    }
    return nil
  }

  /// The place after the bracket that closes the container that begins at `start`.
  private func containerEnd(_ start: Int) -> Int? {
    var depth = 0
    var position = start
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        guard let end = stringEnd(position) else { return nil }
        position = end
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return position + 1 }
      default: break
      }
      position += 1
    }
    return nil
  }
}
