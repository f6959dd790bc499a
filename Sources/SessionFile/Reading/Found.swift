import ValueTree

/// Says in words what the first bytes of a file are that is no session.
struct Found: CustomStringConvertible {
  let description: String

  init(_ bytes: [UInt8]) {
    let start = bytes.prefix(512)
    if start.allSatisfy({ $0 == 0 }) {
      description = "the file begins with zero bytes"
    } else if start.starts(with: [0xEF, 0xBB, 0xBF]), HeaderLine.isBegunBy(start.dropFirst(3)) {
      description = "a byte order mark stands before the header; save it without one"
    } else if let name = Self.magic.first(where: { start.starts(with: $0.bytes) })?.name {
      description = "it looks like \(name)"
    } else if start.contains(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0D, 0x1B].contains($0) }) {
      description = "the file holds binary data"
    } else {
      description = "the first line is \(Self.quoted(start))"
    }
  }

  private static let magic: [(bytes: [UInt8], name: String)] = [
    ([0x1F, 0x8B], "a gzip archive; unpack it first"),
    ([0x50, 0x4B, 0x03, 0x04], "a zip archive; unpack it first"),
    ([0x28, 0xB5, 0x2F, 0xFD], "a zstd archive; unpack it first"),
    ([0xFF, 0xFE], "text in UTF-16"), ([0xFE, 0xFF], "text in UTF-16"),
  ]

  /// The start of the line in quotes, with nothing in it but printable ASCII.
  private static func quoted(_ bytes: some Collection<UInt8>) -> String {
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    let text = line.prefix(40).map { byte in
      (0x20...0x7E).contains(byte) ? String(UnicodeScalar(byte)) : "."
    }.joined()
    return line.isEmpty ? "empty" : "\"\(text)\(line.count > 40 ? "…" : "")\""
  }
}
