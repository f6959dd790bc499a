import StoreCore

extension SourcePlace: Equatable {
  /// The place of a line of a test; which column it was does not matter there.
  init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt) {
    self.init(fileID: fileID, filePath: filePath, line: line, column: 1)
  }

  /// The same line and column of the same file.
  public static func == (left: SourcePlace, right: SourcePlace) -> Bool {
    left.line == right.line && left.column == right.column
      && "\(left.filePath)" == "\(right.filePath)"
  }

  /// `CartTests.swift:12`
  var short: String {
    let file = "\(filePath)".split(separator: "/").last.map(String.init) ?? "\(filePath)"
    return "\(file):\(line)"
  }
}
