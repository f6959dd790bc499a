import StoreCore
import StoreTesting
import XCTest

/// The test store and the script under XCTest: what passes passes, what fails fails at its line.
final class TestStoreXCTests: CheckedTestCase {
  func testPassing() async {
    let store = TestStore(initialState: Facts.State()) {
      Facts()
    } withDependencies: {
      $0.factClient.fact = { "\($0) is a good number." }
    }
    await store.send(.factTapped) { $0.isLoading = true }
    await store.receive(.factResponse("0 is a good number.")) {
      $0.isLoading = false
      $0.fact = "0 is a good number."
    }
    await store.finish()
  }

  func testFailing() async {
    let line: UInt = #line + 3
    let failures = await collectFailures {
      let store = TestStore(initialState: Facts.State()) { Facts() }
      await store.send(.incremented) { $0.count = 2 }
      await store.receive(.noticed)
      await store.send(.timerStarted)
    }
    XCTAssertEqual(
      lines(failures, from: line),
      [
        """
        0: The state is not as expected (− expected, + actual):

          Facts.State(
        −   count: 2
        +   count: 1
            … (2 unchanged)
          )
        """,
        """
        1: Nothing was received, and no effect is running that could send anything.

        − .noticed
        """,
        """
        2: The effect “timer” (Facts.swift:55) still runs at the end of the test.

        If it is about to end, wait with finish(). If it waits for a clock, advance the clock.
        If only an action ends it, send that. Or skip it with skipInFlightEffects().
        """,
      ])
  }

  func testScript() async {
    await assert(
      initialValue: Facts.State(), reducer: Facts(),
      steps: Step(.send, .twice) { $0.count = 1 },
      Step(.receive, .incremented) { $0.count = 2 },
      Step(.receive, .noticed)
    )
    let line: UInt = #line + 4
    let failures = await collectFailures {
      await assert(
        initialValue: Facts.State(), reducer: Facts(),
        steps: Step(.receive, .noticed)
      )
    }
    XCTAssertEqual(failures.map(\.place.line), [line])
  }
}

/// The failures that an abandoned store reports to XCTest by itself.
final class TestStoreXCTestPlaceTests: XCTestCase {
  private var recorded: [String] = []

  override func invokeTest() {
    checkedAtEnd { super.invokeTest() }
    #if !canImport(ObjectiveC)
      precondition(recorded == expected, "\(recorded)")
    #endif
  }

  private var expected: [String] = []
  private var kept: TestStore<Facts.State, Facts.Action>?

  #if !canImport(ObjectiveC)
    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
      expected: Bool
    ) {
      let text = description.split(separator: "\n").first ?? ""
      recorded.append("\(lineNumber): \(text)")
    }

    func testStoreThatOutlivesTheTestFailsAtItsEnd() async {
      let store = TestStore(initialState: Facts.State()) { Facts() }
      kept = store
      await store.send(.timerStarted)
      expected = [
        "\(#line - 2): failed - The effect “timer” (Facts.swift:55) still runs at the end of the test."
      ]
    }
  #endif
}
