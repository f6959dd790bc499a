import StoreCore

/// Keeps the issues that a store reports.
final class IssueLog: Sendable {
  private let issues = LockedBox<[StoreIssue]>([])

  var reporter: IssueReporter {
    IssueReporter { issue in self.issues.withValue { $0.append(issue) } }
  }

  var messages: [String] { issues.withValue { $0.map(\.message) } }
  var places: [String] { issues.withValue { $0.map { $0.place.map { "\($0)" } ?? "" } } }
}
