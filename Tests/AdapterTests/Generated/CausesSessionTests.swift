// Written by retcon test.
// swift-format-ignore-file

import ComposableArchitecture
import ComposableRecording
import ReplayTesting
import SessionLog
import Testing

@MainActor @Suite struct CausesSessionTests {
  @Test("causes.retcon, steps 1 to 5") func session() async throws {
    var recorded: RecordedState<Causes.State> = try RecordedState(#"{"log":[]}"#)
    let state = try recorded.decoded()
    let reads = PinnedReads()
    let tape = reads.tape
    let store = TestStore(initialState: state) {
      Causes().byHand(tape)
    } withDependencies: {
      $0.context = .live
      $0.fact = tape.closure("fact", $0.fact)
    }
    store.exhaustivity = .off

    await store.send(.load)
    try recorded.expect(store.state, after: #"[{"op":"add","path":"/log/0","value":"load"}]"#)

    // Sent by load (Causes.swift:26).
    await store.send(.loaded)
    await store.skipReceivedActions(strict: false)
    try recorded.expect(
      store.state,
      after: #"[{"op":"add","path":"/log/1","value":"loaded"}]"#,
      #"[{"op":"add","path":"/log/2","value":"delegate"}]"#,
      #"[{"op":"add","path":"/log/3","value":"heard"}]"#
    )

    await store.send(.end)
    try recorded.expect(store.state, after: #"[{"op":"add","path":"/log/4","value":"end"}]"#)
    await store.skipInFlightEffects(strict: false)
  }
}
