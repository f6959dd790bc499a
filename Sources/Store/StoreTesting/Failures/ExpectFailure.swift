import Platform
import StoreCore

/// Expects that `body` reports a failure matching the pattern.
///
/// ```swift
/// expectFailure(matching: "called twice") {
///   let save = Run.once { }
///   save()
///   save()
/// }
/// ```
///
/// Matching failures do not fail the test; others do. Swift Testing's own failures (`#expect`)
/// count, too; XCTest's count in a ``CheckedTestCase``.
public func expectFailure<Thrown: Error>(
  matching pattern: FailurePattern = .any, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line,
  _ body: () throws(Thrown) -> Void
) throws(Thrown) {
  let place = SourcePlace(fileID, filePath, line)
  let expected = ExpectedFailure(pattern: pattern, place: place)
  var thrown: Thrown?
  TestFrameworks.run(isExpected: expected.isMet) {
    FailureReporter.$innermost.withValue(expected.reporter) {
      do throws(Thrown) { try body() } catch { thrown = error }
    }
  }
  expected.finish()
  if let thrown { throw thrown }
}

/// Expects that `body` reports a failure matching the pattern.
public func expectFailure<Thrown: Error>(
  matching pattern: FailurePattern = .any, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line,
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Thrown) -> Void
) async throws(Thrown) {
  let place = SourcePlace(fileID, filePath, line)
  let expected = ExpectedFailure(pattern: pattern, place: place)
  var thrown: Thrown?
  await TestFrameworks.run(isExpected: expected.isMet) {
    await FailureReporter.$innermost.withValue(expected.reporter) {
      do throws(Thrown) { try await body() } catch { thrown = error }
    }
  }
  expected.finish()
  if let thrown { throw thrown }
}

private struct ExpectedFailure: Sendable {
  let pattern: FailurePattern
  let place: SourcePlace
  private let outer = FailureReporter.current
  private let state = Locked((isMet: false, isOver: false, others: [String]()))

  var reporter: FailureReporter {
    var reporter = FailureReporter { failure in
      guard failure.kind == .failure, isMet(by: failure.message) else {
        return outer.report(failure)
      }
    }
    reporter.isExpected = { isMet(by: $0) || outer.isExpected($0) }
    return reporter
  }

  @Sendable func isMet(by message: String) -> Bool {
    let matches = pattern.matches(text: message)
    return state.withLock { state in
      guard !state.isOver else { return false }
      if matches { state.isMet = true } else { state.others.append(message) }
      return matches
    }
  }

  func finish() {
    let (isMet, others) = state.withLock { state in
      state.isOver = true
      return (state.isMet, state.others)
    }
    guard !isMet else { return }
    var message = "A failure \(pattern) was expected, but none was reported."
    if !others.isEmpty {
      message =
        "A failure \(pattern) was expected, but only others were reported:\n"
        + others.map { "• \($0)" }.joined(separator: "\n")
    }
    outer.report(Failure(message, place: place))
  }
}

/// A pattern for failures: a string matches every failure that contains it.
public struct FailurePattern: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The description, as the continuation of “a failure”.
  public let description: String
  private let matches: @Sendable (String) -> Bool

  /// Creates a pattern of failures whose text `matches`; `description` continues “a failure”, as in
  /// “with a number in it”.
  public init(_ description: String, where matches: @escaping @Sendable (String) -> Bool) {
    self.description = description
    self.matches = matches
  }

  /// Creates a pattern of failures that contain `text`; the empty text matches all.
  public init(stringLiteral text: String) {
    self.init("with “\(text)”") { text.isEmpty || $0.contains(text) }
  }

  /// Matches failures with exactly this text.
  public static func exactly(_ text: String) -> FailurePattern {
    FailurePattern("saying exactly “\(text)”") { $0 == text }
  }

  /// Matches every failure.
  public static let any = FailurePattern("of any kind") { _ in true }

  func matches(text: String) -> Bool { matches(text) }
}

extension FailureReporter {
  init(into collected: Locked<[Failure]>) {
    self.init { failure in collected.withLock { $0.append(failure) } }
  }
}

/// Collects this library's failures while `body` runs; they do not fail the test.
///
/// ```swift
/// let failures = collectFailures { expectReflectivelyEqual(1, 2) }
/// #expect(failures.map(\.message) == ["…"])
/// ```
public func collectFailures(_ body: () throws -> Void) rethrows -> [Failure] {
  let collected = Locked<[Failure]>([])
  try FailureReporter.$innermost.withValue(FailureReporter(into: collected), operation: body)
  return collected.withLock { $0 }
}

/// Collects this library's failures while `body` runs; they do not fail the test.
public func collectFailures(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async rethrows -> [Failure] {
  let collected = Locked<[Failure]>([])
  try await FailureReporter.$innermost.withValue(FailureReporter(into: collected), operation: body)
  return collected.withLock { $0 }
}
