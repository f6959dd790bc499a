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

/// Forks that once called an untrue step known. The second one is in `QuestionTests`.
@Suite struct CounterexampleTests {
  private struct RecordedDesk {
    let states: [Desk.State]
    let replay: SessionReplay
    let file: TemporaryFile

    init(_ doing: [Doing<Desk.Action>]) async throws {
      let recorded = try await record(Desk(), from: Desk.State(), doing) { values, tape in
        values.date = .constant(Date(timeIntervalSince1970: 1_000))
        values.desk.putOnTape(tape)
      }
      (states, file) = (recorded.states, recorded.file)
      let setup = ReplaySetup(Desk()) {
        // A read that is not recorded costs nothing.
        $0.desk.price = { _ in 0 }
        $0.desk.putOnTape(Tape())
      }
      replay = try SessionReplay(recorded.session, setup)
    }

    func run(
      _ scripts: [Script]
    ) throws -> (lines: [String], steps: [BranchStep], report: BranchReport) {
      var steps: [BranchStep] = []
      let report = try replay.run(scripts) { steps.append($0) }
      return (steps.map(\.line), steps, report)
    }
  }

  private static func value(_ action: Desk.Action) throws -> Value { try .encoding(action) }

  @Test("counterexample 1: an inserted effect may speak from its start on, until it is answered")
  func mayspeak() async throws {
    let desk = try await RecordedDesk([
      .send(.add(2)), .send(.noted("a")), .send(.noted("b")), .send(.announce),
    ])
    var script = Script(
      leavesAt: 1, edits: [.insert(after: 1, action: try Self.value(.maybe(3)))])
    let run = try desk.run([script])
    #expect(
      run.lines == [
        "2 maybe new edited/new", "3 noted ←2 open/equal", "4 noted ←3 open/equal",
        "5 announce ←4 open/equal", "6 noted of 5 ←5 open/equal", "7 noted of 5 ←6 open/equal",
      ])
    let assumption = try #require(run.steps[1].standing.assumptions.first)
    #expect(run.report.assumptions == [assumption])
    #expect(
      assumption
        == Assumption(
          .open, .effect(1_000_000_001), from: 3,
          "the effect “maybe” that step 2 starts here is unanswered: it may send an action at any moment"
        ))
    #expect(assumption.settling == "Answer it, or end or cancel it")

    for outcome in [EffectAnswer.Outcome.emit(action: try Self.value(.came(3))), .finish] {
      script.edits.append(
        .answer(EffectAnswer(effect: 1_000_000_001, after: 2, outcome: outcome)))
    }
    let settled = try desk.run([script])
    #expect(
      settled.lines == [
        "2 maybe new edited/new", "3 noted ←2 recorded/equal",
        "4 came ⚡1000000001 new edited/new", "5 noted ←3 recorded/different",
        "6 announce ←4 recorded/different", "7 noted of 6 ←5 recorded/different",
        "8 noted of 6 ←6 recorded/different",
      ])
    #expect(settled.steps[5].step.action == (try Self.value(.noted("one 5"))))
    #expect(settled.report.assumptions.isEmpty)
  }

  @Test("counterexample 3: a moved step loses its old date, and takes the date of its new place")
  func movedDate() async throws {
    let desk = try await RecordedDesk([
      .send(.stamp), .wait(.seconds(60)), .send(.add(1)), .wait(.seconds(60)), .send(.add(2)),
      .send(.add(3)),
    ])
    let script = Script(leavesAt: 0, edits: [.move(step: 1, after: 3)])
    let run = try desk.run([script])
    #expect(
      run.lines == [
        "1 add ←2 recorded/different", "2 add ←3 recorded/different",
        "3 stamp ←1 assumed/different",
        "4 add ←4 assumed/different",
      ])
    #expect(
      run.report.assumptions.map(\.sentence) == [
        "“date” was read at another time: the branch's time is used"
      ])
    #expect(run.report.assumptions.map(\.settling) == ["Say what “date” gives at step 3"])
    let state = try ValueDecoder().decode(
      Desk.State.self, from: try desk.replay.state(of: [script], after: 3))
    // The session begins at 2026-11-20, 10:56.
    #expect(state.stamps.map(\.timeIntervalSince1970) == [1_795_172_160 + 120])
    // Moved to where the time is the same, it asks the same.
    let near = try desk.run([Script(leavesAt: 2, edits: [.move(step: 4, after: 2)])])
    #expect(near.report.assumptions.isEmpty)
  }

  @Test("counterexample 4: what happened before a fork's first own step is its, and its forks'")
  func beforeTheFirstStep() async throws {
    let shop = try await RecordedShop([
      .send(.type("a")), .wait(.milliseconds(300)), .send(.type("ab")), .wait(.seconds(2)),
      .send(.add(1)),
    ])
    let first = Script(leavesAt: 1, edits: [.skip(step: 2)])
    var events: [EffectEvent] = []
    _ = try shop.replay.run([first]) { events += $0.effects }
    #expect(
      events.prefix(2).map { "\($0.effect) after \($0.step) \($0.time?.inSeconds ?? 0)" } == [
        "1 after 1 0.5", "1000000001 after 1 0.5",
      ])
    let insert = Edit.insert(after: 1, action: try .encoding(Shop.Action.add(5)))
    let one = try shop.run([first])
    let other = try shop.run([first, Script(parent: "first", leavesAt: 1, edits: [insert])])
    #expect(one.lines == ["2 add ←4 open/different"])
    #expect(other.lines == ["2 add new open/new", "3 add ←2 open/different"])
    #expect(other.report.pending.map(\.effect) == one.report.pending.map(\.effect))

    // A fork of which no own step comes tells it in its report.
    let silent = Script(leavesAt: 1, edits: [.skip(step: 2), .skip(step: 4)])
    let report = try shop.run([silent]).report
    #expect(report.lastStep == 1)
    #expect(report.pending.map(\.isUnanswered) == [true])
  }

  @Test("counterexample 5: a state that happens to be equal again does not end a doubt")
  func coincidence() async throws {
    let desk = try await RecordedDesk((0..<250).map { _ in .send(.noted("x")) })
    let price = Edit.insert(after: 9, action: try Self.value(.price))
    let run = try desk.run([Script(leavesAt: 9, edits: [price])])
    #expect(run.report.rejoining == nil)
    #expect(run.lines.count == 242)
    #expect(run.lines.last == "251 noted ←250 assumed/equal")
    #expect(run.report.assumptions.map(\.subject) == [.read(key: "price", index: 0)])
    // A step of the user that changes nothing raises no doubt.
    let scroll = Edit.insert(after: 9, action: try Self.value(.add(0)))
    let known = try desk.run([Script(leavesAt: 9, edits: [scroll])])
    #expect(known.report.rejoining != nil)
  }
}
