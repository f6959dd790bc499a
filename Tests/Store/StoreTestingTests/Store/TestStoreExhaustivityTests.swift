import StoreCore
import StoreTesting
import Testing

@Suite struct TestStoreExhaustivityTests {
  func store(_ exhaustivity: Exhaustivity) -> TestStore<Facts.State, Facts.Action> {
    let store = TestStore(initialState: Facts.State()) {
      Facts()
    } withDependencies: {
      $0.factClient.fact = { "\($0) is a good number." }
    }
    store.exhaustivity = exhaustivity
    return store
  }

  @Test("off: only what is stated has to hold")
  func off() async {
    let store = store(.off)
    await store.send(.incremented)
    await store.send(.factTapped) { $0.count = 1 }
    await store.receive(.case(Facts.Action.factResponse)) { $0.fact = "1 is a good number." }
    await store.send(.twice) { $0.count = 2 }
    await store.receive(.noticed)
    #expect(store.state.count == 3)
    await store.send(.timerStarted)
  }

  @Test("off: what is stated wrongly fails, with the rest of the state as it is")
  func offFails() async {
    let store = store(.off)
    await store.send(.factTapped)
    let failures = await collectFailures {
      await store.receive(.case(Facts.Action.factResponse)) { $0.fact = "0 is bad." }
    }
    #expect(
      failures.map(\.message) == [
        """
        The state is not as expected (− expected, + actual):

          Facts.State(
            … (1 unchanged)
        −   fact: "0 is bad."
        +   fact: "0 is a good number."
            … (1 unchanged)
          )
        """
      ])
  }

  @Test("off: an action that did not come fails, and says what did")
  func offMissing() async {
    let store = store(.off)
    await store.send(.twice)
    let failures = await collectFailures { await store.receive(.ticked) }
    #expect(
      failures.map(\.message) == [
        """
        No such action was received.

        − .ticked

        Received, and still waiting:

        • .incremented
        • .noticed
        """
      ])
  }

  @Test("off, shown: what was not asserted comes as known issues")
  func shown() async {
    let store = store(.off(showSkippedAssertions: true))
    let line: UInt = #line + 2
    let failures = await collectFailures {
      await store.send(.factTapped)
      await store.receive(.case(Facts.Action.factResponse)) { $0.isLoading = false }
      await store.send(.twice) { $0.count = 1 }
      await store.receive(.noticed)
      await store.send(.timerStarted)
      await store.finish(timeout: .zero)
    }
    #expect(failures.allSatisfy { $0.kind == .skipped })
    #expect(
      lines(failures, from: line) == [
        """
        0: Changes of the state were not asserted (− asserted, + actual):

          Facts.State(
            … (2 unchanged)
        −   isLoading: false
        +   isLoading: true
          )
        """,
        """
        1: Changes of the state were not asserted (− asserted, + actual):

          Facts.State(
            … (1 unchanged)
        −   fact: nil
        +   fact: "0 is a good number."
            … (1 unchanged)
          )
        """,
        """
        3: 1 received action was skipped:

        • .incremented
        """,
        """
        4: The effect “timer” (Facts.swift:55) still runs at the end of the test.

        If it is about to end, wait with finish(). If it waits for a clock, advance the clock.
        If only an action ends it, send that. Or skip it with skipInFlightEffects().
        """,
      ])
  }

  @Test("off, shown: actions and effects that are skipped by a send or on request")
  func shownSkips() async {
    let store = store(.off(showSkippedAssertions: true))
    await store.send(.twice) { $0.count = 1 }
    let failures = await collectFailures {
      await store.send(.timerStarted)
      await store.skipInFlightEffects()
      await store.send(.twice) { $0.count = 3 }
      await store.skipReceivedActions()
      await store.finish()
    }
    #expect(failures.allSatisfy { $0.kind == .skipped })
    #expect(
      failures.map(\.message) == [
        "2 received actions were skipped:\n\n• .incremented\n• .noticed",
        "Running effects were skipped:\n\n• The effect “timer” (Facts.swift:55)",
        "2 received actions were skipped:\n\n• .incremented\n• .noticed",
      ])
  }

  @Test("for a while only")
  func forAWhile() async {
    let store = store(.on)
    await store.withExhaustivity(.off) {
      await store.send(.twice)
      await store.skipReceivedActions()
    }
    #expect(store.exhaustivity == .on)
    await store.send(.incremented) { $0.count = 3 }
    store.withExhaustivity(.off) { #expect(store.exhaustivity == .off) }
    await store.finish()
  }
}
