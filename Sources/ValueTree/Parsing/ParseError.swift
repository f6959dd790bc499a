/// Why a text is not a JSON value, and the place where that shows.
public struct ParseError: Error, Sendable, Hashable {
  public enum Problem: Sendable, Hashable {
    /// Something else stands where the named thing must stand.
    case expected(String, found: String)
    case unescapedControl(UInt8)
    case invalidEscape
    case invalidUTF8
    case tooDeep(limit: Int)
    case tooLarge(limit: Int)
  }

  public var problem: Problem
  /// The byte of the text, counted from 0.
  public var offset: Int
  /// Counted from 1.
  public var line: Int
  /// Counted from 1, in Unicode scalars.
  public var column: Int
  /// The JSON Pointer of the value that was being read; empty at the root.
  public var path: String

  public init(problem: Problem, offset: Int, line: Int, column: Int, path: String) {
    self.problem = problem
    self.offset = offset
    self.line = line
    self.column = column
    self.path = path
  }
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

  public var description: String { "\(what): \(place)" }
}
