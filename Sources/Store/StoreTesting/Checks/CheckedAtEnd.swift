#if canImport(Testing)
  import Testing

  /// The trait behind `@Test(.checkedAtEnd)` and `@Suite(.checkedAtEnd)`.
  public struct CheckedAtEnd: TestTrait, SuiteTrait, TestScoping {
    /// Always true: on a suite it applies to each test.
    public var isRecursive: Bool { true }

    /// Runs the test, then the checks; the testing library calls it.
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      try await StoreTesting.checkedAtEnd(function)
    }
  }

  extension Trait where Self == CheckedAtEnd {
    /// Fails the test at its end for missing calls and running effects.
    ///
    /// ```swift
    /// @Suite(.checkedAtEnd) struct SavingTests {
    ///   @Test func savesOnce() {
    ///     let editor = Editor(save: Run.once { })
    ///     editor.close()
    ///   }
    /// }
    /// ```
    public static var checkedAtEnd: CheckedAtEnd { CheckedAtEnd() }
  }
#endif

#if canImport(XCTest)
  import XCTest

  /// An XCTest test case that fails its tests at their end for missing calls and running effects,
  /// and in which ``expectFailure(matching:fileID:filePath:line:_:)`` also sees `XCTAssert…`.
  ///
  /// With another base class, get the first half with
  /// `override func invokeTest() { checkedAtEnd { super.invokeTest() } }`.
  open class CheckedTestCase: XCTestCase {
    open override func invokeTest() {
      checkedAtEnd { super.invokeTest() }
    }

    #if canImport(ObjectiveC)
      open override func record(_ issue: XCTIssue) {
        if FailureReporter.current.isExpected(issue.compactDescription) { return }
        super.record(issue)
      }
    #else
      open override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
        expected: Bool
      ) {
        if FailureReporter.current.isExpected(description) { return }
        super.recordFailure(
          withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
    #endif
  }
#endif
