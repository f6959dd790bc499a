import StoreCore
import StoreTesting
import Testing

@Suite struct TestStoreSendTests {
  func store(_ count: Int = 0) -> TestStore<Facts.State, Facts.Action> {
    TestStore(initialState: Facts.State(count: count)) { Facts() }
  }

  @Test("an action that changes the state as stated passes")
  func passes() async {
    let store = store()
    await store.send(.incremented) { $0.count = 1 }
    await store.send(.incremented) { $0.count += 1 }
    await store.send(.noticed)
    #expect(store.state == Facts.State(count: 2))
  }

  @Test("another state fails at the line of the send, with a difference")
  func otherState() async {
    let store = store(1)
    let line: UInt = #line + 2
    let failures = await collectFailures {
      await store.send(.incremented) { $0.count = 3 }
    }
    #expect(
      lines(failures, from: line) == [
        """
        0: The state is not as expected (− expected, + actual):

          Facts.State(
        −   count: 3
        +   count: 2
            … (2 unchanged)
          )
        """
      ])
    #expect(store.state.count == 2)
  }

  @Test("a change that is not stated fails")
  func unstatedChange() async {
    let store = store()
    let line: UInt = #line + 2
    let failures = await collectFailures {
      await store.send(.incremented)
    }
    #expect(
      lines(failures, from: line) == [
        """
        0: The state changed, but no change was expected (− expected, + actual):

          Facts.State(
        −   count: 0
        +   count: 1
            … (2 unchanged)
          )
        """
      ])
  }

  @Test("a closure that changes nothing fails where nothing changed")
  func emptyClosure() async {
    let store = store(4)
    let line: UInt = #line + 2
    let failures = await collectFailures {
      await store.send(.noticed) { $0.count = 4 }
    }
    #expect(
      lines(failures, from: line) == [
        "0: The closure changes nothing, and nothing changed. "
          + "Leave it out where no change is expected."
      ])
  }

  @Test("a stated change that does not happen fails")
  func missingChange() async {
    let store = store()
    let line: UInt = #line + 2
    let failures = await collectFailures {
      await store.send(.noticed) { $0.count = 4 }
    }
    #expect(
      lines(failures, from: line) == [
        """
        0: The state is not as expected (− expected, + actual):

          Facts.State(
        −   count: 4
        +   count: 0
            … (2 unchanged)
          )
        """
      ])
  }

  @Test("an error thrown by the closure fails")
  func throwingClosure() async {
    let store = store()
    let failures = await collectFailures {
      await store.send(.incremented) { _ in throw Facts.CountError() }
    }
    #expect(
      failures.map(\.message) == [
        "The closure that describes the state threw an error: CountError()"
      ])
  }

  @Test("received actions that still wait fail the next send, all of them listed")
  func waiting() async {
    let store = store()
    await store.send(.twice) { $0.count = 1 }
    let line: UInt = #line + 2
    let failures = await collectFailures {
      await store.send(.incremented) { $0.count = 3 }
    }
    #expect(
      lines(failures, from: line) == [
        """
        0: 2 received actions must be asserted before another action is sent:

        • .incremented
        • .noticed

        Receive them, skip them with skipReceivedActions(), or make the test less exhaustive: \
        store.exhaustivity = .off.
        """
      ])
  }

  @Test("the task of a send cancels and awaits its effects")
  func task() async {
    let store = store()
    let timer = await store.send(.timerStarted)
    await timer.cancel()
    await timer.finish()
    await store.finish()
  }

  @Test("a feature that reports a mistake fails the test at the line of the statement")
  func issue() async {
    let store = store()
    let line: UInt = #line + 2
    let failures = await collectFailures {
      await store.send(.throwing)
    }
    #expect(
      lines(failures, from: line) == [
        "0: An effect failed and has no catch handler: CountError()\n\nSee Facts.swift:77."
      ])
  }
}
