import Platform
import StoreCore
import Testing

@testable import StoreTesting

@Suite struct TestStoreEndingTests {
  func store() -> TestStore<Facts.State, Facts.Action> {
    TestStore(initialState: Facts.State()) {
      Facts()
    } withDependencies: {
      $0.factClient.fact = { "\($0) is a good number." }
    }
  }

  @Test("finish() passes when everything ended and was received")
  func passes() async {
    let store = store()
    await store.finish()
    await store.send(.factTapped) { $0.isLoading = true }
    await store.receive(.factResponse("0 is a good number.")) {
      $0.isLoading = false
      $0.fact = "0 is a good number."
    }
    await store.finish()
  }

  @Test("effects that still run fail at the lines of the sends that started them")
  func running() async {
    let store = store()
    let line: UInt = #line + 2
    let failures = await collectFailures {
      await store.send(.timerStarted)
      await store.send(.noticed)
      await store.send(.timerStarted)
      await store.finish(timeout: .zero)
      await store.finish(timeout: .zero)
    }
    #expect(
      lines(failures, from: line) == [
        """
        0: The effect “timer” (Facts.swift:55) still runs at the end of the test.

        If it is about to end, wait with finish(). If it waits for a clock, advance the clock.
        If only an action ends it, send that. Or skip it with skipInFlightEffects().
        """,
        """
        2: The effect “timer” (Facts.swift:55) still runs at the end of the test.

        If it is about to end, wait with finish(). If it waits for a clock, advance the clock.
        If only an action ends it, send that. Or skip it with skipInFlightEffects().
        """,
      ])
  }

  @Test("an effect started by a received action belongs to the send that set it off")
  func runningAfterReceive() async {
    struct Starter: Reducer {
      typealias State = Int
      enum Action { case go, start }
      func reduce(into state: inout Int, action: Action) -> Effect<Action> {
        switch action {
        case .go: .send(.start)
        case .start: .run(name: "work") { _ in await never() }
        }
      }
    }
    let line: UInt = #line + 3
    let failures = await collectFailures {
      let store = TestStore(initialState: 0) { Starter() }
      await store.send(.go)
      await store.receive(.start)
    }
    #expect(failures.map { $0.place.line - line } == [0])
    #expect(failures[0].message.hasPrefix("The effect “work” (TestStoreEndingTests.swift:"))
  }

  @Test("what a received action sends belongs to the send that began it all, whatever came between")
  func outputLater() async {
    struct Later: Reducer {
      typealias State = Int
      enum Action: Equatable { case go, other, answer, output }
      @Dependency(\.continuousClock) var clock
      func reduce(into state: inout Int, action: Action) -> Effect<Action> {
        switch action {
        case .go:
          .run { send in
            try await clock.sleep(for: .seconds(1))
            await send(.answer)
          }
        case .answer: .send(.output)
        case .other, .output: .none
        }
      }
    }
    let clock = TestClock()
    let line: UInt = #line + 8
    let failures = await collectFailures {
      let store = TestStore(initialState: 0) {
        Later()
      } withDependencies: {
        $0.continuousClock = clock
      }

      await store.send(.go)
      await store.send(.other)
      await clock.advance(by: .seconds(1))
      await store.receive(.answer)
      await store.finish()
    }
    #expect(
      lines(failures, from: line) == [
        """
        0: 1 received action was not asserted at the end of the test:

        • .output

        Receive them, skip them with skipReceivedActions(), or make the test less exhaustive: \
        store.exhaustivity = .off.
        """
      ])
  }

  @Test("the window of a throttle is nothing to wait for")
  func throttle() async {
    struct Throttled: Reducer {
      typealias State = Int
      enum Action: Equatable { case go, done }
      func reduce(into state: inout Int, action: Action) -> Effect<Action> {
        switch action {
        case .go: .send(.done).throttle(id: 1, for: .seconds(60), latest: true)
        case .done: .none
        }
      }
    }
    let store = TestStore(initialState: 0) { Throttled() }
    await store.send(.go)
    await store.receive(.done)
    await store.finish(timeout: .zero)
  }

  @Test("actions that were not received fail, all of them listed, at the send that set them off")
  func unreceived() async {
    let line: UInt = #line + 3
    let failures = await collectFailures {
      let store = store()
      await store.send(.twice) { $0.count = 1 }
      await store.finish()
    }
    #expect(
      lines(failures, from: line) == [
        """
        0: 2 received actions were not asserted at the end of the test:

        • .incremented
        • .noticed

        Receive them, skip them with skipReceivedActions(), or make the test less exhaustive: \
        store.exhaustivity = .off.
        """
      ])
  }

  @Test("a store that is released without finish() is checked all the same")
  func released() async {
    let failures = await collectFailures {
      let store = store()
      await store.send(.twice) { $0.count = 1 }
      await store.receive(.incremented) { $0.count = 2 }
      await store.send(.timerStarted)
    }
    #expect(
      failures.map(\.message) == [
        """
        1 received action must be asserted before another action is sent:

        • .noticed

        Receive them, skip them with skipReceivedActions(), or make the test less exhaustive: \
        store.exhaustivity = .off.
        """,
        """
        The effect “timer” (Facts.swift:55) still runs at the end of the test.

        If it is about to end, wait with finish(). If it waits for a clock, advance the clock.
        If only an action ends it, send that. Or skip it with skipInFlightEffects().
        """,
      ])
  }

  @Test("a store that outlives its test is checked at the end of the test")
  func outlives() async {
    let kept = Locked<[TestStore<Facts.State, Facts.Action>]>([])
    let failures = await collectFailures {
      await checkedAtEnd {
        let store = store()
        kept.withLock { $0 = [store] }
        await store.send(.twice) { $0.count = 1 }
      }
    }
    #expect(failures.count == 1)
    let later = collectFailures { kept.withLock { $0 = [] } }
    #expect(later == [])
  }

  @Test("skipped actions move the state on")
  func skipReceived() async {
    let store = store()
    await store.send(.twice) { $0.count = 1 }
    await store.skipReceivedActions()
    #expect(store.state.count == 2)
    await store.skipReceivedActions(strict: false)
    await expectFailure(matching: .exactly("There were no received actions to skip.")) {
      await store.skipReceivedActions()
    }
    await store.finish()
  }

  @Test("nobody waits for skipped effects, and none is told of at the end")
  func skipEffects() async {
    let store = store()
    await store.send(.timerStarted)
    await store.skipInFlightEffects()
    await store.finish()
    await store.skipInFlightEffects(strict: false)
    await expectFailure(matching: .exactly("There were no running effects to skip.")) {
      await store.skipInFlightEffects()
    }
  }
}

/// Waits until the task is cancelled.
private func never() async {
  for await _ in AsyncStream<Void>.makeStream().stream {}
}
