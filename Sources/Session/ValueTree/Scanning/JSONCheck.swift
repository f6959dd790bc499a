extension ValueScanner {
  /// Whether the parser certainly reads the text, if it is UTF-8. Builds nothing; of text with many
  /// levels or values, only the parser can tell.
  package var isCertainlyJSON: Bool {
    guard bytes.count <= 1 << 22 else { return false }
    // A bit for each open container, the innermost lowest: whether it is an object.
    var (open, depth) = (UInt64(0), 0)
    var position = afterSpace(0)
    while true {
      guard position < bytes.count else { return false }
      let first = bytes[position]
      if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
        guard depth < UInt64.bitWidth else { return false }
        let isObject = first == UInt8(ascii: "{")
        (open, depth) = (open << 1 | (isObject ? 1 : 0), depth + 1)
        position = afterSpace(position + 1)
        // Both kinds end two letters behind their start.
        let isEmpty = position < bytes.count && bytes[position] == first + 2
        if !isEmpty {
          if isObject {
            guard let value = endOfCheckedKey(at: position) else { return false }
            position = value
          }
          continue
        }
      } else {
        guard let end = endOfCheckedScalar(at: position) else { return false }
        position = afterSpace(end)
      }
      // Behind a value, or at the end of an empty container.
      while true {
        guard depth > 0 else { return position == bytes.count }
        guard position < bytes.count else { return false }
        let isObject = open & 1 == 1
        if bytes[position] == UInt8(ascii: ",") {
          position = afterSpace(position + 1)
          if isObject {
            guard let value = endOfCheckedKey(at: position) else { return false }
            position = value
          }
          break
        }
        guard bytes[position] == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
          return false
        }
        (open, depth, position) = (open >> 1, depth - 1, afterSpace(position + 1))
      }
    }
  }

  /// The start of the member's value.
  @inline(__always)
  private func endOfCheckedKey(at start: Int) -> Int? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "\""),
      let end = endOfCheckedText(at: start)
    else { return nil }
    let colon = afterSpace(end)
    guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { return nil }
    return afterSpace(colon + 1)
  }

  @inline(__always)
  private func endOfCheckedScalar(at start: Int) -> Int? {
    switch bytes[start] {
    case UInt8(ascii: "\""): endOfCheckedText(at: start)
    case UInt8(ascii: "t"): end(of: "true", at: start)
    case UInt8(ascii: "f"): end(of: "false", at: start)
    case UInt8(ascii: "n"): end(of: "null", at: start)
    default: endOfCheckedNumber(at: start)
    }
  }

  @inline(__always)
  private func endOfCheckedText(at start: Int) -> Int? {
    guard let base = UnsafeRawPointer(bytes.baseAddress) else { return nil }
    var position = start + 1
    while position < bytes.count {
      if position + 8 <= bytes.count {
        let eight = (base + position).loadUnaligned(as: UInt64.self).littleEndian
        let passed = eight.endsOfText.trailingZeroBitCount >> 3
        position += passed
        if passed == 8 { continue }
      }
      switch bytes[position] {
      case UInt8(ascii: "\""): return position + 1
      case UInt8(ascii: "\\"):
        guard let end = endOfEscape(at: position + 1) else { return nil }
        position = end
      case 0..<0x20: return nil
      default: position += 1
      }
    }
    return nil
  }

  private func endOfEscape(at position: Int) -> Int? {
    guard position < bytes.count else { return nil }
    switch bytes[position] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return position + 1
    case UInt8(ascii: "u"):
      let digits = bytes[min(position + 1, bytes.count)..<min(position + 5, bytes.count)]
      return digits.count == 4 && digits.allSatisfy(\.isHexDigit) ? position + 5 : nil
    default: return nil
    }
  }

  @inline(__always)
  private func endOfCheckedNumber(at start: Int) -> Int? {
    var position = start
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    let first = position
    guard skipDigits(&position),
      bytes[first] != UInt8(ascii: "0") || position == first + 1
    else { return nil }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      guard skipDigits(&position) else { return nil }
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      let isSigned = position < bytes.count && (bytes[position] == 0x2B || bytes[position] == 0x2D)
      if isSigned { position += 1 }
      guard skipDigits(&position) else { return nil }
    }
    return position
  }

  /// False without a digit.
  @inline(__always)
  private func skipDigits(_ position: inout Int) -> Bool {
    let first = position
    while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    return position > first
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
