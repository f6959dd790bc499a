import StoreCore

/// The destination of failures: the test framework, or your own.
///
/// ```swift
/// let reporter = FailureReporter { failure in print(failure.place, failure.message) }
/// expectReflectivelyEqual(expected, menu, reporter: reporter)
/// ```
public struct FailureReporter: Sendable {
  private let receive: @Sendable (Failure) -> Void
  /// Whether a failure found by XCTest is expected here.
  var isExpected: @Sendable (String) -> Bool = { _ in false }

  /// Creates a reporter from a closure.
  public init(_ receive: @escaping @Sendable (Failure) -> Void) { self.receive = receive }

  /// Reports a failure.
  public func report(_ failure: Failure) {
    receive(failure)
  }

  /// Swift Testing or XCTest, whichever runs the test.
  public static let testFramework = FailureReporter(TestFrameworks.record)

  /// The current reporter: the test framework's, unless the surrounding code collects failures.
  public static var current: FailureReporter { innermost ?? testFramework }

  @TaskLocal static var innermost: FailureReporter?
}

/// A problem for the test's author.
public struct Failure: Sendable, Equatable {
  /// The severity.
  public enum Kind: Sendable {
    case failure
    /// A known issue, which would fail a stricter test.
    case skipped
    /// Only a line in the test's output.
    case note
  }

  /// The severity.
  public var kind: Kind
  /// The message.
  public var message: String
  /// The place to report.
  public var place: SourcePlace

  /// Creates a failure at a place.
  public init(_ message: String, kind: Kind = .failure, place: SourcePlace) {
    self.kind = kind
    self.message = message
    self.place = place
  }
}

extension SourcePlace: Equatable {
  /// The place of a line; its column does not matter.
  init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt) {
    self.init(fileID: fileID, filePath: filePath, line: line, column: 1)
  }

  /// Compares file, line and column.
  public static func == (left: SourcePlace, right: SourcePlace) -> Bool {
    left.line == right.line && left.column == right.column
      && "\(left.filePath)" == "\(right.filePath)"
  }

  var short: String {
    let file = "\(filePath)".split(separator: "/").last.map(String.init) ?? "\(filePath)"
    return "\(file):\(line)"
  }
}
