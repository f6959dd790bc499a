import StoreCore
import Testing

@testable import Replay

/// Reducers that ask for things in another order, or after another pause, than the recorded one.
@Suite struct OrderTests {
  enum Change: Sendable { case none, sends, pause, merge, walk, build }

  struct Errand: Reducer {
    struct State: Codable, Hashable, Sendable {
      var notes: [String] = []
      var tags: Set<String> = []
    }

    enum Action: Codable, Hashable, Sendable {
      case both, settle, pair, walk
      case tag(String)
      case noted(String)
    }

    enum ID: Hashable, Sendable { case settle }

    var change = Change.none
    @Dependency(\.continuousClock) var clock

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .both:
        let parts: [Effect<Action>] = [.send(.noted("a")), .send(.noted("b"))]
        return .merge(change == .sends ? Array(parts.reversed()) : parts)
      case .settle:
        return .send(.noted("settled"))
          .debounce(id: ID.settle, for: .milliseconds(change == .pause ? 500 : 300))
      case .pair:
        let parts = ["left", "right"].map { name in
          Effect<Action>.run(name: name) { [clock] send in
            try await clock.sleep(for: .milliseconds(100))
            await send(.noted(name))
          }
        }
        return .merge(change == .merge ? Array(parts.reversed()) : parts)
      case .walk where change == .walk: state.notes = Array(state.tags)
      case .walk where change == .build: state.notes = Array(Set(state.tags.sorted()))
      case .walk: state.notes = state.tags.sorted()
      case .tag(let tag): state.tags.insert(tag)
      case .noted(let note): state.notes.append(note)
      }
      return .none
    }
  }

  private func report(
    _ change: Change, _ doing: [Doing<Errand.Action>], recordedBy before: Change = .none
  ) async throws -> [String] {
    let (session, _, file) = try await record(
      Errand(change: before), from: Errand.State(), doing)
    defer { withExtendedLifetime(file) {} }
    let report = try SessionReplay(session, ReplaySetup(Errand(change: change))).verify(.all)
    return report.divergences.map {
      "\($0.step) \($0.label): \($0.kind.rawValue)\($0.hint.map { "; \($0)" } ?? "")"
    }
  }

  @Test("counterexample 6: what a reducer sends in another order is told at the first that differs")
  func sends() async throws {
    #expect(try await report(.none, [.send(.both)]) == [])
    #expect(
      try await report(.sends, [.send(.walk), .send(.both)]) == [
        "3 noted: different effect; the reducer of step 2 sends its actions in another order"
      ])
  }

  @Test("counterexample 7: another pause, and merged effects that changed places, are changes")
  func pauses() async throws {
    let settled: [Doing<Errand.Action>] = [.send(.settle), .wait(.seconds(1))]
    #expect(try await report(.pause, settled) == ["1 settle: different effect"])
    let paired: [Doing<Errand.Action>] = [.send(.pair), .wait(.seconds(1))]
    #expect(
      try await report(.merge, paired) == [
        "1 pair: different effect; the same in another order"
      ])
  }

  @Test("counterexample 8: a reducer that walks a set is told to hang on the order of a hash table")
  func hashOrder() async throws {
    let tags = (1...12).map { Doing<Errand.Action>.send(.tag("tag \($0)")) }
    #expect(
      try await report(.walk, tags + [.send(.walk)]) == [
        "13 walk: nondeterministic; \(VerificationFindings.hashOrder)"
      ])
  }

  @Test(
    "counterexample 8: three elements may come in one order by luck, but not each time",
    arguments: [Change.walk, .build])
  func smallHashOrder(_ change: Change) async throws {
    // One session in thousands is missed; with two runs it was one in forty. Two of 120 can be
    // bad luck: then more sessions decide.
    var missed = 0
    for number in 1...720 where number <= 120 || missed > 1 {
      let tags = (1...3).map { Doing<Errand.Action>.send(.tag("tag \(number) \($0)")) }
      let found = try await report(change, tags + [.send(.walk)], recordedBy: change)
      if found.first?.hasPrefix("4 walk: nondeterministic; ") != true { missed += 1 }
    }
    #expect(missed < 7)
  }
}
