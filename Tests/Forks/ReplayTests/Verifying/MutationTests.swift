import Recorder
import SessionWords
import StoreCore
import StoreRecording
import Testing
import ValueTree

@testable import Replay

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A shop whose reducer was changed in one place.
struct ChangedShop: Reducer {
  typealias State = Shop.State
  typealias Action = Shop.Action

  var change: @Sendable (inout State, Action) -> Effect<Action>?

  init(_ change: @escaping @Sendable (inout State, Action) -> Effect<Action>?) {
    self.change = change
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if let effect = change(&state, action) { return effect }
    return Shop().reduce(into: &state, action: action)
  }
}

@Suite struct MutationTests {
  /// Steps: 1 add, 2 rate, 3 announce, 4 and 5 noted, 6 fetch, 7 fetched, 8 poll, 9 polled,
  /// 10 stopPolling, 11 roll, 12 clear.
  static let doing: [Doing<Shop.Action>] = [
    .send(.add(3)), .send(.rate), .send(.announce), .send(.fetch(1)), .wait(.milliseconds(400)),
    .send(.poll), .wait(.milliseconds(1100)), .send(.stopPolling), .send(.roll), .send(.clear),
  ]

  private typealias Change = @Sendable (inout Shop.State, Shop.Action) -> Effect<Shop.Action>?

  private func verify(
    _ options: VerifyOptions = VerifyOptions(), _ change: @escaping Change
  ) async throws -> VerifyReport {
    let setup = ReplaySetup(ChangedShop(change)) { RecordedShop.tapes(&$0, Tape()) }
    let shop = try await RecordedShop(Self.doing, setup: setup)
    return try shop.replay.verify(options)
  }

  /// The divergences of a reducer that is changed in one place, one line each.
  private func found(
    _ options: VerifyOptions = VerifyOptions(), _ change: @escaping Change
  ) async throws -> [String] {
    let report = try await verify(options, change)
    let last = report.divergences.last?.step ?? 12
    #expect(report.isPartial == (last < 12 && options.limit == 1))
    return report.divergences.map(\.line)
  }

  @Test("the unchanged reducer is found equal")
  func unchanged() async throws {
    let report = try await verify(.all) { _, _ in nil }
    #expect(report == VerifyReport(steps: 12))
  }

  @Test("runs/verified: a different state is found at its first step, path by path")
  func state() async throws {
    let found = try await found { state, action in
      guard case .add(let number) = action else { return nil }
      state.total += number + 1
      state.query = "x"
      return Effect.none
    }
    #expect(
      found == [
        "1 add: different state /total 3 → 4", #"1 add: different state /query "" → "x""#,
      ])
  }

  @Test("runs/verified: a state that is different only at the last step is found there")
  func lastState() async throws {
    let found = try await found { state, action in
      guard action == .clear else { return nil }
      state.total = 1
      state.log = []
      return Effect.none
    }
    #expect(found == ["12 clear: different state /total 0 → 1"])
  }

  @Test(
    "runs/verified: a different state after an emission, and after a send, is found at its own step"
  )
  func stateOfOthers() async throws {
    let emission = try await found { state, action in
      guard case .polled = action else { return nil }
      state.log.append("?")
      return Effect.none
    }
    #expect(emission == [#"9 polled: different state /log/3 "1" → "?""#])
    let output = try await found { state, action in
      guard action == .noted("little") else { return nil }
      return Effect.none
    }
    #expect(output == [#"5 noted: different state /log/1 "little" → —"#])
  }

  @Test("runs/verified: a step that the reducer does not send any more is missing")
  func missingStep() async throws {
    let found = try await found { _, action in
      action == .announce ? .send(.noted("first")) : nil
    }
    #expect(
      found == [
        #"5 noted: missing step {"noted":{"_0":"little"}} → — (the reducer did not send it)"#
      ])
  }

  @Test("runs/verified: a step that the reducer sends beyond the recorded ones is an extra step")
  func extraStep() async throws {
    let found = try await found { _, action in
      guard action == .announce else { return nil }
      return .merge(.send(.noted("first")), .send(.noted("little")), .send(.noted("third")))
    }
    #expect(
      found == [
        #"3 noted: extra step — → {"noted":{"_0":"third"}} (not in the recording)"#
      ])
  }

  @Test("runs/sent-at-once, runs/verified: another sent value is a different effect")
  func output() async throws {
    let found = try await found { _, action in
      guard action == .announce else { return nil }
      return .merge(.send(.noted("first")), .send(.noted("LITTLE")))
    }
    #expect(
      found == [
        #"5 noted: different effect /noted/_0 "little" → "LITTLE" "#
          + "(the reducer of step 3 sends another action)"
      ])
  }

  @Test("runs/verified: an effect that is not started, or started otherwise, is a different effect")
  func effect() async throws {
    let site = "“fetch” of ReplayTests/Shop.swift"
    let id = "cancel id ReplayTests.Shop.ID(fetch)"
    let missing = try await found { _, action in
      if case .fetch = action { return Effect.none }
      return nil
    }
    #expect(missing == [#"6 fetch: different effect ["starts \#(site), \#(id)"] → []"#])
    let renamed = try await found { _, action in
      guard case .fetch = action else { return nil }
      return .run(name: "other") { _ in }
    }
    #expect(
      renamed == [
        #"6 fetch: different effect ["starts \#(site), \#(id)"] → "#
          + #"["starts “other” of ReplayTests/MutationTests.swift"]"#
      ])
    let added = try await found { state, action in
      guard case .roll = action else { return nil }
      return .merge(
        Shop().reduce(into: &state, action: action), .run(name: "other") { _ in })
    }
    #expect(
      added == [
        #"11 roll: different effect [] → ["starts “other” of ReplayTests/MutationTests.swift"]"#
      ])
  }

  @Test("runs/verified: another number of effects from one place is a different effect")
  func effectCount() async throws {
    let found = try await found { state, action in
      guard action == .poll else { return nil }
      let poll = Shop().reduce(into: &state, action: action)
      return .merge(Shop().reduce(into: &state, action: .fetch(9)), poll)
    }
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("8 poll: different effect ") == true)
  }

  @Test("runs/verified: a lost or new cancellation is a different effect")
  func cancellation() async throws {
    let missing = try await found { state, action in
      guard action == .stopPolling else { return nil }
      state.isPolling = false
      return Effect.none
    }
    #expect(missing == [#"10 stopPolling: different effect ["cancels effect 2"] → []"#])
    let added = try await found { state, action in
      guard case .polled(let number) = action else { return nil }
      state.log.append("\(number)")
      return .cancel(id: Shop.ID.poll)
    }
    #expect(added == [#"9 polled: different effect [] → ["cancels effect 2"]"#])
  }

  @Test("runs/verified: a read that is not asked for is unused, unless that is allowed")
  func unusedRead() async throws {
    let change: Change = { state, action in
      guard action == .rate else { return nil }
      state.total += 3
      return Effect.none
    }
    #expect(
      try await found(VerifyOptions(), change) == [
        #"2 rate: unused read ["rate"] → — (the reducer does not ask for it any more)"#
      ])
    var options = VerifyOptions.all
    options.allowsUnusedReads = true
    #expect(try await found(options, change).isEmpty)
    options = .all
    options.allowsMissingReads = true
    #expect(try await found(options, change).count == 1)
  }

  @Test("runs/verified: a read that was not recorded is missing, unless that is allowed")
  func missingRead() async throws {
    let change: Change = { state, action in
      @Dependency(\.shop) var shop
      if action == .add(3) { _ = shop.rate() }
      return nil
    }
    #expect(
      try await found(VerifyOptions(), change) == [
        #"1 add: missing read — → ["rate"] (the recording has no value for it)"#
      ])
    var options = VerifyOptions.all
    options.allowsMissingReads = true
    #expect(try await found(options, change).isEmpty)
    options = .all
    options.allowsUnusedReads = true
    #expect(try await found(options, change).count == 1)
  }

  @Test("runs/verified: a reducer that asks another dependency reads differently")
  func otherRead() async throws {
    let found = try await found { state, action in
      @Dependency(\.uuid) var uuid
      guard action == .rate else { return nil }
      _ = uuid()
      state.total += 3
      return Effect.none
    }
    #expect(
      found == [
        #"2 rate: different read ["rate"] → ["uuid"] (the reducer asks other dependencies)"#
      ])
  }

  @Test("runs/verified: a recorded value of another type is a different read")
  func refusedRead() async throws {
    let found = try await found { state, action in
      guard action == .rate else { return nil }
      if Tape().value("rate", live: { "three" }) == "three" { state.total += 3 }
      return Effect.none
    }
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("2 rate: different read — → — (rate: ") == true)
  }

  @Test(
    "runs/nondeterministic: a reducer that reads a counter outside the tape is nondeterministic")
  func nondeterminism() async throws {
    let count = ReplayTestLock(0)
    let found = try await found { state, action in
      guard case .add = action else { return nil }
      state.total += 3
      state.query = count.withLock {
        $0 += 1
        return "\($0)"
      }
      return Effect.none
    }
    #expect(
      found == [
        #"1 add: nondeterministic /query "1" → "2" (two runs on the same input differ: "#
          + "a date, an id or a random number is read outside the tape)"
      ])
  }

  @Test(
    "runs/nondeterministic: a reducer that sends or starts another thing each time is nondeterministic"
  )
  func nondeterministicEffect() async throws {
    let count = ReplayTestLock(0)
    let sends = try await found { _, action in
      guard action == .announce else { return nil }
      let number = count.withLock { count in
        count += 1
        return count
      }
      return .merge(.send(.noted("first")), .send(.noted(number == 1 ? "little" : "much")))
    }
    #expect(sends.first?.hasPrefix("3 announce: nondeterministic /sends/1/noted/_0 ") == true)
  }

  @Test("runs/nondeterministic: a reducer that reads the real date is nondeterministic")
  func realDate() async throws {
    let report = try await verify { state, action in
      guard case .add = action else { return nil }
      state.total += 3
      state.query = "\(Date().timeIntervalSince1970)"
      return Effect.none
    }
    #expect(report.divergences.map(\.kind) == [.nondeterministic])
    #expect(report.divergences.first?.path == ["query"])
    #expect(report.divergences.first?.step == 1)
  }

  @Test(
    "runs/verified: every divergence is looked for from the recorded state, so each is its own step's"
  )
  func several() async throws {
    let found = try await found(.all) { state, action in
      switch action {
      case .add: state.total += 4
      case .clear: state.total = 1
      default: return nil
      }
      return Effect.none
    }
    #expect(
      found == [
        "1 add: different state /total 3 → 4",
        "12 clear: different state /total 0 → 1",
        #"12 clear: different state /log/0 — → "first""#,
        #"12 clear: different state /log/1 — → "little""#,
        #"12 clear: different state /log/2 — → "no 7""#,
        #"12 clear: different state /log/3 — → "1""#,
      ])
  }
}

extension Divergence {
  /// `3 add: different state /total 3 → 4 (hint)`
  fileprivate var line: String {
    let place = path.isRoot ? "" : " \(path)"
    let sides = "\(recorded?.text() ?? "—") → \(rerun?.text() ?? "—")"
    return "\(step) \(label): \(kind.rawValue)\(place) \(sides)\(hint.map { " (\($0))" } ?? "")"
  }
}
