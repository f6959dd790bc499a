import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

/// The actions that reducers send at once.
@Suite struct OutputTests {
  @Test("runs/sent-at-once: the fork computes what a reducer sends at once")
  func anew() async throws {
    let shop = try await RecordedShop([.send(.add(20)), .send(.announce), .send(.add(1))])
    let run = try shop.run(
      leavesAt: 0, .replace(step: 1, action: try .encoding(Shop.Action.add(2))))
    #expect(
      run.lines == [
        "1 add ←1 edited/different",
        "2 announce ←2 recorded/different",
        "3 noted of 2 ←3 recorded/different",
        "4 noted of 2 ←4 recorded/different",
        "5 add ←5 recorded/different",
      ])
    #expect(run.states.last?.log == ["first", "little"])
    #expect(run.report.leftOut == [])
  }

  @Test("runs/sent-at-once: a sender that is left out takes its sends with it")
  func leftOut() async throws {
    let shop = try await RecordedShop([.send(.announce), .send(.add(1))])
    let run = try shop.run(leavesAt: 0, .skip(step: 1))
    #expect(run.lines == ["1 add ←4 recorded/different"])
    #expect(
      run.report.leftOut == [
        LeftOutStep(recordedStep: 1, label: "announce", reason: .skipped),
        LeftOutStep(recordedStep: 2, label: "noted", reason: .notSent),
        LeftOutStep(recordedStep: 3, label: "noted", reason: .notSent),
      ])
  }

  @Test("a step that a reducer sent can be skipped and replaced, too")
  func edits() async throws {
    let shop = try await RecordedShop([.send(.announce), .send(.add(1))])
    let run = try shop.run(
      leavesAt: 1, .skip(step: 2),
      .replace(step: 3, action: try .encoding(Shop.Action.noted("mine"))))
    #expect(
      run.lines == ["2 noted of 1 ←3 edited/different", "3 add ←4 recorded/different"])
    #expect(run.states.last?.log == ["mine"])
  }

  @Test("forks/inside-turn: a fork inside of a turn begins with the rest of the turn")
  func insideTurn() async throws {
    let shop = try await RecordedShop([.send(.announce), .send(.add(1))])
    let run = try shop.run(
      leavesAt: 2, .insert(after: 2, action: try .encoding(Shop.Action.add(5))))
    #expect(
      run.lines == [
        "3 noted of 1 ←3 recorded/equal", "4 add new edited/new", "5 add ←4 recorded/different",
      ])
    #expect(run.states.last?.total == 6)
  }

  @Test("forks/inside-turn: free stepping from inside of a turn begins with the rest of the turn")
  func freeStepping() async throws {
    let shop = try await RecordedShop([.send(.announce), .send(.add(1))])
    let run = try shop.run(
      leavesAt: 2, rest: .nothing, .insert(after: 2, action: try .encoding(Shop.Action.add(5))))
    #expect(run.lines == ["3 noted of 1 ←3 recorded/equal", "4 add new edited/new"])
  }

  @Test(
    "edits/moved-send: a step that a reducer sent and the user moved runs once, at its new place")
  func moved() async throws {
    let shop = try await RecordedShop([.send(.add(20)), .send(.announce), .send(.add(1))])
    let run = try shop.run(
      leavesAt: 0, .replace(step: 1, action: try .encoding(Shop.Action.add(2))),
      .move(step: 4, after: 5))
    // The recorded action says "much": what is moved is what the branch's reducer sent.
    #expect(
      run.lines == [
        "1 add ←1 edited/different", "2 announce ←2 recorded/different",
        "3 noted of 2 ←3 recorded/different", "4 add ←5 recorded/different",
        "5 noted of 2 ←4 recorded/different",
      ])
    #expect(run.states.last?.log == ["first", "little"])
    #expect(run.report.leftOut == [])
  }

  @Test("edits/moved-send: a step that is moved before its sender is the recorded one, and assumed")
  func movedForward() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.announce), .send(.add(1))])
    let run = try shop.run(leavesAt: 0, .move(step: 3, after: 1))
    #expect(
      run.lines == [
        "1 add ←1 recorded/equal", "2 noted ←3 assumed/equal",
        "3 announce ←2 assumed/different", "4 noted of 3 ←4 assumed/equal",
        "5 add ←5 assumed/equal",
      ])
    #expect(run.states.last?.log == ["first", "little"])
    #expect(run.report.leftOut == [])
  }

  @Test("edits/moved-send: a send behind an effect that does not run here is not left out, too")
  func movedFromEnd() async throws {
    let shop = try await RecordedShop([
      .send(.settle("late")), .wait(.seconds(1)), .send(.add(1)),
    ])
    let run = try shop.run(leavesAt: 0, .skip(step: 1), .move(step: 2, after: 3))
    #expect(run.lines == ["1 add ←3 recorded/different", "2 noted ←2 assumed/different"])
    #expect(
      run.report.leftOut == [LeftOutStep(recordedStep: 1, label: "settle", reason: .skipped)])
  }

  @Test("a moved step that was skipped, too, is left out once")
  func movedAndSkipped() async throws {
    let shop = try await RecordedShop([.send(.announce), .send(.add(1))])
    let run = try shop.run(leavesAt: 0, .move(step: 2, after: 4), .skip(step: 2))
    #expect(
      run.lines == [
        "1 announce ←1 recorded/equal", "2 noted of 1 ←3 recorded/different",
        "3 add ←4 recorded/different",
      ])
    #expect(
      run.report.leftOut == [LeftOutStep(recordedStep: 2, label: "noted", reason: .skipped)])
  }

  @Test("a step that is moved twice is at its last place only")
  func movedTwice() async throws {
    let shop = try await RecordedShop([
      .send(.add(1)), .send(.noted("a")), .send(.noted("b")), .send(.noted("c")),
    ])
    let run = try shop.run(leavesAt: 0, .move(step: 2, after: 4), .move(step: 2, after: 3))
    #expect(run.states.last?.log == ["b", "a", "c"])
    #expect(run.lines.count == 4)
  }

  @Test("a moved sender takes its sends with it")
  func movedSender() async throws {
    let shop = try await RecordedShop([.send(.announce), .send(.add(30))])
    let run = try shop.run(leavesAt: 0, .move(step: 1, after: 4))
    #expect(
      run.lines == [
        "1 add ←4 recorded/different", "2 announce ←1 recorded/different",
        "3 noted of 2 ←2 recorded/different", "4 noted of 2 ←3 recorded/different",
      ])
    #expect(run.states.last?.log == ["first", "much"])
    #expect(run.report.leftOut == [])
  }
}
