import StoreCore

#if canImport(Testing)
  import Testing
#endif
#if canImport(XCTest)
  import XCTest
#endif

/// The only bridge to the two frameworks.
///
/// Programs linked without them, such as benchmarks, print failures.
enum TestFrameworks {
  static func record(_ failure: Failure) {
    switch failure.kind {
    case .failure: recordFailure(failure)
    case .skipped: recordSkipped(failure)
    case .note: print("\(failure.place.short): note: \(failure.message)")
    }
  }

  /// Runs `body` and hides expected issues from Swift Testing.
  static func run(isExpected: @escaping @Sendable (String) -> Bool, _ body: () -> Void) {
    #if canImport(Testing)
      guard Test.current != nil else { return body() }
      withKnownIssue(isIntermittent: true, body, matching: { isExpected($0.fullText) })
    #else
      body()
    #endif
  }

  /// Runs `body` and hides expected issues from Swift Testing.
  static func run(
    isExpected: @escaping @Sendable (String) -> Bool, isolation: isolated (any Actor)? = #isolation,
    _ body: () async -> Void
  ) async {
    #if canImport(Testing)
      guard Test.current != nil else { return await body() }
      await withKnownIssue(isIntermittent: true, body, matching: { isExpected($0.fullText) })
    #else
      await body()
    #endif
  }
}

#if canImport(Testing)
  extension TestFrameworks {
    private static func recordSkipped(_ failure: Failure) {
      guard Test.current != nil else {
        return print("\(failure.place.short): skipped: \(failure.message)")
      }
      withKnownIssue { recordIssue(failure) }
    }

    /// Swift Testing finds its test through a task-local. If that is lost (a detached task, an own
    /// thread), report to both frameworks: the inactive one ignores it.
    private static func recordFailure(_ failure: Failure) {
      recordIssue(failure)
      #if canImport(XCTest)
        guard Test.current == nil else { return }
        XCTFail(failure.message, file: failure.place.filePath, line: failure.place.line)
      #endif
    }

    private static func recordIssue(_ failure: Failure) {
      let place = failure.place
      Issue.record(
        Comment(rawValue: failure.message),
        sourceLocation: SourceLocation(
          fileID: "\(place.fileID)", filePath: "\(place.filePath)", line: Int(place.line),
          column: Int(place.column)))
    }
  }

  extension Issue {
    fileprivate var fullText: String {
      ([description] + comments.map(\.rawValue)).joined(separator: "\n")
    }
  }
#else
  extension TestFrameworks {
    private static func recordSkipped(_ failure: Failure) {
      print("\(failure.place.short): skipped: \(failure.message)")
    }

    private static func recordFailure(_ failure: Failure) {
      print("\(failure.place.short): error: \(failure.message)")
    }
  }
#endif
