// Written by retcon test.
// swift-format-ignore-file

import ReplayTesting
import StoreCore
import StoreTesting
import Testing

@testable import Samples

@Suite(.checkedAtEnd) struct CounterTests {
  @Test("counter.retcon, steps 1 to 34") func session() async throws {
    let state: Counter.State = try decoded(#"{"count":0,"isFactLoading":false,"isTimerOn":false}"#)
    let reads = PinnedReads()
    let store = TestStore(initialState: state) {
      Counter()
    } withDependencies: {
      $0.replay(reads)
    }

    await store.send(.incrementTapped) { $0.count = 1 }
    await store.send(.incrementTapped) { $0.count = 2 }
    await store.send(.incrementTapped) { $0.count = 3 }
    await store.send(.factTapped) { $0.isFactLoading = true }
    await store.receive(.factReceived("3 is prime."), from: .last("fact")) {
      $0.fact = "3 is prime."
      $0.isFactLoading = false
    }
    reads.pin("random", 7191089600892374487)
    await store.send(.randomizeTapped) { $0.count = 42 }
    await store.send(.factTapped) {
      $0.fact = nil
      $0.isFactLoading = true
    }
    await store.send(.factCancelTapped) { $0.isFactLoading = false }
    await store.send(.timerTapped) { $0.isTimerOn = true }
    await store.receive(.timerTicked, from: "timer") { $0.count = 43 }
    await store.receive(.timerTicked, from: "timer") { $0.count = 44 }
    await store.receive(.timerTicked, from: "timer") { $0.count = 45 }
    await store.send(.decrementTapped) { $0.count = 44 }
    await store.send(.decrementTapped) { $0.count = 43 }
    await store.receive(.timerTicked, from: "timer") { $0.count = 44 }
    await store.receive(.timerTicked, from: "timer") { $0.count = 45 }
    await store.receive(.timerTicked, from: "timer") { $0.count = 46 }
    await store.send(.timerTapped) { $0.isTimerOn = false }
    reads.pin("random", 309689372594955804)
    await store.send(.randomizeTapped) { $0.count = 48 }
    reads.pin("random", 16616101746815609346 as UInt64)
    await store.send(.randomizeTapped) { $0.count = 139 }
    await store.send(.incrementTapped) { $0.count = 140 }
    await store.send(.incrementTapped) { $0.count = 141 }
    await store.send(.incrementTapped) { $0.count = 142 }
    await store.send(.incrementTapped) { $0.count = 143 }
    await store.send(.factTapped) { $0.isFactLoading = true }
    await store.receive(.factFailed("The service gave no answer for 143."), from: .last("fact")) {
      $0.isFactLoading = false
      $0.message = "The service gave no answer for 143."
    }
    await store.send(.messageDismissed) { $0.message = nil }
    await store.send(.incrementTapped) { $0.count = 144 }
    await store.send(.factTapped) { $0.isFactLoading = true }
    await store.receive(.factReceived("144 can be divided by 2, 3, 4, 6."), from: .last("fact")) {
      $0.fact = "144 can be divided by 2, 3, 4, 6."
      $0.isFactLoading = false
    }
    await store.send(.timerTapped) { $0.isTimerOn = true }
    await store.receive(.timerTicked, from: "timer") { $0.count = 145 }
    await store.receive(.timerTicked, from: "timer") { $0.count = 146 }
    await store.send(.incrementTapped) { $0.count = 147 }
    await store.skipInFlightEffects(["timer"])
  }
}
