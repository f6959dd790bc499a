import StoreTesting
import XCTest

/// The same as `ExpectFailureTests`, under XCTest.
final class XCTestBridgeTests: CheckedTestCase {
  struct Broken: Error {}

  func fail(_ message: String, line: UInt = #line) {
    FailureReporter.current.report(Failure(message, place: testPlace(line)))
  }

  func testExpectedFailureDoesNotFailTheTest() {
    expectFailure(matching: "broke") { fail("it broke") }
  }

  func testExpectedFailureInAsynchronousCode() async {
    await expectFailure(matching: "broke") {
      await Task.yield()
      fail("it broke")
    }
  }

  func testAssertionsOfXCTestCount() {
    expectFailure(matching: "XCTAssertEqual failed: (\"1\") is not equal to (\"2\")") {
      XCTAssertEqual(1, 2)
    }
  }

  func testNestedExpectationsEachTakeTheirOwnAssertion() {
    expectFailure(matching: "outer") {
      expectFailure(matching: "inner") {
        XCTFail("inner")
        XCTFail("outer")
      }
    }
  }

  func testMissingFailureFailsAtTheLine() {
    let place = testPlace(#line + 1)
    let failures = collectFailures { expectFailure(matching: "broke") {} }
    XCTAssertEqual(
      failures,
      [Failure("A failure with “broke” was expected, but none was reported.", place: place)])
  }

  func testErrorsPassThrough() {
    XCTAssertThrowsError(
      try expectFailure {
        fail("first")
        throw Broken()
      })
  }

  func testCallCountsAreCheckedAtTheEnd() {
    let place = testPlace(#line + 4)
    let failures = collectFailures {
      checkedAtEnd {
        // Kept alive beyond the end: only the end itself can notice.
        let save = Run.once { (_: Int) in }
        kept.append { save(1) }
      }
    }
    XCTAssertEqual(
      failures, [Failure("This was called never; it was expected once.", place: place)])
  }

  private var kept: [() -> Void] = []
}

/// The failures that reach XCTest itself.
final class XCTestPlaceTests: XCTestCase {
  private struct Recorded: Equatable {
    var message: String
    var file: String
    var line: Int
  }
  private var recorded: [Recorded] = []

  #if !canImport(ObjectiveC)
    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
      expected: Bool
    ) {
      recorded.append(Recorded(message: description, file: filePath, line: lineNumber))
    }

    func testFailureReachesXCTestAtItsFileAndLine() {
      let line = #line + 1
      expectFailure(matching: "broke") {}
      let expected = [
        Recorded(
          message: "failed - A failure with “broke” was expected, but none was reported.",
          file: "\(#filePath)", line: line)
      ]
      precondition(recorded == expected, "\(recorded)")
    }

    func testFailureOfADetachedTaskReachesXCTest() async {
      let save = Run.never {}
      await Task.detached { save() }.value
      precondition(
        recorded.map(\.message) == ["failed - This was called once; it was expected never."])
    }
  #endif
}
