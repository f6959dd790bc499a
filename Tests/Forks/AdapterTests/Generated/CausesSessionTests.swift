// Written by retcon test.
// swift-format-ignore-file

import ComposableArchitecture
import ComposableRecording
import ReplayTesting
import SessionLog
import Testing

@MainActor @Suite struct CausesSessionTests {
  @Test("causes.retcon, steps 1 to 5") func session() async throws {
    let reads = PinnedReads()
    let tape = reads.tape
    let store = TestStore(initialState: Causes.State(log: [])) {
      Causes().byHand(tape)
    } withDependencies: {
      $0.byHand()
      $0.fact = tape.closure("fact", $0.fact)
    }

    await store.send(.load) { $0.log.append("load") }

    // Sent by load (Causes.swift:26).
    await store.send(.loaded) { $0.log.append("loaded") }
    await store.receive(.delegate) { $0.log.append("delegate") }
    await store.receive(.heard) { $0.log.append("heard") }

    await store.send(.end) { $0.log.append("end") }

    await store.skipInFlightEffects(strict: false)
  }
}
