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
