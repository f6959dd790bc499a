#if canImport(XCTest)
  import XCTest

  /// A test case of XCTest whose tests fail at their end for calls that never came and effects that
  /// still run, and in which ``expectFailure(matching:fileID:filePath:line:_:)`` also sees `XCTAssert…`.
  ///
  /// A test case with a base class of its own gets the first half with
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
