/// A place in somebody's source code.
public struct SourcePlace: Sendable {
  /// Module and file: `Shop/Cart.swift`.
  public var fileID: StaticString
  /// The whole path, as the compiler was given it.
  public var filePath: StaticString
  /// Counted from 1.
  public var line: UInt
  /// Counted from 1.
  public var column: UInt

  /// The place where this is written, unless said otherwise.
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }
}

extension SourcePlace: CustomStringConvertible {
  /// `Shop/Cart.swift:12`
  public var description: String { "\(fileID):\(line)" }
}
