import Recorder
import SessionWords
import StoreCore
import StoreRecording
import Testing
import ValueTree

@testable import Replay

/// The report about a session that does not run again as it was recorded, for every class.
@Suite struct ReportTests {
  private struct Changed: Reducer {
    typealias State = Shop.State
    typealias Action = Shop.Action
    var change: @Sendable (inout State, Action) -> Effect<Action>?

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      if let effect = change(&state, action) { return effect }
      return Shop().reduce(into: &state, action: action)
    }
  }

  private func text(
    _ change: @escaping @Sendable (inout Shop.State, Shop.Action) -> Effect<Shop.Action>?
  ) async throws -> String {
    let setup = ReplaySetup(Changed(change: change)) { RecordedShop.tapes(&$0, Tape()) }
    let shop = try await RecordedShop(
      [
        .send(.add(3)), .send(.rate), .send(.announce), .send(.fetch(1)),
        .wait(.milliseconds(400)), .send(.poll), .send(.stopPolling), .send(.clear),
      ], setup: setup)
    return try shop.replay.verify().text(title: "shop.retcon")
  }

  @Test("runs/verified: a different state, path by path")
  func state() async throws {
    #expect(
      try await text { state, action in
        guard case .failed = action else { return nil }
        state.log = ["late"]
        state.query = "q"
        return Effect.none
      } == """
        shop.retcon: 7 steps were run again, and the re-run differs from step 7 on.

        step 7  failed, sent by effect 1: different state
                  recorded  re-run
          /log/0  "first"   "late"
          /log/1  "little"  —
          /log/2  "no 7"    —
          /query  ""        "q"
        """)
  }

  @Test("numbers are grouped, and no step is counted where the first one differs")
  func numbers() {
    #expect(
      VerifyReport(steps: 1_234).text(title: "a")
        == "a: 1,234 steps were run again, all as recorded.")
    let first = Divergence(step: 1_001, label: "pair", kind: .crash)
    #expect(
      VerifyReport(steps: 0, divergences: [first]).text(title: "a")
        .hasPrefix(
          "a: the re-run differs from its first step on, step 1,001.\n\nstep 1,001  pair: "))
  }

  @Test("runs/verified: effects that start in another order stand in their order")
  func order() async throws {
    let starts = ["starts “a”", "starts “b”"].map(Value.string)
    let divergence = Divergence(
      step: 3, label: "pair", kind: .effect, recorded: .array(ValueArray(starts)),
      rerun: .array(ValueArray(starts.reversed())), hint: "the same in another order")
    #expect(
      VerifyReport(steps: 3, divergences: [divergence]).text(title: "shop.retcon") == """
        shop.retcon: 3 steps were run again, and the re-run differs from step 3 on.

        step 3  pair: different effect
          recorded    re-run
          starts “a”  starts “b”
          starts “b”  starts “a”
          (the same in another order)
        """)
  }

  @Test("runs/verified: a missing step")
  func missing() async throws {
    #expect(
      try await text { _, action in action == .announce ? .send(.noted("first")) : nil } == """
        shop.retcon: 3 steps were run again, and the re-run differs from step 5 on.

        step 5  noted, sent by the reducer at step 3: missing step
          recorded                   re-run
          {"noted":{"_0":"little"}}  —
          (the reducer did not send it)
        """)
  }

  @Test("runs/verified: an extra step")
  func extra() async throws {
    #expect(
      try await text { _, action in
        guard action == .announce else { return nil }
        return .merge(.send(.noted("first")), .send(.noted("little")), .send(.noted("third")))
      } == """
        shop.retcon: 3 steps were run again, and the re-run differs from step 3 on.

        step 3  noted, sent by the reducer at step 3: extra step
          recorded  re-run
          —         {"noted":{"_0":"third"}}
          (not in the recording)
        """)
  }

  @Test("runs/verified: another action that is sent at once")
  func output() async throws {
    #expect(
      try await text { _, action in
        guard action == .announce else { return nil }
        return .merge(.send(.noted("first")), .send(.noted("LITTLE")))
      } == """
        shop.retcon: 3 steps were run again, and the re-run differs from step 5 on.

        step 5  noted, sent by the reducer at step 3: different effect
                     recorded  re-run
          /noted/_0  "little"  "LITTLE"
          (the reducer of step 3 sends another action)
        """)
  }

  @Test("runs/verified: different effects")
  func effects() async throws {
    #expect(
      try await text { _, action in
        if case .fetch = action { return .run(name: "other") { _ in } }
        return nil
      } == """
        shop.retcon: 6 steps were run again, and the re-run differs from step 6 on.

        step 6  fetch, sent by the user: different effect
          recorded                                                                        re-run
          starts “fetch” of ReplayTests/Shop.swift, cancel id ReplayTests.Shop.ID(fetch)  starts “other” of ReplayTests/ReportTests.swift
        """)
    #expect(
      try await text { state, action in
        guard action == .stopPolling else { return nil }
        state.isPolling = false
        return Effect.none
      } == """
        shop.retcon: 9 steps were run again, and the re-run differs from step 9 on.

        step 9  stopPolling, sent by the user: different effect
          recorded          re-run
          cancels effect 2  —
        """)
  }

  @Test("runs/verified: reads")
  func reads() async throws {
    #expect(
      try await text { state, action in
        guard action == .rate else { return nil }
        state.total += 3
        return Effect.none
      } == """
        shop.retcon: 2 steps were run again, and the re-run differs from step 2 on.

        step 2  rate, sent by the user: unused read
          recorded  re-run
          rate      —
          (the reducer does not ask for it any more)
        """)
    #expect(
      try await text { _, action in
        @Dependency(\.shop) var shop
        if action == .add(3) { _ = shop.rate() }
        return nil
      } == """
        shop.retcon: 1 step was run again, and the re-run differs from step 1 on.

        step 1  add, sent by the user: missing read
          recorded  re-run
          —         rate
          (the recording has no value for it)

        “rate” was really called, first at step 1: nothing was recorded for it there.
        """)
    #expect(
      try await text { state, action in
        @Dependency(\.uuid) var uuid
        guard action == .rate else { return nil }
        _ = uuid()
        state.total += 3
        return Effect.none
      } == """
        shop.retcon: 2 steps were run again, and the re-run differs from step 2 on.

        step 2  rate, sent by the user: different read
          recorded  re-run
          rate      uuid
          (the reducer asks other dependencies)
        """)
  }

  @Test("runs/nondeterministic: a reducer that differs from itself")
  func nondeterministic() async throws {
    let count = ReplayTestLock(0)
    #expect(
      try await text { state, action in
        guard case .add = action else { return nil }
        state.total += 3
        state.query = count.withLock {
          $0 += 1
          return "\($0)"
        }
        return Effect.none
      } == """
        shop.retcon: 1 step was run again, and the re-run differs from step 1 on.

        step 1  add, sent by the user: the reducer is nondeterministic
                  first run  second run
          /query  "1"        "2"
          (two runs on the same input differ: a date, an id or a random number is read outside the tape)
        """)
  }

  @Test("runs/crash: a crash, as a host tells it")
  func crash() {
    let crash = Divergence(
      step: 3, label: "", kind: .crash, hint: "App/Cart.swift:3: Fatal error: Index out of range")
    let report = VerifyReport(steps: 2, divergences: [crash], isPartial: true)
    #expect(
      report.text(title: "shop.retcon") == """
        shop.retcon: 2 steps were run again, and the re-run differs from step 3 on.

        step 3: crash
          (App/Cart.swift:3: Fatal error: Index out of range)
        """)
  }
}
