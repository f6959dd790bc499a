/// The file and line of a test at which something is expected, and at which it fails.
public struct SourcePlace: Sendable, Equatable, CustomStringConvertible {
  public var file: StaticString
  public var line: UInt

  public init(file: StaticString = #filePath, line: UInt = #line) {
    self.file = file
    self.line = line
  }

  public static func == (left: SourcePlace, right: SourcePlace) -> Bool {
    left.line == right.line && "\(left.file)" == "\(right.file)"
  }

  /// `CartTests.swift:12`
  public var description: String { "\(fileName):\(line)" }

  var fileName: String {
    "\(file)".split(separator: "/").last.map(String.init) ?? "\(file)"
  }

  /// The folder above the file: the name of the module in a package laid out as usual.
  var folderName: String {
    let folders = "\(file)".split(separator: "/").dropLast()
    return folders.last.map(String.init) ?? "Tests"
  }
}
