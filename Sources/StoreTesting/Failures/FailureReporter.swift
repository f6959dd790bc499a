/// Where failures go: to the framework that runs the test, or to a place of your own.
///
/// ```swift
/// let reporter = FailureReporter { failure in print(failure.place, failure.message) }
/// expectReflectivelyEqual(expected, menu, reporter: reporter)
/// ```
public struct FailureReporter: Sendable {
  private let receive: @Sendable (Failure) -> Void
  /// Whether a failure that XCTest itself found is expected here.
  let isExpected: @Sendable (String) -> Bool

  /// Tells this of every failure.
  public init(_ receive: @escaping @Sendable (Failure) -> Void) {
    self.init(isExpected: { _ in false }, receive)
  }

  init(
    isExpected: @escaping @Sendable (String) -> Bool,
    _ receive: @escaping @Sendable (Failure) -> Void
  ) {
    self.isExpected = isExpected
    self.receive = receive
  }

  /// Tells of a failure.
  public func report(_ failure: Failure) {
    receive(failure)
  }

  /// To Swift Testing or XCTest, whichever runs the test.
  public static let testFramework = FailureReporter(TestFrameworks.record)

  /// The one in force here: the test framework's, unless something around this code collects.
  public static var current: FailureReporter { innermost ?? testFramework }

  @TaskLocal static var innermost: FailureReporter?
}
