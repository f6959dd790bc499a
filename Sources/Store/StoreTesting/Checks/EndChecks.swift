import Platform
import StoreCore

/// The checks at a test's end: missing calls, running effects.
///
/// Each runs once: at the end of the test, at `finish()`, or on release of the checked object.
final class EndChecks: Sendable {
  protocol Check: AnyObject, Sendable {
    func checkAtEnd()
  }

  private let checks = Locked<[any Check]>([])

  @TaskLocal static var current: EndChecks?

  func add(_ check: any Check) {
    checks.withLock { $0.append(check) }
  }

  func run() {
    for check in checks.withLock({ exchange(&$0, with: []) }) { check.checkAtEnd() }
  }

  static let issueReporter = IssueReporter { issue in
    let place = issue.place ?? SourcePlace("Unknown/Unknown.swift", "Unknown.swift", 1)
    FailureReporter.current.report(Failure(issue.message, place: place))
  }
}

/// Runs `body`, then checks all that it left open: missing calls, and test stores with received
/// actions or running effects. Store issues inside, such as a dependency without a test value, also
/// fail the test.
///
/// In Swift Testing use the trait `@Test(.checkedAtEnd)`, in XCTest the base class
/// ``CheckedTestCase``.
public func checkedAtEnd<Result>(_ body: () throws -> Result) rethrows -> Result {
  let checks = EndChecks()
  defer { checks.run() }
  return try withDependencies {
    $0.issueReporter = EndChecks.issueReporter
  } operation: {
    try EndChecks.$current.withValue(checks, operation: body)
  }
}

/// Runs `body`, then checks all that it left open.
public func checkedAtEnd<Result>(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
  let checks = EndChecks()
  defer { checks.run() }
  return try await withDependencies {
    $0.issueReporter = EndChecks.issueReporter
  } operation: {
    try await EndChecks.$current.withValue(checks, operation: body)
  }
}
