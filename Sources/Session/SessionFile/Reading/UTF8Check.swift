extension UnsafeBufferPointer<UInt8> {
  /// Whether the parser takes all bytes as text. Most are ASCII, which 32 bytes tell at once.
  package var isUTF8: Bool {
    guard let base = UnsafeRawPointer(baseAddress) else { return true }
    var position = 0
    while position < count {
      if self[position] >= 0x80 {
        guard let end = endOfCharacter(at: position) else { return false }
        position = end
        continue
      }
      while position + 32 <= count, (base + position).areASCII(upTo: 32) { position += 32 }
      while position + 8 <= count, (base + position).areASCII(upTo: 8) { position += 8 }
      while position < count, self[position] < 0x80 { position += 1 }
    }
    return true
  }

  /// The end of a character of several bytes; nil if the Unicode Standard, table 3-7, lacks it.
  @inline(__always)
  private func endOfCharacter(at start: Int) -> Int? {
    let (first, rest) = (self[start], count - start)
    guard rest > 1 else { return nil }
    let second = self[start + 1]
    switch first {
    case 0xC2...0xDF: return second.continuesCharacter ? start + 2 : nil
    case 0xE0...0xEF:
      let isAllowed =
        switch first {
        case 0xE0: second >= 0xA0
        case 0xED: second < 0xA0
        default: true
        }
      guard isAllowed, second.continuesCharacter, rest > 2, self[start + 2].continuesCharacter
      else { return nil }
      return start + 3
    case 0xF0...0xF4:
      let isAllowed =
        switch first {
        case 0xF0: second >= 0x90
        case 0xF4: second < 0x90
        default: true
        }
      guard isAllowed, second.continuesCharacter, rest > 3, self[start + 2].continuesCharacter,
        self[start + 3].continuesCharacter
      else { return nil }
      return start + 4
    default: return nil
    }
  }
}

extension UInt8 {
  fileprivate var continuesCharacter: Bool { self & 0xC0 == 0x80 }
}

extension UnsafeRawPointer {
  @inline(__always)
  fileprivate func areASCII(upTo end: Int) -> Bool {
    var bits: UInt64 = 0
    for offset in stride(from: 0, to: end, by: 8) {
      bits |= loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }
}
