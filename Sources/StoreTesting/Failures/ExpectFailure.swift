import Platform
import StoreCore

/// Expects that `body` fails: that a failure matching the pattern is reported while it runs.
///
/// ```swift
/// expectFailure(matching: "called twice") {
///   let save = Run.once { }
///   save()
///   save()
/// }
/// ```
///
/// Matching failures no longer fail the test; others still do. Under Swift Testing failed
/// expectations of the framework itself (`#expect`) count, too; under XCTest they do in a
/// ``CheckedTestCase``.
public func expectFailure<Thrown: Error>(
  matching pattern: FailurePattern = .any, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line,
  _ body: () throws(Thrown) -> Void
) throws(Thrown) {
  let expected = ExpectedFailure(pattern, place: SourcePlace(fileID, filePath, line))
  var thrown: Thrown?
  TestFrameworks.run(isExpected: expected.isMet) {
    FailureReporter.$innermost.withValue(expected.reporter) {
      do throws(Thrown) { try body() } catch { thrown = error }
    }
  }
  expected.finish()
  if let thrown { throw thrown }
}

/// Expects that `body` fails: that a failure matching the pattern is reported while it runs.
public func expectFailure<Thrown: Error>(
  matching pattern: FailurePattern = .any, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line,
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Thrown) -> Void
) async throws(Thrown) {
  let expected = ExpectedFailure(pattern, place: SourcePlace(fileID, filePath, line))
  var thrown: Thrown?
  await TestFrameworks.run(isExpected: expected.isMet) {
    await FailureReporter.$innermost.withValue(expected.reporter) {
      do throws(Thrown) { try await body() } catch { thrown = error }
    }
  }
  expected.finish()
  if let thrown { throw thrown }
}

/// A failure that has to come, and what came in its place.
private final class ExpectedFailure: Sendable {
  private let pattern: FailurePattern
  private let place: SourcePlace
  private let outer = FailureReporter.current
  private let state = Locked((isMet: false, isOver: false, others: [String]()))

  init(_ pattern: FailurePattern, place: SourcePlace) {
    self.pattern = pattern
    self.place = place
  }

  var reporter: FailureReporter {
    FailureReporter(isExpected: { self.isMet(by: $0) || self.outer.isExpected($0) }) { failure in
      guard failure.kind == .failure, self.isMet(by: failure.message) else {
        return self.outer.report(failure)
      }
    }
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
