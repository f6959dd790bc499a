/// The files of a session, seen as one: the parts of a rotated recording follow one another.
struct PartList: Sendable {
  private(set) var parts: [Part] = []

  struct Part: Sendable {
    var file: PartFile
    /// Where the part begins in the whole.
    var base: Int
    /// How many bytes of it are known.
    var size: Int
    /// How many lines the parts before it have.
    var linesBefore: Int
  }

  var end: Int { parts.last.map { $0.base + $0.size } ?? 0 }

  mutating func append(_ file: PartFile, size: Int, linesBefore: Int) {
    parts.append(Part(file: file, base: end, size: size, linesBefore: linesBefore))
  }

  mutating func growLast(to size: Int) { parts[parts.count - 1].size = size }

  func part(holding offset: Int) -> Part {
    parts.last { $0.base <= offset } ?? parts[0]
  }

  /// The bytes of a range that lies in one part.
  func bytes(_ range: Range<Int>) throws(SessionError) -> [UInt8] {
    let part = part(holding: range.lowerBound)
    let bytes = try part.file.bytes(at: range.lowerBound - part.base, count: range.count)
    guard bytes.count == range.count else { throw SessionError(.changed, path: part.file.path) }
    return bytes
  }
}
