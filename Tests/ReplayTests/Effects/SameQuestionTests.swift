import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

/// Effects that start in another state and ask what they asked: their code is the same, and so is what it
/// has captured.
@Suite struct SameQuestionTests {
  @Test("rule 10: an effect that has captured what it had asks the same, whatever the state")
  func sameCaptures() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.poll), .wait(.seconds(2))])
    let run = try shop.run(leavesAt: 0, .replace(step: 1, action: .encoding(Shop.Action.add(5))))
    #expect(
      run.lines == [
        "1 add ←1 edited/different", "2 poll ←2 recorded/different",
        "3 polled ⚡1 ←3 recorded/different", "4 polled ⚡1 ←4 recorded/different",
      ])
    #expect(run.report.assumptions.isEmpty)
  }

  @Test("rule 11: an effect that asks the same is in doubt behind a lost answer, and nowhere else")
  func lostEmission() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.poll), .wait(.milliseconds(2_500))])
    let run = try shop.run(
      leavesAt: 0, .replace(step: 1, action: .encoding(Shop.Action.add(5))), .skip(step: 3))
    #expect(
      run.lines == [
        "1 add ←1 edited/different", "2 poll ←2 recorded/different",
        "3 polled ⚡1 ←4 assumed/different",
      ])
    #expect(
      run.report.assumptions.map(\.sentence) == [
        "an earlier answer of effect 1 “poll” of step 2 was left out"
      ])
  }

  @Test("rule 10: what is chained is compared by itself: the pause is the same, the search is not")
  func chained() async throws {
    let shop = try await RecordedShop([.send(.type("a")), .wait(.seconds(1))])
    let other = try shop.run(
      leavesAt: 0, .replace(step: 1, action: .encoding(Shop.Action.type("b"))))
    #expect(
      other.lines == ["1 type ←1 edited/different", "2 found ⚡2 ←2 assumed/different"])
    #expect(
      other.report.assumptions.map(\.sentence) == [
        "effect 2 “search” of step 1 was started under other circumstances: it may speak at any moment",
        "an old answer: effect 2 “search” of step 1 was started under other circumstances",
      ])
    let chain = try await RecordedShop([.send(.add(1)), .send(.chain), .wait(.seconds(1))])
    let same = try chain.run(leavesAt: 0, .skip(step: 1))
    #expect(
      same.lines == [
        "1 chain ←2 recorded/different", "2 chained ⚡1 ←3 recorded/different",
        "3 noted of 1 ←4 recorded/different", "4 chained ⚡2 ←5 recorded/different",
      ])
    #expect(same.report.assumptions.isEmpty)
  }

  @Test("rule 10: the same question at another time is another one")
  func otherTime() async throws {
    let shop = try await RecordedShop([
      .send(.add(1)), .wait(.seconds(1)), .send(.poll), .wait(.seconds(2)),
    ])
    let run = try shop.run(leavesAt: 0, .move(step: 2, after: 0))
    #expect(run.report.assumptions.map(\.kind) == [.open, .stale])
  }
}
