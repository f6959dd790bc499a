import StoreCore
import Testing

@testable import StoreTesting

@Suite("Effects by hand")
struct EffectControllerTests {
  func store() -> TestStore<Facts.State, Facts.Action> {
    TestStore(initialState: Facts.State()) {
      Facts()
    } withDependencies: {
      $0.effects = .byHand
      $0.factClient.fact = { _ in
        Issue.record("a body runs")
        return ""
      }
    }
  }

  @Test("an effect sends what the test says, and its body does not run")
  func sends() async {
    let store = store()
    await store.send(.factTapped) { $0.isLoading = true }
    await store.receive(.factResponse("made up"), from: .last("fact")) {
      $0.isLoading = false
      $0.fact = "made up"
    }
    await store.finish()
  }

  @Test("if an effect has ended, it sends nothing; the index counts all that were started")
  func ifInFlight() async {
    let store = store()
    store.exhaustivity = .off
    for (index, fact) in ["a", "late", "c"].enumerated() {
      if index != 1 { await store.send(.factTapped) }
      await store.send(.factResponse(fact), ifInFlight: .last("fact", index: index / 2))
      #expect(store.state.fact == (index < 2 ? "a" : "c"))
    }
    await store.send(.factTapped)
    await store.endEffect(ifInFlight: EffectSource("fact", index: 2))
    await store.endEffect(ifInFlight: EffectSource("fact", index: 2))
    await store.send(.timerStarted)
    await store.send(.timerStopped)
    await store.send(.ticked, ifInFlight: "timer")
    #expect(store.state.count == 0, "it was cancelled")
    await store.skipInFlightEffects([])
  }

  @Test("what is left in flight can be named, and then nothing else may be")
  func left() async {
    let line: UInt = #line + 4
    let failures = await collectFailures {
      let store = store()
      await store.send(.factTapped) { $0.isLoading = true }
      await store.skipInFlightEffects(["timer"])
      await store.send(.factTapped)
      await store.skipInFlightEffects(["fact"])
      await store.finish()
    }
    #expect(
      lines(failures, from: line) == [
        """
        0: Other effects are in flight (− expected, + actual):

        − “timer” is not
        + The effect “fact” (Facts.swift:46) is
        """
      ])
  }

  @Test("an effect that is not in flight cannot send")
  func nobody() async {
    let line: UInt = #line + 3
    let failures = await collectFailures {
      let store = store()
      await store.receive(.factResponse("made up"), from: "fact")
      await store.send(.factTapped) { $0.isLoading = true }
      await store.endEffect(EffectSource("fact", index: 1))
      await store.endEffect("fact")
      await store.finish()
    }
    #expect(
      lines(failures, from: line) == [
        "0: No effect “fact” is in flight. None is.",
        """
        2: No effect “fact” is in flight with the index 1. These are:

        • The effect “fact” (Facts.swift:46)
        """,
      ])
  }
}
