import Platform
import ValueTree

/// Redux DevTools puts JSON inside a JSON string. This unescapes it piece by piece into a nameless
/// file, to be walked like any other.
struct UnescapedText {
  private let source: FileBytes
  private let target: Int32
  private var pending: [UInt8] = []

  static func file(of range: Range<Int>, in source: FileBytes) throws -> FileBytes {
    try file(from: source) { try $0.unescape(range) }
  }

  /// An object with these members, with `texts` unescaped.
  static func file(
    of members: [String: Range<Int>], texts: Set<String>, in source: FileBytes
  ) throws -> FileBytes {
    try file(from: source) { text in
      var separator = "{"
      for (key, range) in members.sorted(by: { $0.value.lowerBound < $1.value.lowerBound }) {
        text.pending += "\(separator)\(Value.string(key).text()):".utf8
        if texts.contains(key) { try text.unescape(range) } else { try text.copy(range) }
        separator = ","
      }
      text.pending += "}".utf8
    }
  }

  private static func file(
    from source: FileBytes, write: (inout UnescapedText) throws -> Void
  ) throws -> FileBytes {
    var template = Array("\(temporaryFolder)/retcon-import-XXXXXX".utf8CString)
    let target = mkstemp(&template)
    guard target >= 0 else {
      throw ImportError.system("a temporary file cannot be made", path: source.path)
    }
    unlink(template)
    var text = UnescapedText(source: source, target: target)
    do {
      try write(&text)
      try text.flush()
    } catch {
      close(target)
      throw error
    }
    return try FileBytes(descriptor: target, path: source.path)
  }

  /// The first text of a file that is one string; nil for other files.
  static func start(of bytes: [UInt8]) -> [UInt8]? {
    guard bytes.first == UInt8(ascii: "\"") else { return nil }
    return bytes.dropFirst().filter { $0 != UInt8(ascii: "\\") }
  }

  private init(source: FileBytes, target: Int32) {
    self.source = source
    self.target = target
  }

  private mutating func copy(_ range: Range<Int>) throws {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let part = try source.withWindow(at: offset) { Array($0.prefix(range.upperBound - offset)) }
      pending += part
      offset += part.count
      try flush()
    }
  }

  private mutating func unescape(_ range: Range<Int>) throws {
    var offset = range.lowerBound + 1
    let end = range.upperBound - 1
    while offset < end {
      offset += try source.withWindow(at: offset) { window in
        let window = UnsafeBufferPointer(rebasing: window.prefix(end - offset))
        var position = 0
        while position < window.count {
          let start = position
          while position < window.count, window[position] != UInt8(ascii: "\\") { position += 1 }
          pending.append(contentsOf: UnsafeBufferPointer(rebasing: window[start..<position]))
          guard position + 1 < window.count, let byte = Self.plain(window[position + 1]) else {
            break
          }
          pending.append(byte)
          position += 2
        }
        return position
      }
      if offset < end, try source.byte(at: offset) == UInt8(ascii: "\\") {
        offset += try unescapeOne(at: offset, before: end)
      }
      if pending.count > 1 << 16 { try flush() }
    }
  }

  /// The byte that an escape of one letter means.
  private static func plain(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    default: nil
    }
  }

  private mutating func unescapeOne(at offset: Int, before end: Int) throws -> Int {
    let letter = try source.byte(at: offset + 1)
    if letter == UInt8(ascii: "u") { return try unescapeUnicode(at: offset, before: end) }
    guard let byte = letter.flatMap(Self.plain) else {
      throw ImportError.syntax("unknown escape in a string", path: source.path, offset: offset)
    }
    pending.append(byte)
    return 2
  }

  private mutating func unescapeUnicode(at offset: Int, before end: Int) throws -> Int {
    let unit = try codeUnit(at: offset, before: end)
    if UTF16.isLeadSurrogate(unit), let trail = try? codeUnit(at: offset + 6, before: end),
      UTF16.isTrailSurrogate(trail)
    {
      pending += String(decoding: [unit, trail], as: UTF16.self).utf8
      return 12
    }
    pending += String(decoding: [unit], as: UTF16.self).utf8
    return 6
  }

  private func codeUnit(at offset: Int, before end: Int) throws -> UInt16 {
    let digits = try source.bytes(offset..<max(offset, min(offset + 6, end)))
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
