import Platform
import StoreCore

/// What a test still has to look at when it ends: calls that never came, effects that still run.
///
/// Each check runs once, whoever asks first: the end of the test, `finish()`, or the release of
/// the thing that is checked.
final class EndChecks: Sendable {
  /// One thing to check; repeating it does nothing.
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

  /// Mistakes fail the test at the place where they were made.
  static let issueReporter = IssueReporter { issue in
    let place = issue.place ?? SourcePlace("Unknown/Unknown.swift", "Unknown.swift", 1)
    FailureReporter.current.report(Failure(issue.message, place: place))
  }
}

/// Runs `body` and then checks everything that was left open in it: call counts that were not
/// reached, and test stores with received actions or running effects. Mistakes that stores notice
/// inside, such as a dependency without a test value, fail the test, too.
///
/// In Swift Testing the trait ``Testing/Trait/checkedAtEnd`` does this for a test or a suite, in
/// XCTest the base class ``CheckedTestCase``.
public func checkedAtEnd<Result>(_ body: () throws -> Result) rethrows -> Result {
  let checks = EndChecks()
  defer { checks.run() }
  return try withDependencies {
    $0.issueReporter = EndChecks.issueReporter
  } operation: {
    try EndChecks.$current.withValue(checks, operation: body)
  }
}

/// Runs `body` and then checks everything that was left open in it.
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
