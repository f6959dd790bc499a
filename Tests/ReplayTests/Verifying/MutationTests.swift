import SessionLog
import StoreCore
import StoreRecording
import Testing
import ValueTree

@testable import Replay

/// A shop whose reducer was changed in one place.
private struct ChangedShop: Reducer {
  typealias State = Shop.State
  typealias Action = Shop.Action

  var change: @Sendable (inout State, Action) -> Effect<Action>?

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if let effect = change(&state, action) { return effect }
    return Shop().reduce(into: &state, action: action)
  }
}

@Suite struct MutationTests {
  static let doing: [Doing<Shop.Action>] = [
    .send(.add(3)), .send(.rate), .send(.announce), .send(.fetch(1)), .wait(.milliseconds(400)),
    .send(.poll), .wait(.milliseconds(1100)), .send(.stopPolling), .send(.roll), .send(.clear),
  ]

  private func verify(
    _ options: VerifyOptions = VerifyOptions(),
    _ change: @escaping @Sendable (inout Shop.State, Shop.Action) -> Effect<Shop.Action>?
  ) async throws -> VerifyReport {
    let setup = ReplaySetup(ChangedShop(change: change)) { RecordedShop.tapes(&$0, Tape()) }
    let shop = try await RecordedShop(Self.doing, setup: setup)
    return try shop.replay.verify(options)
  }

  @Test("rule 22: a different state is found at its first step, path by path")
  func state() async throws {
    let report = try await verify { state, action in
      guard case .add(let number) = action else { return nil }
      state.total += number + 1
      state.query = "x"
      return Effect.none
    }
    #expect(
      report.divergences == [
        Divergence(
          step: 1, label: "add", kind: .state, path: "/total", recorded: 3, rerun: 4,
          cause: .user),
        Divergence(
          step: 1, label: "add", kind: .state, path: "/query", recorded: "", rerun: "x",
          cause: .user),
      ])
    #expect(report.isPartial)
  }

  @Test("rule 22: a step that the reducer does not send any more is missing")
  func missingStep() async throws {
    let report = try await verify { _, action in
      action == .announce ? .send(.noted("first")) : nil
    }
    #expect(report.divergences.map(\.kind) == [.missingStep])
    #expect(report.divergences.first?.step == 5)
    #expect(report.divergences.first?.recorded == ["noted": ["_0": "little"]])
  }

  @Test("rule 22: a step that the reducer sends beyond the recorded ones is an extra step")
  func extraStep() async throws {
    let report = try await verify { _, action in
      guard action == .announce else { return nil }
      return .merge(.send(.noted("first")), .send(.noted("little")), .send(.noted("third")))
    }
    #expect(report.divergences.map(\.kind) == [.extraStep])
    #expect(report.divergences.first?.rerun == ["noted": ["_0": "third"]])
  }

  @Test("rule 2, rule 22: a changed value that a reducer sends is a divergence")
  func output() async throws {
    let report = try await verify { _, action in
      guard action == .announce else { return nil }
      return .merge(.send(.noted("first")), .send(.noted("LITTLE")))
    }
    #expect(report.divergences.first?.kind == .effect || report.divergences.first?.kind == .state)
    #expect(report.divergences.first?.step == 5)
  }

  @Test("rule 22: an effect that is not started, or started otherwise, is a different effect")
  func effect() async throws {
    let missing = try await verify { _, action in
      if case .fetch = action { return Effect.none }
      return nil
    }
    #expect(missing.divergences.first?.kind == .effect)
    #expect(missing.divergences.first?.step == 6)
    let renamed = try await verify { _, action in
      if case .fetch = action { return .run(name: "other") { _ in } }
      return nil
    }
    #expect(renamed.divergences.first?.kind == .effect)
    #expect(renamed.divergences.first?.step == 6)
  }

  @Test("rule 22: an effect that is not cancelled any more is a different effect")
  func cancellation() async throws {
    let report = try await verify { state, action in
      guard action == .stopPolling else { return nil }
      state.isPolling = false
      return Effect.none
    }
    #expect(report.divergences.first?.kind == .effect)
    #expect(report.divergences.first?.step == 10)
    #expect(report.divergences.first?.label == "stopPolling")
    #expect(report.divergences.first?.recorded == ["cancels effect 2"])
    #expect(report.divergences.first?.rerun == [])
  }

  @Test("rule 22: reads that are not asked for, and reads that were not recorded, are divergences")
  func reads() async throws {
    let unused = try await verify { state, action in
      guard action == .rate else { return nil }
      state.total += 3
      return Effect.none
    }
    #expect(unused.divergences.map(\.kind) == [.unusedRead])
    #expect(unused.divergences.first?.recorded == ["rate"])
    var options = VerifyOptions()
    options.allowsUnusedReads = true
    let allowed = try await verify(options) { state, action in
      guard action == .rate else { return nil }
      state.total += 3
      return Effect.none
    }
    #expect(allowed.isEqual)

    let missing = try await verify { state, action in
      @Dependency(\.shop) var shop
      if action == .add(3) { _ = shop.rate() }
      return nil
    }
    #expect(missing.divergences.map(\.kind) == [.missingRead])
    #expect(missing.divergences.first?.step == 1)
    options = VerifyOptions()
    options.allowsMissingReads = true
    let forgiven = try await verify(options) { state, action in
      @Dependency(\.shop) var shop
      if action == .add(3) { _ = shop.rate() }
      return nil
    }
    #expect(forgiven.isEqual)
  }

  @Test("rule 22: a reducer that asks another dependency reads differently")
  func otherRead() async throws {
    let report = try await verify { state, action in
      @Dependency(\.uuid) var uuid
      guard action == .rate else { return nil }
      _ = uuid()
      state.total += 3
      return Effect.none
    }
    #expect(report.divergences.map(\.kind) == [.read])
    #expect(report.divergences.first?.recorded == ["rate"])
    #expect(report.divergences.first?.rerun == ["uuid"])
  }

  @Test("rule 23: a reducer that reads a counter outside the tape is nondeterministic")
  func nondeterminism() async throws {
    let count = ReplayTestLock(0)
    let report = try await verify { state, action in
      guard case .add = action else { return nil }
      state.total += 3
      state.query = count.withLock {
        $0 += 1; return "\($0)"
      }
      return Effect.none
    }
    #expect(
      report.divergences == [
        Divergence(
          step: 1, label: "add", kind: .nondeterministic, path: "/query", recorded: "1", rerun: "2",
          hint: "two runs on the same input differ: "
            + "a date, an id or a random number is read outside the tape")
      ])
  }

  @Test("rule 23: a reducer that reads the real date is nondeterministic")
  func realDate() async throws {
    let report = try await verify { state, action in
      guard case .add = action else { return nil }
      state.total += 3
      state.query = "\(ContinuousClock.now)"
      return Effect.none
    }
    #expect(report.divergences.map(\.kind) == [.nondeterministic])
    #expect(report.divergences.first?.path == "/query")
  }

  @Test(
    "rule 22: every divergence is looked for from the recorded state, so each is its own step's")
  func several() async throws {
    let report = try await verify(.all) { state, action in
      switch action {
      case .add: state.total += 4
      case .clear: state.total = 1
      default: return nil
      }
      return Effect.none
    }
    #expect(
      report.divergences.map { "\($0.step) \($0.path)" } == [
        "1 /total", "12 /total", "12 /log/0", "12 /log/1", "12 /log/2", "12 /log/3",
      ])
    #expect(!report.isPartial)
  }
}
