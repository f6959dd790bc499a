/// A place in somebody's source code.
public struct SourcePlace: Sendable {
  public var fileID: StaticString
  public var filePath: StaticString
  public var line: UInt
  public var column: UInt

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
  public var description: String { "\(fileID):\(line)" }
}
