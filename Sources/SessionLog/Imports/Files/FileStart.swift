import ValueTree

/// What the first bytes of a file tell about it.
enum FileStart: Equatable {
  /// A JSON object; the keys that could be seen, in order.
  case object(keys: [String])
  /// A JSON array; the first byte of its first element, or its closing bracket.
  case array(first: UInt8)
  case other

  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    rest = rest.drop(while: Self.isBlank)
    switch rest.popFirst() {
    case UInt8(ascii: "["):
      self = rest.drop(while: Self.isBlank).first.map { .array(first: $0) } ?? .other
    case UInt8(ascii: "{"):
      self = .object(keys: Self.firstKey(rest).map { [$0] } ?? [])
    default: self = .other
    }
  }

  private static func firstKey(_ bytes: ArraySlice<UInt8>) -> String? {
    let rest = bytes.drop(while: isBlank)
    guard rest.first == UInt8(ascii: "\"") else { return nil }
    return String(
      decoding: rest.dropFirst().prefix { $0 != UInt8(ascii: "\"") }.prefix(256), as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
