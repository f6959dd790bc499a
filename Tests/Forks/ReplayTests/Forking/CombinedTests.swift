import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

/// Several edits at once, and edits where something is under way.
@Suite struct CombinedTests {
  private static func action(_ action: Shop.Action) throws -> Value { try .encoding(action) }
  private static func noted(_ text: String) throws -> Value { try action(.noted(text)) }

  @Test("a step that is moved and replaced runs once, at its new place, as edited")
  func moveAndReplace() async throws {
    let shop = try await RecordedShop([
      .send(.noted("a")), .send(.noted("b")), .send(.noted("c")),
    ])
    let run = try shop.run(
      leavesAt: 0, .move(step: 1, after: 3), .replace(step: 1, action: try Self.noted("x")))
    #expect(
      run.lines == [
        "1 noted ←2 recorded/different", "2 noted ←3 recorded/different",
        "3 noted ←1 edited/different",
      ])
    #expect(run.states.last?.log == ["b", "c", "x"])
  }

  @Test("a step that is moved and skipped is left out, once, wherever it was moved")
  func moveAndSkip() async throws {
    let shop = try await RecordedShop([
      .send(.noted("a")), .send(.noted("b")), .send(.noted("c")),
    ])
    let orders: [[Edit]] = [
      [.move(step: 1, after: 3), .skip(step: 1)], [.skip(step: 1), .move(step: 1, after: 3)],
    ]
    for edits in orders {
      let run = try shop.run([Script(leavesAt: 0, edits: edits)])
      #expect(run.states.last?.log == ["b", "c"])
      #expect(run.report.leftOut.map(\.recordedStep) == [1])
    }
  }

  @Test(
    "forks/inside-turn: insertions between the sends of a turn come after the turn, in their order")
  func insertBetweenSends() async throws {
    let shop = try await RecordedShop([.send(.announce), .send(.add(1))])
    let run = try shop.run(
      leavesAt: 0, .insert(after: 2, action: try Self.noted("x")),
      .insert(after: 1, action: try Self.noted("y")),
      .insert(after: 3, action: try Self.noted("z")))
    #expect(
      run.lines == [
        "1 announce ←1 recorded/equal", "2 noted of 1 ←2 recorded/equal",
        "3 noted of 1 ←3 recorded/equal", "4 noted new edited/new", "5 noted new edited/new",
        "6 noted new edited/new", "7 add ←4 recorded/different",
      ])
    #expect(run.states.last?.log == ["first", "little", "y", "x", "z"])
  }

  @Test("an insertion has the time of its place, also where what was there is left out")
  func insertBehindLeftOut() async throws {
    // It fails after 150 ms, and nothing else happens there.
    let shop = try await RecordedShop([
      .send(.noted("a")), .send(.crash(2)), .wait(.seconds(1)), .send(.noted("b")),
    ])
    for edits in [[], [Edit.skip(step: 2)]] {
      let insertion = Edit.insert(after: 2, action: try Self.noted("x"))
      var times: [String: Duration] = [:]
      _ = try shop.replay.run([Script(leavesAt: 1, edits: edits + [insertion])]) {
        times[$0.step.action["noted"]?["_0"]?.text() ?? ""] = $0.step.time
      }
      #expect(times["\"x\""] == .milliseconds(150))
    }
  }

  @Test("an emission of an effect is edited: what the effect sends later stays as it was")
  func editedEmission() async throws {
    let shop = try await RecordedShop([.send(.poll), .wait(.seconds(3)), .send(.add(1))])
    let run = try shop.run(
      leavesAt: 2, .replace(step: 3, action: try Self.action(.polled(20))))
    #expect(
      run.lines == [
        "3 polled ⚡1 ←3 edited/different", "4 polled ⚡1 ←4 recorded/different",
        "5 add ←5 recorded/different",
      ])
    #expect(run.states.last?.log == ["1", "20", "3"])
  }

  @Test("an emission that is inserted before its effect starts is nobody's, and the answer stays")
  func emissionBeforeStart() async throws {
    let shop = try await RecordedShop([
      .send(.add(1)), .send(.fetch(1)), .wait(.seconds(1)), .send(.add(1)),
    ])
    let early = try shop.run(leavesAt: 0, .move(step: 3, after: 1))
    #expect(early.report.leftOut.map { "\($0.recordedStep) \($0.reason)" } == ["3 notStarted"])
    #expect(early.states.last?.log == [])
  }

  @Test("answers/by-hand: an early cancellation does nothing; a later one orphans")
  func cancelBeforeStart() async throws {
    let shop = try await RecordedShop([
      .send(.add(1)), .send(.fetch(1)), .wait(.seconds(1)), .send(.add(1)),
    ])
    let before = try shop.run(leavesAt: 1, .insert(after: 1, action: try Self.action(.cancelFetch)))
    #expect(
      before.lines == [
        "2 cancelFetch new edited/new", "3 fetch ←2 recorded/equal",
        "4 fetched ⚡1 ←3 recorded/equal", "5 add ←4 recorded/equal",
      ])
    let between = try shop.run(
      leavesAt: 1, .insert(after: 2, action: try Self.action(.cancelFetch)))
    #expect(between.lines.count == 3)
    #expect(between.report.leftOut.map { "\($0.recordedStep) \($0.reason)" } == ["3 cancelled"])
    let byHand = try shop.run(
      leavesAt: 1, .answer(EffectAnswer(effect: 1, after: 1, outcome: .cancel)))
    #expect(byHand.report.remarks.count == 1)
    #expect(byHand.report.remarks.first?.hasPrefix("the answer for effect 1 after step 1") == true)
    // It was of no use, so it takes the place of nothing.
    #expect(byHand.lines.contains("3 fetched ⚡1 ←3 recorded/equal"))
    #expect(byHand.report.pending == [])
  }

  @Test("edits/moved-starter: a starter moved behind the answer waits for another")
  func starterBehindAnswer() async throws {
    let shop = try await RecordedShop([
      .send(.fetch(1)), .wait(.seconds(1)), .send(.add(1)), .send(.add(1)),
    ])
    let run = try shop.run(leavesAt: 0, .move(step: 1, after: 3))
    #expect(run.report.leftOut.map { "\($0.recordedStep) \($0.reason)" } == ["2 notStarted"])
    #expect(run.report.pending.map(\.isUnanswered) == [true])
    #expect(run.states.last?.log == [])
  }

  @Test("edits/order: a set state and an inserted action keep their order")
  func setAndInsert() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.add(1))])
    let insert: Edit = .insert(after: 1, action: try Self.action(.add(10)))
    let set: Edit = .set(step: 1, pointer: ["total"], value: 100)
    #expect(try shop.run(leavesAt: 1, insert, set).states.map(\.total) == [11, 100, 101])
    #expect(try shop.run(leavesAt: 1, set, insert).states.map(\.total) == [100, 110, 111])
  }

  @Test("a read that is changed at a skipped, a replaced and a moved step")
  func readsOfEditedSteps() async throws {
    let shop = try await RecordedShop([.send(.rate), .send(.add(1))])
    let read: Edit = .read(step: 1, key: "rate", index: 0, outcome: .value(40))
    let skipped = try shop.run(leavesAt: 0, read, .skip(step: 1))
    #expect(skipped.states.last?.total == 1)
    let moved = try shop.run(leavesAt: 0, .move(step: 1, after: 2), read)
    #expect(moved.states.last?.total == 41)
    #expect(moved.lines.last == "2 rate ←1 edited/different")
    let replaced = try shop.run(
      leavesAt: 0, read, .replace(step: 1, action: try Self.action(.rate)))
    #expect(replaced.states.last?.total == 41)
  }

  @Test(
    "an error is read where a value was recorded, and a value that nobody reads changes nothing")
  func readErrors() async throws {
    let shop = try await RecordedShop([.send(.rate), .send(.add(1))])
    let failing = try shop.run(
      leavesAt: 0, .read(step: 1, key: "rate", index: 0, outcome: .failure("gone")))
    // A closure that cannot throw has no way to fail: Retcon takes a substitute and says so.
    #expect(failing.lines.first == "1 rate ←1 assumed/equal")
    let useless = try shop.run(
      leavesAt: 0, .read(step: 2, key: "rate", index: 0, outcome: .value(40)))
    #expect(useless.states.last?.total == 4)
  }

  @Test("answers: after an end, twice, and in one place with an insertion that cancels")
  func answers() async throws {
    let shop = try await RecordedShop([.send(.fetch(1)), .send(.add(1))])
    func answer(_ outcome: EffectAnswer.Outcome) -> Edit {
      .answer(EffectAnswer(effect: 1, after: 1, outcome: outcome))
    }
    let emit = answer(.emit(action: try Self.action(.fetched("mine"))))
    let twice = try shop.run(leavesAt: 1, emit, emit, answer(.finish))
    #expect(twice.states.last?.log == ["mine", "mine"])
    let late = try shop.run(leavesAt: 1, answer(.finish), emit)
    #expect(late.states.last?.log == [])
    #expect(late.report.remarks.count == 1)
    let cancelled = try shop.run(
      leavesAt: 1, .insert(after: 1, action: try Self.action(.cancelFetch)), emit)
    #expect(cancelled.states.last?.log == [])
    #expect(cancelled.report.remarks.count == 1)
  }

  @Test("the rest of a chain goes on when its first part is cancelled by hand, and is offered")
  func chainCancelledByHand() async throws {
    let shop = try await RecordedShop([.send(.chain), .send(.add(1))])
    let run = try shop.run(
      leavesAt: 1, .answer(EffectAnswer(effect: 1, after: 1, outcome: .cancel)))
    #expect(run.states.last?.log == ["between"])
    #expect(run.report.pending.map { $0.origin.name ?? "" } == ["two"])
    #expect(run.report.pending.map(\.isUnanswered) == [true])
  }

  @Test("free stepping with everything: insert, answer, set, and the effects that are left")
  func freeStepping() async throws {
    let shop = try await RecordedShop([.send(.fetch(1)), .wait(.seconds(1)), .send(.add(1))])
    let script = Script(
      leavesAt: 1, rest: .nothing,
      edits: [
        .insert(after: 1, action: try Self.action(.poll)),
        .set(step: 1, pointer: ["total"], value: 7),
        .answer(
          EffectAnswer(
            effect: 1, after: 1, outcome: .emit(action: try Self.action(.fetched("x"))))),
        .insert(after: 1, action: try Self.action(.announce)),
      ])
    let run = try shop.run([script])
    #expect(
      run.lines.map { $0.split(separator: " ").dropFirst().prefix(3).joined(separator: " ") } == [
        "poll new edited/new", "state set by", "fetched ⚡1 new", "announce new open/new",
        "noted of 5", "noted of 5",
      ])
    #expect(run.states.last?.total == 7)
    #expect(run.states.last?.log == ["x", "first", "little"])
    #expect(run.report.pending.map { $0.origin.name ?? "" } == ["fetch", "poll"])
    // A fork of it goes on from there.
    let further = try shop.run([
      script,
      Script(
        parent: "free", leavesAt: 7, rest: .nothing,
        edits: [.insert(after: 7, action: try Self.action(.add(1)))]),
    ])
    #expect(further.states.last?.total == 8)
    #expect(further.report.pending.map { $0.origin.name ?? "" } == ["fetch", "poll"])
  }

  @Test("endings/early-cancel: an effect cancelled before its answer stays open")
  func cancelledUnanswered() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.add(1))])
    let run = try shop.run(
      leavesAt: 1, .insert(after: 1, action: try Self.action(.fetch(1))),
      .insert(after: 1, action: try Self.action(.cancelFetch)))
    #expect(run.lines.last == "4 add ←2 open/equal")
    #expect(
      run.report.remarks
        == [
          "the effect “fetch” that step 2 starts here was cancelled at step 3 before it was answered"
        ])
  }

  @Test(
    "effects/number: effects keep their recorded numbers; others are numbered where no recording comes"
  )
  func numbers() async throws {
    let shop = try await RecordedShop([
      .send(.fetch(1)), .send(.add(1)), .wait(.seconds(1)), .send(.add(1)),
    ])
    let poll: Edit = .insert(after: 1, action: try Self.action(.poll))
    let chain: Edit = .insert(after: 2, action: try Self.action(.chain))
    func started(_ scripts: [Script]) throws -> [String] {
      var started: [String] = []
      _ = try shop.replay.run(scripts) { step in
        started += step.effects.compactMap { event in
          event.origin.map { "\(event.effect) \($0.name ?? "")" }
        }
      }
      return started
    }
    let first = Script(leavesAt: 0, edits: [poll, chain])
    #expect(
      try started([first]) == ["1 fetch", "1000000001 poll", "1000000002 one"])
    // Later edits leave the numbers of earlier effects alone, and a fork of a fork takes others.
    let alone = Script(leavesAt: 0, edits: [poll])
    #expect(try started([alone]) == ["1 fetch", "1000000001 poll"])
    let second = Script(
      parent: "first", leavesAt: 0, edits: [.insert(after: 0, action: try Self.action(.poll))])
    #expect(
      try started([first, second])
        == ["1000000003 poll", "1 fetch", "1000000001 poll", "1000000002 one"])
    let late = Script(
      parent: "first", leavesAt: 4, edits: [.insert(after: 4, action: try Self.action(.chain))])
    #expect(
      try shop.run([first, late]).report.pending.map { "\($0.effect) \($0.origin.name ?? "")" }
        == ["1000000001 poll", "1000000002 one", "1000000003 one"])
  }
}
