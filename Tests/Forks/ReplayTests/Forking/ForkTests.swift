import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

@Suite struct ForkTests {
  static func action(_ action: Shop.Action) throws -> Value { try .encoding(action) }

  @Test("a skipped step is left out, and what comes later is run again")
  func skip() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.add(2)), .send(.add(3))])
    let run = try shop.run(leavesAt: 1, .skip(step: 2))
    #expect(run.lines == ["2 add ←3 recorded/different"])
    #expect(run.states.map(\.total) == [4])
    #expect(
      run.report.leftOut == [LeftOutStep(recordedStep: 2, label: "add", reason: .skipped)])
    #expect(run.report.ending == nil)
  }

  @Test("edits/order: inserted actions come after their step, in the order in which they were made")
  func insert() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.add(2))])
    let run = try shop.run(
      leavesAt: 1, .insert(after: 1, action: try Self.action(.noted("a"))),
      .insert(after: 2, action: try Self.action(.noted("c"))),
      .insert(after: 1, action: try Self.action(.noted("b"))))
    #expect(
      run.lines == [
        "2 noted new edited/new", "3 noted new edited/new", "4 add ←2 recorded/different",
        "5 noted new edited/new",
      ])
    #expect(run.states.last?.log == ["a", "b", "c"])
  }

  @Test("a moved step keeps its action and its reads")
  func move() async throws {
    let shop = try await RecordedShop([
      .send(.add(1)), .send(.rate), .send(.noted("x")), .send(.clear),
    ])
    let run = try shop.run(leavesAt: 1, .move(step: 2, after: 4))
    #expect(
      run.lines == [
        "2 noted ←3 recorded/different", "3 clear ←4 recorded/equal",
        "4 rate ←2 recorded/different",
      ])
    #expect(run.states.map(\.total) == [1, 0, 3])
  }

  @Test("edits/descent: a step descends from the recorded step whose action it is, edited or not")
  func descent() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.add(2)), .send(.add(3))])
    let run = try shop.run(
      leavesAt: 0, .replace(step: 2, action: try Self.action(.clear)),
      .insert(after: 2, action: try Self.action(.add(9))))
    #expect(
      run.lines == [
        "1 add ←1 recorded/equal", "2 clear ←2 edited/different", "3 add new edited/new",
        "4 add ←3 recorded/different",
      ])
  }

  @Test("edits/set-state: a state set by hand is edited, and so is every step after it")
  func set() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.add(2)), .send(.add(3))])
    let run = try shop.run(leavesAt: 1, .set(step: 2, pointer: ["total"], value: 100))
    #expect(
      run.lines == [
        "2 add ←2 recorded/equal", "3 state set by hand new edited/new",
        "4 add ←3 edited/different",
      ])
    #expect(run.states.map(\.total) == [3, 100, 103])
  }

  @Test("a value that the state cannot have ends the branch there and says why")
  func badSet() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.add(2))])
    let run = try shop.run(leavesAt: 1, .set(step: 1, pointer: ["total"], value: "many"))
    #expect(run.lines == [])
    let ending = try #require(run.report.ending)
    #expect((ending.step, ending.outcome) == (2, .undecodable))
    #expect(ending.reason.hasPrefix("/total: "))
  }

  @Test("an inserted action that does not decode ends the branch there")
  func badAction() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.add(2))])
    let run = try shop.run(leavesAt: 1, .insert(after: 2, action: ["fly": [:]]))
    #expect(run.lines == ["2 add ←2 recorded/equal"])
    let ending = try #require(run.report.ending)
    #expect((ending.step, ending.outcome) == (3, .undecodable))
  }

  @Test(
    "recordings/undecodable: a changed action that does not decode takes no recorded state",
    arguments: [0, nil])
  func badReplacement(first: Int?) async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.add(2)), .send(.add(3))])
    let replay = try SessionReplay(shop.session, ReplaySetup(Shop()))
    let bad = Edit.replace(step: 2, action: ["add": ["_0": "many"]])
    let report = try replay.run([Script(leavesAt: 1, edits: [bad])], from: first)
    let ending = try #require(report.ending)
    #expect((ending.step, ending.outcome) == (2, .undecodable))
  }

  @Test("forks/rejoin: a branch that meets its parent again shares the rest")
  func rejoining() async throws {
    let actions = (0..<300).map { $0 == 200 ? Shop.Action.clear : .add(1) }
    let shop = try await RecordedShop(actions.map { .send($0) })
    let run = try shop.run(leavesAt: 9, .skip(step: 10))
    let rejoining = try #require(run.report.rejoining)
    #expect(rejoining.step == rejoining.parentStep - 1)
    #expect(rejoining.parentStep > 200)
    #expect(run.report.lastStep == rejoining.step)
    #expect(shop.session.isKeyframe(rejoining.parentStep))
    #expect(run.lines.count == rejoining.step - 9)
  }

  @Test("forks/rejoin: a later edit, or a value from the generator, keeps a branch from rejoining")
  func noRejoining() async throws {
    let actions = (0..<300).map { $0 == 200 ? Shop.Action.clear : .add(1) }
    let shop = try await RecordedShop(actions.map { .send($0) })
    let later = try shop.run(leavesAt: 9, .skip(step: 10), .skip(step: 300))
    #expect(later.report.rejoining == nil)
    let drawn = try shop.run(
      leavesAt: 9, .insert(after: 9, action: try Self.action(.roll)))
    #expect(drawn.report.rejoining == nil)
    #expect(drawn.states.last == shop.states.last)
  }

  @Test("forks/rejoin: a branch does not rejoin in the middle of its parent's turn")
  func noRejoiningInsideTurn() async throws {
    // The states around the sender are equal everywhere, so each keyframe would do.
    let doing: [Doing<Shop.Action>] = (0..<80).flatMap { _ in [.send(.announce), .send(.clear)] }
    let shop = try await RecordedShop(doing)
    for step in stride(from: 1, to: 200, by: 12) where try shop.session.step(step).cause == .user {
      let run = try shop.run(leavesAt: step - 1, .skip(step: step))
      let skipped = run.report.leftOut.map(\.recordedStep)
      #expect(skipped == [step, step + 1, step + 2], "step \(step)")
    }
  }

  @Test("forks/rejoin: with another set of effects in flight nothing is shared")
  func otherEffects() async throws {
    let actions = (0..<300).map { $0 == 200 ? Shop.Action.clear : .add(1) }
    let shop = try await RecordedShop(actions.map { .send($0) })
    let run = try shop.run(
      leavesAt: 9, .insert(after: 9, action: try Self.action(.fetch(1))))
    #expect(run.report.rejoining == nil)
    #expect(run.report.pending.count == 1)
  }

  @Test("forks/of-fork: a fork of a fork runs on its parent's steps")
  func nested() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.add(2)), .send(.add(3))])
    let first = Script(
      leavesAt: 1, edits: [.replace(step: 2, action: try Self.action(.add(20)))])
    let second = Script(
      parent: "first", leavesAt: 2, edits: [.insert(after: 2, action: try Self.action(.add(100)))])
    let run = try shop.run([first, second])
    #expect(run.lines == ["3 add new edited/new", "4 add ←3 recorded/different"])
    #expect(run.states.map(\.total) == [121, 124])
    #expect(
      try shop.replay.state(of: [first, second], after: 4) == .encoding(run.states[1]))
  }

  @Test("forks/inherited-doubt: a fork of a fork inherits the doubt of its parent")
  func nestedDoubt() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.add(2)), .send(.add(3))])
    let first = Script(leavesAt: 1, edits: [.insert(after: 1, action: try Self.action(.roll))])
    let second = Script(
      parent: "first", leavesAt: 3, edits: [.insert(after: 3, action: try Self.action(.add(1)))])
    #expect(
      try shop.run([first, second]).lines
        == ["4 add new assumed/new", "5 add ←4 assumed/different"])
  }

  @Test("an edit of a step that the branch shares with its parent is refused")
  func outside() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.add(2))])
    #expect(throws: ReplayError.editOutside(1, branch: 2...2)) {
      try shop.run(leavesAt: 1, .skip(step: 1))
    }
    #expect(throws: ReplayError.noSuchStep(7, available: 0...2)) {
      try shop.run(leavesAt: 7)
    }
  }

  @Test("a run stops where it is told to, and between two steps when it is cancelled")
  func stopping() async throws {
    let shop = try await RecordedShop((0..<20).map { .send(.add($0)) })
    let script = Script(leavesAt: 3, edits: [.skip(step: 5)])
    let report = try shop.replay.run([script], until: 9)
    #expect(report.lastStep == 9)
    let count = ReplayTestLock(0)
    var control = RunControl()
    control.isCancelled = {
      count.withLock {
        $0 += 1; return $0 > 8
      }
    }
    #expect(throws: ReplayError.cancelled) { try shop.replay.run([script], control: control) }
  }

  @Test("only the report: the same end, without a step being told or compared")
  func reportOnly() async throws {
    let shop = try await RecordedShop((0..<20).map { .send(.add($0)) })
    let script = Script(leavesAt: 3, edits: [.skip(step: 5)])
    var told = 0
    let report = try shop.replay.run([script], from: nil) { _ in told += 1 }
    #expect(told == 0)
    #expect(report.lastStep == 19)
    #expect(
      try shop.replay.state(of: [script], after: 19)["total"]
        == .number(Number((0..<20).reduce(0, +) - 4)))
  }
}
