import StoreCore
import Testing

@testable import StoreTesting

@Suite struct TestStoreReceiveTests {
  func store() -> TestStore<Facts.State, Facts.Action> {
    TestStore(initialState: Facts.State()) {
      Facts()
    } withDependencies: {
      $0.factClient.fact = { "\($0) is a good number." }
    }
  }

  @Test("the state moves on only with the statements of the test")
  func timelines() async {
    let store = store()
    await store.send(.twice) { $0.count = 1 }
    #expect(store.state.count == 1)
    await store.receive(.incremented) { $0.count = 2 }
    #expect(store.state.count == 2)
    await store.receive(.noticed)
  }

  @Test("by value, by case, by case with value, by predicate")
  func patterns() async {
    let store = store()
    await store.send(.factTapped) { $0.isLoading = true }
    await store.receive(.factResponse("0 is a good number.")) {
      $0.isLoading = false
      $0.fact = "0 is a good number."
    }
    await store.send(.factTapped) { $0.isLoading = true }
    await store.receive(.case(Facts.Action.factResponse)) { $0.isLoading = false }
    await store.send(.factTapped) { $0.isLoading = true }
    await store.receive(.case(Facts.Action.factResponse, "0 is a good number.")) {
      $0.isLoading = false
    }
    await store.send(.factTapped) { $0.isLoading = true }
    await store.receive(.where { if case .factResponse = $0 { true } else { false } }) {
      $0.isLoading = false
    }
    await store.finish()
  }

  @Test("another value of the right case, another case, an unmet condition")
  func mismatches() async {
    let store = store()
    await store.send(.factTapped) { $0.isLoading = true }
    let first = await collectFailures {
      await store.receive(.factResponse("bad")) {
        $0.isLoading = false
        $0.fact = "0 is a good number."
      }
    }
    #expect(
      first.map(\.message) == [
        """
        Another action was received (− expected, + received):

          .factResponse(
        −   "bad"
        +   "0 is a good number."
          )
        """
      ])
    #expect(store.state == Facts.State(fact: "0 is a good number."))

    await store.send(.twice) { $0.count = 1 }
    let second = await collectFailures {
      await store.receive(.case(Facts.Action.factResponse)) { $0.count = 2 }
      await store.receive(
        .where("something of a child") { if case .child = $0 { true } else { false } })
    }
    #expect(
      second.map(\.message) == [
        """
        Another action was received (− expected, + received):

        − an action of the given case, carrying String
        + .incremented
        """,
        """
        Another action was received (− expected, + received):

        − something of a child
        + .noticed
        """,
      ])
  }

  @Test("another state fails at the line of the receive")
  func otherState() async {
    let store = store()
    await store.send(.twice) { $0.count = 1 }
    let line: UInt = #line + 2
    let failures = await collectFailures {
      await store.receive(.incremented) { $0.count = 5 }
      await store.receive(.noticed) { $0.count = 2 }
    }
    #expect(
      lines(failures, from: line) == [
        """
        0: The state is not as expected (− expected, + actual):

          Facts.State(
        −   count: 5
        +   count: 2
            … (2 unchanged)
          )
        """,
        "1: The closure changes nothing, and nothing changed. "
          + "Leave it out where no change is expected.",
      ])
  }

  @Test("nothing came, and nothing runs that could send it: no waiting")
  func nothingRuns() async {
    let store = store()
    let line: UInt = #line + 2
    let failures = await collectFailures {
      await store.receive(.ticked, timeout: .seconds(1_000)) { $0.count = 1 }
    }
    #expect(
      lines(failures, from: line) == [
        """
        0: Nothing was received, and no effect is running that could send anything.

        − .ticked
        """
      ])
  }

  @Test("nothing came in time, while an effect waits")
  func timeout() async {
    let store = store()
    let timer = await store.send(.timerStarted)
    let failures = await collectFailures {
      await store.receive(.ticked, timeout: .zero) { $0.count = 1 }
    }
    #expect(
      failures.map(\.message) == [
        """
        Nothing was received within 0.0 seconds.

        − .ticked

        Still running: The effect “timer” (Facts.swift:55)
        An effect that waits for a clock goes on when the test advances that clock. One that only \
        takes longer needs a longer timeout.
        """
      ])
    await timer.cancel()
  }

  @Test("the time counts only when the effects have come to rest")
  func zeroTimeout() async {
    for _ in 0..<50 {
      let store = store()
      await store.send(.chainTapped)
      await store.receive(.noticed, timeout: .zero)
    }
  }

  @Test("an effect on a clock sends when the clock is advanced")
  func clock() async {
    let clock = TestClock()
    let store = TestStore(initialState: Facts.State()) {
      Facts()
    } withDependencies: {
      $0.continuousClock = clock
    }
    await store.send(.timerStarted)
    await clock.advance(by: .seconds(2))
    await store.receive(.ticked) { $0.count = 1 }
    await store.receive(.ticked) { $0.count = 2 }
    await store.send(.timerStopped)
  }

  @Test("an effect that works elsewhere is waited for")
  func waits() async {
    let gate = AsyncStream<Void>.makeStream()
    let store = TestStore(initialState: Facts.State()) {
      Facts()
    } withDependencies: {
      $0.factClient.fact = { _ in
        for await _ in gate.stream { break }
        return "slow"
      }
    }
    await store.send(.factTapped) { $0.isLoading = true }
    Task.detached {
      for _ in 0..<3 { await Task.yield() }
      gate.continuation.yield()
    }
    await store.receive(.factResponse("slow"), timeout: .seconds(1000)) {
      $0.isLoading = false
      $0.fact = "slow"
    }
  }

  @Test("what comes after a chain of effects is received, a hundred times")
  func chain() async {
    for _ in 0..<100 {
      let store = store()
      await store.send(.chainTapped)
      await store.receive(.noticed)
      await store.finish()
    }
  }

  @Test("cases in cases, and payloads of several values")
  func nestedCases() {
    let named = ActionPattern<Facts.Action>.case { .child(.named($0)) }
    #expect(matches(named, .child(.named("a"))))
    #expect(!matches(named, .child(.closed)))
    #expect(!matches(named, .factResponse("a")))
    let failed = ActionPattern<Facts.Action>.case { (code: Int, text: String) in
      .factFailed(code: code, text: text)
    }
    #expect(matches(failed, .factFailed(code: 1, text: "a")))
    #expect(!matches(failed, .noticed))
    let child = ActionPattern<Facts.Action>.case(Facts.Action.child, .closed)
    #expect(matches(child, .child(.closed)))
    #expect(!matches(child, .child(.named("closed"))))
  }

  func matches(_ pattern: ActionPattern<Facts.Action>, _ action: Facts.Action) -> Bool {
    pattern.matches(action)
  }
}
