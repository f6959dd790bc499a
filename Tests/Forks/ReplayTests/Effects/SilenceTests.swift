import SessionWords
import StoreCore
import StoreRecording
import Testing
import ValueTree

@testable import Replay

/// Effects without a recorded answer, because the recording holds the answer to another question,
/// or none.
@Suite struct SilenceTests {
  private static func action(_ action: Shop.Action) throws -> Value { try .encoding(action) }

  @Test("forks/inherited-doubt: what is assumed after a state set by hand is shown as assumed")
  func assumedAfterSet() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.fetch(1)), .wait(.seconds(1))])
    let run = try shop.run(leavesAt: 1, .set(step: 1, pointer: ["total"], value: 7))
    #expect(
      run.lines == [
        "2 state set by hand new edited/new", "3 fetch ←2 edited/different",
        "4 fetched ⚡1 ←3 assumed/different",
      ])
  }

  @Test("effects/stale-answer: a changed effect in flight at the end is unanswered")
  func inFlight() async throws {
    let shop = try await RecordedShop(
      [.send(.add(1)), .send(.fetch(1))], RecordingWays(isLetGo: false))
    let run = try shop.run(
      leavesAt: 0, .replace(step: 1, action: try Self.action(.add(5))))
    #expect(run.lines == ["1 add ←1 edited/different", "2 fetch ←2 recorded/different"])
    #expect(run.report.pending.map(\.isUnanswered) == [true])
    #expect(run.report.assumptions.map(\.step) == [3])
    let same = try shop.run(leavesAt: 1)
    #expect(same.report.pending.map(\.isUnanswered) == [false])
  }

  @Test("effects/stale-answer: a changed effect is open from its start, even cancelled")
  func quietEnds() async throws {
    let shop = try await RecordedShop([
      .send(.add(1)), .send(.fetch(1)), .send(.fetch(2)), .send(.cancelFetch),
    ])
    let run = try shop.run(leavesAt: 0, .replace(step: 1, action: try Self.action(.add(5))))
    #expect(
      run.lines == [
        "1 add ←1 edited/different", "2 fetch ←2 recorded/different", "3 fetch ←3 open/different",
        "4 cancelFetch ←4 open/different",
      ])
    #expect(
      run.report.assumptions.map(\.sentence) == [
        "effect 1 “fetch” of step 2 was started under different conditions: it may send an action at any moment",
        "effect 2 “fetch” of step 3 was started under different conditions: it may send an action at any moment",
      ])
    #expect(try shop.run(leavesAt: 1).report.assumptions.isEmpty)
  }

  @Test("effects/stale-answer: what follows a changed, silent effect is assumed")
  func chainAfterSilence() async throws {
    let shop = try await RecordedShop([
      .send(.add(1)), .send(.noisy), .wait(.seconds(1)), .send(.add(2)),
    ])
    let run = try shop.run(leavesAt: 0, .replace(step: 1, action: try Self.action(.add(5))))
    #expect(
      run.lines == [
        "1 add ←1 edited/different", "2 noisy ←2 recorded/different",
        "3 noted of 2 ←3 assumed/different", "4 add ←4 assumed/different",
      ])
  }

  @Test(
    "forks/standing: what is not known of a step that was skipped is not known of anything else")
  func skippedAfterSilence() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.noisy), .wait(.seconds(1))])
    let run = try shop.run(
      leavesAt: 1, .set(step: 1, pointer: ["total"], value: 7), .skip(step: 3))
    #expect(
      run.lines == ["2 state set by hand new edited/new", "3 noisy ←2 edited/different"])
    #expect(run.report.assumptions.map(\.kind) == [.edited, .open])
  }

  @Test("effects/same-capture: what a moved step's effect answered comes after the same time")
  func movedBefore() async throws {
    let shop = try await RecordedShop([
      .send(.noted("a")), .wait(.seconds(1)), .send(.fetch(1)), .wait(.seconds(1)),
    ])
    let run = try shop.run(leavesAt: 0, .move(step: 2, after: 0))
    #expect(
      run.lines == [
        "1 fetch ←2 recorded/different", "2 noted ←1 recorded/equal",
        "3 fetched ⚡1 ←3 recorded/equal",
      ])
    #expect(run.report.assumptions.isEmpty)
  }

  @Test("effects/unanswered: an effect that was moved behind its recorded answer is unanswered")
  func movedBehind() async throws {
    let shop = try await RecordedShop([
      .send(.fetch(1)), .wait(.seconds(1)), .send(.noted("a")), .wait(.seconds(1)),
    ])
    let run = try shop.run(leavesAt: 0, .move(step: 1, after: 3))
    #expect(run.lines == ["1 noted ←3 recorded/different", "2 fetch ←1 recorded/different"])
    #expect(run.report.leftOut.map(\.recordedStep) == [2])
    let pending = try #require(run.report.pending.first)
    #expect(pending.isUnanswered)
    #expect(pending.recorded.map(\.step) == [2, 2])
  }

  @Test("endings/pause: a pause that was moved is over by the branch's clock")
  func movedPause() async throws {
    let shop = try await RecordedShop([
      .send(.type("a")), .wait(.milliseconds(600)), .send(.add(1)), .wait(.milliseconds(300)),
      .send(.add(2)), .wait(.seconds(2)), .send(.add(3)),
    ])
    let run = try shop.run(leavesAt: 0, .move(step: 1, after: 2))
    #expect(run.states.map(\.log) == [[], [], [], ["a"], ["a"]])
    #expect(run.report.pending.isEmpty)
  }

  @Test("effects/unanswered: when one part of a chain is cancelled by hand the next one starts")
  func chainGoesOn() async throws {
    let shop = try await RecordedShop([.send(.chain)], RecordingWays(isLetGo: false))
    let cancel = Edit.answer(EffectAnswer(effect: 1, after: 1, outcome: .cancel))
    let run = try shop.run(leavesAt: 1, cancel)
    #expect(run.lines == ["2 noted of 1 new recorded/new"])
    #expect(run.report.pending.map(\.origin.name) == ["two"])
    #expect(run.report.pending.map(\.isUnanswered) == [true])
  }
}
