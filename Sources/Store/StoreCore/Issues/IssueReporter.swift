import Platform

/// A mistake in a feature that does not stop it.
public struct StoreIssue: Sendable {
  /// The mistake, and what to do.
  public var message: String
  /// The place of the mistake, if known.
  public var place: SourcePlace?
}

/// The destination of issues: standard error, unless a test kit replaces it.
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

  /// Creates a reporter from a closure.
  public init(_ write: @escaping @Sendable (StoreIssue) -> Void) {
    self.write = write
  }

  /// Reports an issue; ``reportIssue(_:at:)`` finds the current reporter.
  public func callAsFunction(_ issue: StoreIssue) { write(issue) }
}

/// Reports a mistake to the current reporter.
public func reportIssue(
  _ message: @autoclosure () -> String, at place: SourcePlace? = nil
) {
  DependencyValues.current.issueReporter(StoreIssue(message: message(), place: place))
}

/// A place in source code.
public struct SourcePlace: Sendable {
  /// Module and file: `Shop/Cart.swift`.
  public var fileID: StaticString
  /// The whole path.
  public var filePath: StaticString
  /// The line, from 1.
  public var line: UInt
  /// The column, from 1.
  public var column: UInt

  /// Creates a place, by default that of the call.
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
  /// Writes each issue as one line to standard error.
  public static let standardError = IssueReporter { issue in
    let place = issue.place.map { "\($0): " } ?? ""
    WholeTransfer.write("\(place)\(issue.message)\n", to: 2)
  }
}

private enum IssueReporterKey: DependencyKey {
  static let liveValue = IssueReporter.standardError
  static let testValue = IssueReporter.standardError
}

extension DependencyValues {
  /// The destination of issues.
  public var issueReporter: IssueReporter {
    get { self[IssueReporterKey.self] }
    set { self[IssueReporterKey.self] = newValue }
  }
}
