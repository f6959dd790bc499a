import Platform
import ValueTree

/// Redux DevTools puts JSON inside a JSON string. This unescapes it piece by piece into a nameless
/// file, to be walked like any other.
struct UnescapedText {
  private let source: FileBytes
  private let target: Int32
  private var pending: [UInt8] = []

  static func file(of range: Range<Int>, in source: FileBytes) throws -> FileBytes {
    try file(from: source) { try $0.add(range, unescaped: true) }
  }

  /// An object with these members, with `texts` unescaped.
  static func file(
    of members: [String: Range<Int>], texts: Set<String>, in source: FileBytes
  ) throws -> FileBytes {
    try file(from: source) { text in
      var separator = "{"
      for (key, range) in members.sorted(by: { $0.value.lowerBound < $1.value.lowerBound }) {
        text.pending += "\(separator)\(Value.string(key).text()):".utf8
        try text.add(range, unescaped: texts.contains(key))
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

  private mutating func add(_ range: Range<Int>, unescaped: Bool) throws {
    // The range of a text includes its quotes.
    let range = unescaped ? range.lowerBound + 1..<range.upperBound - 1 : range
    let quote = [UInt8(ascii: "\"")]
    var offset = range.lowerBound
    while offset < range.upperBound {
      let piece = try source.bytes(offset..<min(offset + Self.piece, range.upperBound))
      let isLast = offset + piece.count == range.upperBound
      let count = unescaped && !isLast ? Self.whole(piece) : piece.count
      if unescaped {
        let text = try source.value(of: quote + piece[..<count] + quote, at: offset - 1).string
        pending += (text ?? "").utf8
      } else {
        pending += piece
      }
      offset += count
      try flush()
    }
  }

  private static let piece = 1 << 16

  /// The bytes of a piece without an escape, a pair of them or a character that it does not hold whole.
  private static func whole(_ piece: [UInt8]) -> Int {
    let slash = UInt8(ascii: "\\")
    var end = 0
    // The last escape, if another one may belong to it.
    var first: Int?
    while let escape = piece[end...].firstIndex(of: slash) {
      guard escape + 6 <= piece.count else { return first == escape - 6 ? escape - 6 : escape }
      let isFirst =
        piece[escape + 1] == UInt8(ascii: "u") && piece[escape + 2] | 0x20 == UInt8(ascii: "d")
        && "89ab".utf8.contains(piece[escape + 3] | 0x20)
      first = isFirst ? escape : nil
      end = escape + 2
    }
    if first == piece.count - 6 { return piece.count - 6 }
    let last = piece.lastIndex { $0 & 0xC0 != 0x80 } ?? 0
    return piece[last] < 0x80 ? piece.count : last
  }

  private mutating func flush() throws {
    guard pending.withUnsafeBytes({ WholeTransfer.write($0, to: target) }) else {
      throw ImportError.system("the temporary copy cannot be written", path: source.path)
    }
    pending.removeAll(keepingCapacity: true)
  }
}
