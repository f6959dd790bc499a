import Platform

/// Redux DevTools puts JSON inside a JSON string. This writes what the string says into a file that
/// has no name, a piece at a time, so that it can be walked like any other.
struct UnescapedText {
  private let source: FileBytes
  private let range: Range<Int>
  private let target: Int32
  private var pending: [UInt8] = []

  /// The text of the string that stands in this range with its quotes.
  static func file(of range: Range<Int>, in source: FileBytes) throws -> FileBytes {
    var template = Array("\(temporaryFolder)/retcon-import-XXXXXX".utf8CString)
    let target = mkstemp(&template)
    guard target >= 0 else {
      throw ImportError.system("a temporary file cannot be made", path: source.path)
    }
    unlink(template)
    var text = UnescapedText(source: source, range: range, target: target)
    do {
      try text.unescape()
    } catch {
      close(target)
      throw error
    }
    return try FileBytes(descriptor: target, path: source.path)
  }

  /// How the text begins of a file that is one string, told by its first bytes; nil of another file.
  static func start(of bytes: [UInt8]) -> [UInt8]? {
    guard bytes.first == UInt8(ascii: "\"") else { return nil }
    return bytes.dropFirst().filter { $0 != UInt8(ascii: "\\") }
  }

  private init(source: FileBytes, range: Range<Int>, target: Int32) {
    self.source = source
    self.range = range
    self.target = target
  }

  private mutating func unescape() throws {
    var offset = range.lowerBound + 1
    let end = range.upperBound - 1
    while offset < end {
      let part = try source.withWindow(at: offset) { window in
        Array(window.prefix(end - offset).prefix { $0 != UInt8(ascii: "\\") })
      }
      pending += part
      offset += part.count
      if offset < end, try source.byte(at: offset) == UInt8(ascii: "\\") {
        offset += try unescapeOne(at: offset)
      }
      if pending.count > 1 << 16 { try flush() }
    }
    try flush()
  }

  /// Takes one escape and returns its length.
  private mutating func unescapeOne(at offset: Int) throws -> Int {
    let letter = try source.byte(at: offset + 1)
    switch letter {
    case UInt8(ascii: "n"): pending.append(0x0A)
    case UInt8(ascii: "t"): pending.append(0x09)
    case UInt8(ascii: "r"): pending.append(0x0D)
    case UInt8(ascii: "b"): pending.append(0x08)
    case UInt8(ascii: "f"): pending.append(0x0C)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): pending.append(letter ?? 0)
    case UInt8(ascii: "u"): return try unescapeUnicode(at: offset)
    default:
      throw ImportError.syntax(
        "unknown escape in a string", path: source.path, offset: offset)
    }
    return 2
  }

  private mutating func unescapeUnicode(at offset: Int) throws -> Int {
    let unit = try codeUnit(at: offset)
    if UTF16.isLeadSurrogate(unit), let trail = try? codeUnit(at: offset + 6),
      UTF16.isTrailSurrogate(trail)
    {
      pending += String(decoding: [unit, trail], as: UTF16.self).utf8
      return 12
    }
    pending += String(decoding: [unit], as: UTF16.self).utf8
    return 6
  }

  private func codeUnit(at offset: Int) throws -> UInt16 {
    let digits = try source.bytes(offset..<min(offset + 6, range.upperBound - 1))
    guard digits.count == 6, digits[0] == UInt8(ascii: "\\"), digits[1] == UInt8(ascii: "u"),
      let unit = UInt16(String(decoding: digits[2...], as: UTF8.self), radix: 16)
    else {
      throw ImportError.syntax(
        "unknown escape in a string", path: source.path, offset: offset)
    }
    return unit
  }

  private mutating func flush() throws {
    guard pending.withUnsafeBytes({ WholeTransfer.write($0, to: target) }) else {
      throw ImportError.system("the temporary copy cannot be written", path: source.path)
    }
    pending.removeAll(keepingCapacity: true)
  }
}
