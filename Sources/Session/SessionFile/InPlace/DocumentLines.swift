import Platform
import SessionWords
import ValueTree

/// The lines made of the steps of a document, which is one JSON value.
///
/// It holds only the places of each line's parts: 16 bytes a part.
package struct DocumentLines: Sendable {
  /// Where each part begins in the text of all lines, and in the file.
  private var starts = ChunkedList()
  private var sources = ChunkedList()
  /// Bytes that the file does not hold.
  private var made: [UInt8] = []
  package private(set) var size = 0
  /// The document's facts about all steps.
  package var facts: Value = .null

  package init() {}

  /// The key before a part. `members` are those of an object, without its braces.
  package enum Role: UInt8 {
    case members, action, state, label, entry, computed, event

    fileprivate var key: StaticString {
      switch self {
      case .members: ""
      case .action: #""action":"#
      case .state: #""@state":"#
      case .label: #""@label":"#
      case .entry: #""@entry":"#
      case .computed: #""@computed":"#
      case .event: #""@event":"#
      }
    }
  }

  package struct Part {
    var role: Role
    var range: Range<Int>
    var isMade = false

    package init(_ role: Role, _ range: Range<Int>) { (self.role, self.range) = (role, range) }
  }

  /// A part that is not in the file.
  package mutating func make(_ role: Role, _ bytes: some Collection<UInt8>) -> Part {
    made.append(contentsOf: bytes)
    var part = Part(role, made.count - bytes.count..<made.count)
    part.isMade = true
    return part
  }

  package mutating func addLine(_ parts: [Part]) {
    let parts = parts.isEmpty ? [Part(.members, 0..<0)] : parts
    for (index, part) in parts.enumerated() {
      let piece = Piece(part, isFirst: index == 0, isLast: index == parts.count - 1)
      starts.append(UInt64(size))
      sources.append(piece.source)
      size += piece.overhead + part.range.count
    }
  }

  /// A part with the bytes before and behind it.
  struct Piece {
    let source: UInt64

    fileprivate init(_ part: Part, isFirst: Bool, isLast: Bool) {
      source =
        UInt64(part.range.lowerBound) << 8 | UInt64(part.role.rawValue) << 3
        | (part.isMade ? 4 : 0) | (isFirst ? 2 : 0) | (isLast ? 1 : 0)
    }

    fileprivate init(_ source: UInt64) { self.source = source }

    var offset: Int { Int(source >> 8) }
    var isMade: Bool { source & 4 != 0 }
    var before: UInt8 { source & 2 != 0 ? UInt8(ascii: "{") : UInt8(ascii: ",") }
    var key: StaticString { (Role(rawValue: UInt8(source >> 3 & 31)) ?? .members).key }
    var isLast: Bool { source & 1 != 0 }
    var overhead: Int { 1 + key.utf8CodeUnitCount + (isLast ? 2 : 0) }
  }

  /// The piece at an offset of the text, with the place of its parts' bytes.
  func piece(at offset: Int) -> (piece: Piece, start: Int, length: Int, index: Int) {
    piece(starts.firstIndex(notBelow: UInt64(offset) + 1) - 1)
  }

  func piece(_ index: Int) -> (piece: Piece, start: Int, length: Int, index: Int) {
    let start = Int(starts[index])
    let piece = Piece(sources[index])
    let end = index + 1 < starts.count ? Int(starts[index + 1]) : size
    return (piece, start, end - start - piece.overhead, index)
  }

  func madeBytes(_ range: Range<Int>) -> ArraySlice<UInt8> { made[range] }
}

extension DocumentLines {
  func write(to words: inout WordWriter) throws(SessionError) {
    try words.add([UInt64(size)])
    for bytes in [made, facts.bytes()] { try words.add(bytes) }
    for list in [starts, sources] { try words.add(list) }
  }

  init?(_ words: inout WordReader) {
    guard let size = words.list()?.first.flatMap({ Int(exactly: $0) }), let made = words.bytes(),
      let facts = words.bytes(),
      let value = try? Value(parsing: facts), let starts = words.list(), let sources = words.list(),
      starts.count == sources.count
    else { return nil }
    (self.size, self.made, self.facts) = (size, made, value)
    (self.starts, self.sources) = (starts, sources)
    for index in 0..<starts.count {
      let (piece, start, length, _) = piece(index)
      guard index > 0 || start == 0, length >= 0,
        !piece.isMade || piece.offset + length <= made.count
      else { return nil }
    }
  }
}
