import Platform
import StoreCore

/// Keeps the issues that a store reports.
final class IssueLog: Sendable {
  private let issues = Locked<[StoreIssue]>([])

  var reporter: IssueReporter {
    IssueReporter { issue in self.issues.withLock { $0.append(issue) } }
  }

  var messages: [String] { issues.withLock { $0.map(\.message) } }
  var places: [String] { issues.withLock { $0.map { $0.place.map { "\($0)" } ?? "" } } }
}
