import Recorder
import Samples
import SessionFile
import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

@Suite struct EffectTests {
  static func action(_ action: Shop.Action) throws -> Value { try .encoding(action) }

  @Test("runs/reducers-only: replaying runs reducers only; the bodies of effects never run")
  func noBodies() async throws {
    let calls = ReplayTestLock(0)
    let setup = ReplaySetup(Shop()) {
      $0.shop.answer = { _ in
        calls.withLock { $0 += 1 }
        return "live"
      }
      $0.shop.rate = { 3 }
    }
    let shop = try await RecordedShop([.send(.fetch(1)), .wait(.seconds(1))], setup: setup)
    #expect(try shop.replay.verify().isEqual)
    #expect(calls.withLock { $0 } == 0)
  }

  @Test("endings/pause: what happens between two steps is ordered by the log")
  func order() async throws {
    let shop = try await RecordedShop([
      .send(.fetch(1)), .send(.poll), .wait(.seconds(1)), .send(.add(1)), .wait(.seconds(1)),
    ])
    let run = try shop.run(leavesAt: 2, .skip(step: 5))
    #expect(
      run.lines == [
        "3 fetched ⚡1 ←3 recorded/equal", "4 polled ⚡2 ←4 recorded/equal",
        "5 polled ⚡2 ←6 recorded/different",
      ])
  }

  @Test("endings/pause: a pause that nobody recorded the end of is over on the branch's clock")
  func virtualClock() async throws {
    let shop = try await RecordedShop([
      .send(.type("a")), .wait(.milliseconds(300)), .send(.type("ab")), .wait(.seconds(2)),
      .send(.add(1)),
    ])
    let run = try shop.run(leavesAt: 1, .skip(step: 2))
    #expect(run.lines == ["2 add ←4 open/different"])
    #expect(
      run.report.pending.map { "\($0.origin.name ?? "") \($0.isUnanswered)" } == ["search true"])
    #expect(
      run.report.leftOut.map { "\($0.recordedStep) \($0.reason.rawValue)" }
        == ["2 it was skipped", "3 its effect was not started"])
  }

  @Test("edits/descent: an inserted step descends from none and matches nothing recorded")
  func inserted() async throws {
    let shop = try await RecordedShop([.send(.fetch(1)), .wait(.seconds(1))])
    let run = try shop.run(
      leavesAt: 0, .skip(step: 1), .insert(after: 0, action: try Self.action(.fetch(2))))
    #expect(run.lines == ["1 fetch new edited/new"])
    #expect(
      run.report.leftOut.map { "\($0.recordedStep) \($0.reason.rawValue)" }
        == ["1 it was skipped", "2 its effect was not started"])
    let pending = try #require(run.report.pending.first)
    #expect(pending.isUnanswered)
    #expect(
      pending.recorded == [
        RecordedOutcome(
          effect: 1, step: 2, label: "fetched",
          outcome: .emit(action: try Self.action(.fetched("answer 1")))),
        RecordedOutcome(effect: 1, step: 2, outcome: .finish),
      ])
  }

  @Test("effects/unanswered: of an effect that never ended, what others of its site did is offered")
  func neverEnded() async throws {
    let file = TemporaryFile()
    await WishesSample.recordDemo(to: file.path)
    let session = try SessionReader(path: file.path)
    let setup = ReplaySetup(Wishes()) { WishesSample.putDependenciesOnTape(&$0, Tape()) }
    let replay = try SessionReplay(session, setup)
    let last = session.steps.upperBound
    let report = try replay.run([Script(leavesAt: last, rest: .nothing)])
    #expect(report.pending.map { $0.origin.name ?? "" } == ["fetchWishes"])
    #expect(
      report.pending[0].recorded.map { "\($0.step) \($0.label ?? "end")" } == [
        "5 wishesResponse", "5 end", "11 wishesResponse", "11 end", "23 wishesResponse", "23 end",
      ])
  }

  @Test(
    "effects/matching: an effect is known by its step, site, cancel id and place, not by its line")
  func identity() {
    func origin(line: Int, name: String = "fetch", id: String? = "a", ordinal: Int = 1)
      -> EffectOrigin
    {
      EffectOrigin(
        step: 4, name: name, file: "App/Feature.swift", line: line, cancelID: id, ordinal: ordinal)
    }
    func recorded(_ origins: [EffectOrigin]) -> [EffectEvent] {
      origins.enumerated().map {
        EffectEvent(effect: EffectID($0.offset + 7), step: 4, kind: .started($0.element))
      }
    }
    func match(_ started: [EffectOrigin], _ events: [EffectEvent]) -> [EffectID?] {
      let places = started.map { Optional(EffectPlace($0, step: 4)) }
      return EffectMatch.matches(of: places, in: events).map(\.effect)
    }
    let one = recorded([origin(line: 10)])
    #expect(match([origin(line: 99)], one) == [7])
    #expect(match([origin(line: 10, name: "other")], one) == [nil])
    #expect(match([origin(line: 10, id: "b")], one) == [nil])
    let two = recorded([origin(line: 10, ordinal: 2), origin(line: 10, ordinal: 1)])
    #expect(match([origin(line: 10, ordinal: 1), origin(line: 10, ordinal: 2)], two) == [8, 7])
  }

  @Test("effects/ambiguous-count: another number of effects: no match, all offered")
  func counts() async throws {
    let shop = try await RecordedShop([.send(.add(3)), .send(.fan), .wait(.seconds(1))])
    let run = try shop.run(
      leavesAt: 0, .replace(step: 1, action: try Self.action(.add(4))))
    // Those that have captured what recorded ones had are known by that (`effects/same-capture`).
    #expect(
      run.lines == [
        "1 add ←1 edited/different", "2 fan ←2 recorded/different",
        "3 fanned ⚡1000000001 new open/new", "4 fanned ⚡1000000002 new open/new",
        "5 fanned ⚡1000000003 new open/new",
      ])
    #expect(run.report.pending.count == 1)
    #expect(run.report.pending.allSatisfy { $0.isUnanswered && $0.recorded.count == 6 })
    #expect(run.report.leftOut.map(\.reason) == [.unanswered, .unanswered, .unanswered])
    #expect(run.report.leftOut.map(\.recordedStep) == [3, 4, 5])
  }

  @Test("effects/stale-answer: an old answer to a changed question is delivered as assumed")
  func changedQuestion() async throws {
    let shop = try await RecordedShop([
      .send(.add(1)), .send(.fetch(1)), .wait(.seconds(1)), .send(.add(1)),
    ])
    let run = try shop.run(leavesAt: 0, .replace(step: 1, action: try Self.action(.add(2))))
    #expect(
      run.lines == [
        "1 add ←1 edited/different", "2 fetch ←2 recorded/different",
        "3 fetched ⚡1 ←3 assumed/different", "4 add ←4 assumed/different",
      ])
  }

  @Test("effects/stale-answer: an answer to an unchanged question stands as recorded")
  func sameQuestion() async throws {
    let shop = try await RecordedShop([
      .send(.fetch(1)), .send(.add(1)), .wait(.seconds(1)), .send(.add(1)),
    ])
    let run = try shop.run(leavesAt: 1, .skip(step: 2))
    #expect(
      run.lines == [
        "2 fetched ⚡1 ←3 recorded/different", "3 add ←4 recorded/different",
      ])
  }

  @Test("effects/orphan: an emission whose effect was not started, or was cancelled, is an orphan")
  func orphans() async throws {
    let shop = try await RecordedShop([
      .send(.poll), .wait(.seconds(1)), .send(.add(1)), .wait(.seconds(2)), .send(.add(1)),
    ])
    let run = try shop.run(
      leavesAt: 2, .insert(after: 3, action: try Self.action(.stopPolling)))
    #expect(
      run.lines == [
        "3 add ←3 recorded/equal", "4 stopPolling new edited/new", "5 add ←6 recorded/different",
      ])
    #expect(
      run.report.leftOut == [
        LeftOutStep(recordedStep: 4, label: "polled", effect: 1, reason: .cancelled),
        LeftOutStep(recordedStep: 5, label: "polled", effect: 1, reason: .cancelled),
      ])
  }

  @Test("effects/orphan: an effect does not notice that the user skips what it sent")
  func afterSkipped() async throws {
    let shop = try await RecordedShop([.send(.poll), .wait(.seconds(3))])
    let run = try shop.run(leavesAt: 1, .skip(step: 2))
    #expect(
      run.lines == [
        "2 polled ⚡1 ←3 recorded/different", "3 polled ⚡1 ←4 recorded/different",
      ])
    #expect(run.report.assumptions.isEmpty)
  }

  @Test(
    "endings/missing-cancel: an effect that was cancelled, and is not in the branch, is unanswered")
  func notCancelled() async throws {
    let shop = try await RecordedShop([
      .send(.fetch(1)), .wait(.milliseconds(100)), .send(.cancelFetch), .wait(.seconds(1)),
      .send(.add(1)),
    ])
    let run = try shop.run(leavesAt: 1, .skip(step: 2))
    #expect(run.lines == ["2 add ←3 open/equal"])
    #expect(run.report.pending.map(\.effect) == [1])
    #expect(run.report.pending.map(\.isUnanswered) == [true])
    #expect(run.report.pending.first?.recorded.map(\.outcome) == [.cancel])
  }

  @Test(
    "effects/unanswered: an effect that the recording does not know waits for the user's answer")
  func answers() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.add(1))])
    let fetch: Edit = .insert(after: 1, action: try Self.action(.fetch(5)))
    let waiting = try shop.run(leavesAt: 1, fetch)
    let effect = try #require(waiting.report.pending.first?.effect)
    #expect(waiting.report.pending.first?.isUnanswered == true)
    func answer(_ outcome: EffectAnswer.Outcome) -> Edit {
      .answer(EffectAnswer(effect: effect, after: 2, outcome: outcome))
    }
    let answered = try shop.run(
      leavesAt: 1, fetch, answer(.emit(action: try Self.action(.fetched("mine")))),
      answer(.finish))
    #expect(
      answered.lines == [
        "2 fetch new edited/new", "3 add ←2 recorded/equal",
        "4 fetched ⚡\(effect) new edited/new",
      ])
    #expect(answered.states.last?.log == ["mine"])
    #expect(answered.report.pending == [])
    for outcome in [EffectAnswer.Outcome.fail(message: "offline"), .cancel] {
      let run = try shop.run(leavesAt: 1, fetch, answer(outcome))
      #expect(run.report.pending == [])
    }
  }

  @Test(
    "answers/by-hand: an answer by hand takes the place of everything that was recorded for the effect"
  )
  func otherAnswer() async throws {
    let shop = try await RecordedShop([.send(.fetch(1)), .wait(.seconds(1)), .send(.add(1))])
    let run = try shop.run(
      leavesAt: 1,
      .answer(
        EffectAnswer(
          effect: 1, after: 1, outcome: .emit(action: try Self.action(.failed("offline"))))),
      .answer(EffectAnswer(effect: 1, after: 1, outcome: .finish)))
    #expect(run.lines == ["2 failed ⚡1 new edited/new", "3 add ←3 recorded/different"])
    #expect(run.states.last?.log == ["offline"])
    #expect(run.report.leftOut.map(\.recordedStep) == [2])
  }

  @Test("answers/by-hand: an answer for an effect that does not run is not used, and that is said")
  func uselessAnswer() async throws {
    let shop = try await RecordedShop([.send(.add(1))])
    let run = try shop.run(
      leavesAt: 1, .answer(EffectAnswer(effect: 9, after: 1, outcome: .finish)))
    #expect(
      run.report.remarks
        == ["the answer for effect 9 after step 1 was not used: it does not run there"])
  }

  @Test("free stepping offers the effects in flight with their recorded answers")
  func freeStepping() async throws {
    let shop = try await RecordedShop([.send(.fetch(1)), .wait(.seconds(1)), .send(.add(1))])
    let run = try shop.run(leavesAt: 1, rest: .nothing)
    #expect(run.lines == [])
    let pending = try #require(run.report.pending.first)
    #expect(pending.effect == 1 && !pending.isUnanswered)
    #expect(
      pending.recorded.map(\.outcome) == [
        .emit(action: try Self.action(.fetched("answer 1"))), .finish,
      ])
    let stepped = try shop.run(
      leavesAt: 1, rest: .nothing, .insert(after: 1, action: try Self.action(.add(4))),
      .answer(EffectAnswer(effect: 1, after: 1, outcome: pending.recorded[0].outcome)))
    #expect(stepped.lines == ["2 add new edited/new", "3 fetched ⚡1 new edited/new"])
  }

  @Test("endings/outside-cancel: what was cancelled from outside is cancelled in a branch, too")
  func fromOutside() async throws {
    let shop = try await RecordedShop([
      .send(.poll), .wait(.seconds(1)), .cancel(0), .wait(.seconds(1)), .send(.add(1)),
    ])
    let run = try shop.run(leavesAt: 1, .insert(after: 1, action: try Self.action(.add(1))))
    #expect(
      run.lines == [
        "2 add new edited/new", "3 polled ⚡1 ←2 recorded/different", "4 add ←3 recorded/different",
      ])
    #expect(run.report.pending == [])
  }

  @Test(
    "endings/outside-cancel: so is a pause that another action in the place of the recorded one started"
  )
  func pauseFromOutside() async throws {
    let shop = try await RecordedShop([
      .send(.fetch(1)), .wait(.milliseconds(100)), .cancel(0), .wait(.seconds(1)), .send(.add(1)),
    ])
    let run = try shop.run(leavesAt: 0, .replace(step: 1, action: try Self.action(.settle("x"))))
    #expect(run.lines == ["1 settle ←1 edited/different", "2 add ←2 recorded/equal"])
    #expect(run.report.pending == [])
    #expect(run.report.assumptions == [])
  }

  @Test("what is chained to an effect follows its end")
  func chain() async throws {
    let shop = try await RecordedShop([.send(.chain), .wait(.seconds(1)), .send(.add(1))])
    let run = try shop.run(leavesAt: 0, .insert(after: 0, action: try Self.action(.add(1))))
    #expect(
      run.lines == [
        "1 add new edited/new", "2 chain ←1 recorded/different",
        "3 chained ⚡1 ←2 recorded/different", "4 noted of 2 ←3 recorded/different",
        "5 chained ⚡2 ←4 recorded/different", "6 add ←5 recorded/different",
      ])
  }

  @Test(
    "endings/pause: a pause that is over before the recording is ends, also behind the last step")
  func lastPause() async throws {
    let shop = try await RecordedShop([.send(.poll), .wait(.milliseconds(900)), .cancel(0)])
    let run = try shop.run(
      leavesAt: 0, .insert(after: 0, action: try .encoding(Shop.Action.settle("b"))),
      .skip(step: 1))
    #expect(run.lines == ["1 settle new edited/new", "2 noted of 1 new recorded/new"])
    #expect(run.report.pending == [])
  }
}

@Suite("The words for an effect")
struct EffectWordsTests {
  @Test(
    "children are called by their names, without the types that the store puts around them",
    arguments: [
      ("App.ID(fetch)", "App.ID(fetch)"),
      (
        "StoreCore.ChildPlace<App.Row.State>(App.Row.State)[StoreCore.ChildID(3)] App.ID(a(b))",
        "App.Row.State[3] App.ID(a(b))"
      ),
      ("StoreCore.CaseIdentity(2 StoreCore.ChildID(x)) rest", "2 x rest"),
      ("StoreCore. is no type (at all)", "StoreCore. is no type (at all)"),
      ("StoreCore.ChildID(3", "StoreCore.ChildID(3"),
    ])
  func wrappers(id: String, shown: String) {
    let origin = EffectOrigin(step: 1, file: "App/Rows.swift", line: 3, cancelID: id)
    #expect(EffectPlace(origin, step: 1).text == "App/Rows.swift, cancel id \(shown)")
  }
}
