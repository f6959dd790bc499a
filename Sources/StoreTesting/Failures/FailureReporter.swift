import StoreCore

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

/// Something that a test has to know.
public struct Failure: Sendable, Equatable {
  /// How bad it is.
  public enum Kind: Sendable {
    /// Fails the test.
    case failure
    /// Would fail it, had the test not asked for leniency; shown as a known issue.
    case skipped
    /// Worth a line in the test's output, no more.
    case note
  }

  /// How bad it is.
  public var kind: Kind
  /// What is wrong.
  public var message: String
  /// Where it is told.
  public var place: SourcePlace

  /// Something that is wrong at a place.
  public init(_ message: String, kind: Kind = .failure, place: SourcePlace) {
    self.kind = kind
    self.message = message
    self.place = place
  }
}

extension SourcePlace: Equatable {
  /// The place of a line of a test; which column it was does not matter there.
  init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt) {
    self.init(fileID: fileID, filePath: filePath, line: line, column: 1)
  }

  /// The same line and column of the same file.
  public static func == (left: SourcePlace, right: SourcePlace) -> Bool {
    left.line == right.line && left.column == right.column
      && "\(left.filePath)" == "\(right.filePath)"
  }

  /// `CartTests.swift:12`
  var short: String {
    let file = "\(filePath)".split(separator: "/").last.map(String.init) ?? "\(filePath)"
    return "\(file):\(line)"
  }
}
