/// The reason why a text is not JSON, and where.
public struct ParseError: Error, Sendable, Hashable {
  /// The kind of mistake.
  public enum Problem: Sendable, Hashable {
    /// Something else is where `expected` should be.
    case expected(String, found: String)
    /// A control character that is not escaped.
    case unescapedControl(UInt8)
    /// A backslash before a letter that has no escape.
    case invalidEscape
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// Too many nested containers.
    case tooDeep(limit: Int)
    /// Too many bytes.
    case tooLarge(limit: Int)
    /// Too many values.
    case tooMany(limit: Int)
  }

  /// The mistake; ``what`` puts it in words.
  public var problem: Problem
  /// The byte of the text, from 0.
  public var offset: Int
  /// The line, from 1.
  public var line: Int
  /// The column in Unicode scalars, from 1.
  public var column: Int
  /// The JSON Pointer of the value being read; empty at the root.
  public var path: String
}

extension ParseError: CustomStringConvertible {
  /// The mistake in words, without its place.
  public var what: String {
    switch problem {
    case .expected(let wanted, let found): "expected \(wanted), found \(found)"
    case .unescapedControl(let byte):
      "control character 0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16)) in a string; "
        + "it must be written as an escape"
    case .invalidEscape: "unknown escape in a string"
    case .invalidUTF8: "bytes that are not UTF-8"
    case .tooDeep(let limit): "more than \(limit) arrays and objects inside one another"
    case .tooLarge(let limit): "the text has more than \(limit) bytes"
    case .tooMany(let limit): "the text has more than \(limit) values"
    }
  }

  /// The place: line, column, byte and path.
  public var place: String {
    "line \(line), column \(column) (byte \(offset))" + (path.isEmpty ? "" : ", at \(path)")
  }

  /// The words and the place, in one line.
  public var description: String { "\(what): \(place)" }
}

extension Parser {
  @inline(never)
  func expected(_ wanted: String) -> ParseError { error(.expected(wanted, found: foundHere)) }

  private var foundHere: String {
    guard position < end else { return "the end of the text" }
    let byte = position.pointee
    switch byte {
    case 0x21...0x7E: return String(UnicodeScalar(byte))
    case 0x20: return "a space"
    case 0x0A, 0x0D: return "a line end"
    case 0x80...: return "a character outside ASCII"
    default: return "byte 0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))"
    }
  }

  @inline(never)
  func error(_ problem: ParseError.Problem, at place: UnsafePointer<UInt8>? = nil) -> ParseError {
    let place = place ?? position
    let before = UnsafeBufferPointer(start: start, count: place - start)
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return ParseError(
      problem: problem, offset: before.count,
      line: 1 + before.count { $0 == 0x0A },
      column: 1 + before[lineStart...].count { $0 & 0xC0 != 0x80 },
      path: path)
  }

  private var path: String {
    var path = Pointer()
    let open = (outer + [current]).drop { $0.kind == .none }
    for (place, container) in open.enumerated() {
      let next = place + 1 < open.count ? open[open.startIndex + place + 1] : nil
      if container.kind == .array {
        path.tokens.append("\((next?.firstValue ?? values.count) - container.firstValue)")
      } else if let key = lastKey(of: container, before: next) {
        path.tokens.append(key)
      }
    }
    return path.description
  }

  private func lastKey(of object: OpenContainer, before next: OpenContainer?) -> String? {
    if object.place >= 0 { return trie.keys(to: object.place).last }
    let end = next?.firstKey ?? keys.count
    return end > object.firstKey ? keys[end - 1] : nil
  }
}
