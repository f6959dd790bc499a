/// Why a text is not a JSON value, and the place where that shows.
public struct ParseError: Error, Sendable, Hashable {
  /// What stands where it must not, or is missing.
  public enum Problem: Sendable, Hashable {
    /// Something else stands where the named thing must stand.
    case expected(String, found: String)
    /// A control character that is not written as an escape.
    case unescapedControl(UInt8)
    /// A backslash before a letter that means nothing there.
    case invalidEscape
    /// Bytes that are no text.
    case invalidUTF8
    /// More containers inside one another than allowed.
    case tooDeep(limit: Int)
    /// More bytes than allowed.
    case tooLarge(limit: Int)
  }

  /// What is wrong; ``what`` says it in words.
  public var problem: Problem
  /// The byte of the text, counted from 0.
  public var offset: Int
  /// Counted from 1.
  public var line: Int
  /// Counted from 1, in Unicode scalars.
  public var column: Int
  /// The JSON Pointer of the value that was being read; empty at the root.
  public var path: String
}

extension ParseError: CustomStringConvertible {
  /// What is wrong, without the place.
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

  /// The pointer of the place where the parser stands.
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
