import Platform

/// Something that the writer of a feature should know, and that is no reason to stop.
public struct StoreIssue: Sendable {
  /// What is wrong, and what to do.
  public var message: String
  /// Where the mistake was made, as far as it is known.
  public var place: SourcePlace?
}

/// Where a store tells of mistakes: standard error, unless a test kit puts another in its place.
///
/// ```swift
/// let store = Store(initialState: Counter.State()) {
///   Counter()
/// } withDependencies: {
///   $0.issueReporter = IssueReporter { issue in logger.warning("\(issue.message)") }
/// }
/// ```
public struct IssueReporter: Sendable {
  private let write: @Sendable (StoreIssue) -> Void

  /// Tells this of every issue.
  public init(_ write: @escaping @Sendable (StoreIssue) -> Void) {
    self.write = write
  }

  /// Tells of an issue; ``reportIssue(_:at:)`` finds the reporter by itself.
  public func callAsFunction(_ issue: StoreIssue) { write(issue) }
}

/// Tells the reporter that is in force here of a mistake.
public func reportIssue(
  _ message: @autoclosure () -> String, at place: SourcePlace? = nil
) {
  DependencyValues.current.issueReporter(StoreIssue(message: message(), place: place))
}

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

extension IssueReporter {
  /// Writes one line for each issue to standard error.
  public static let standardError = IssueReporter { issue in
    let place = issue.place.map { "\($0): " } ?? ""
    StandardError.write("\(place)\(issue.message)\n")
  }
}

enum StandardError {
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = WholeTransfer.write(UnsafeRawBufferPointer($0), to: 2) }
  }
}

private enum IssueReporterKey: DependencyKey {
  static let liveValue = IssueReporter.standardError
  static let testValue = IssueReporter.standardError
}

extension DependencyValues {
  /// Where issues are told.
  public var issueReporter: IssueReporter {
    get { self[IssueReporterKey.self] }
    set { self[IssueReporterKey.self] = newValue }
  }
}
