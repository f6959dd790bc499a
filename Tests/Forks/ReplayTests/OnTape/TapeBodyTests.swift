import SessionWords
import StoreCore
import StoreRecording
import Testing
import ValueTree

@testable import Replay

/// Effects that are not the recorded ones, with the recorded answers behind them.
@Suite struct TapeBodyTests {
  private static var setup: ReplaySetup<Shop.State, Shop.Action> {
    var setup = RecordedShop.setup
    setup.runsEffectsOnTape = true
    return setup
  }

  private static func action(_ action: Shop.Action) throws -> Value { try .encoding(action) }

  static func twoAnswers() async throws -> RecordedShop {
    try await RecordedShop(
      [
        .send(.fetch(1)), .wait(.seconds(1)), .send(.fetch(2)), .wait(.seconds(1)),
        .send(.noted("end")),
      ], setup: setup)
  }

  @Test("effects/on-tape: what somebody else has asked is answered to an effect, in its time")
  func known() async throws {
    let shop = try await Self.twoAnswers()
    let run = try shop.run(leavesAt: 2, .replace(step: 3, action: try Self.action(.fetch(1))))
    #expect(
      run.lines == [
        "3 fetch ←3 edited/equal", "4 fetched ⚡2 ←4 recorded/different",
        "5 noted ←5 recorded/different",
      ])
    #expect(run.states.last?.log == ["answer 1", "answer 1", "end"])
    #expect(run.report.assumptions == [] && run.report.pending == [])
  }

  @Test("effects/on-tape: an effect stops at a new question and shows it")
  func unknown() async throws {
    let shop = try await Self.twoAnswers()
    let run = try shop.run(leavesAt: 2, .replace(step: 3, action: try Self.action(.fetch(5))))
    #expect(run.lines == ["3 fetch ←3 edited/equal", "4 noted ←5 open/different"])
    #expect(
      run.report.assumptions.map(\.sentence) == ["effect 2 “fetch” of step 3 waits for answer(5)"])
    #expect(run.report.assumptions.map(\.question) == [Question("answer", [5])])
    #expect(run.report.assumptions.map(\.settling) == ["Say what answer(5) answers"])
    #expect(run.report.pending.map(\.question) == [Question("answer", [5])])
    #expect(run.report.pending.map(\.isUnanswered) == [true])
    #expect(run.report.leftOut.map(\.reason) == [.unanswered])
  }

  @Test("answers/reply: what you say a service answers holds in forks of the fork")
  func reply() async throws {
    let shop = try await Self.twoAnswers()
    let first = Script(
      leavesAt: 2,
      edits: [
        .replace(step: 3, action: try Self.action(.fetch(5))),
        .reply(Reply(to: Question("answer", [5]), .value("five"))),
      ])
    let run = try shop.run([first])
    #expect(
      run.lines == [
        "3 fetch ←3 edited/equal", "4 fetched ⚡2 ←4 recorded/different",
        "5 noted ←5 recorded/different",
      ])
    let second = Script(
      parent: "first", leavesAt: 0,
      edits: [.replace(step: 1, action: try Self.action(.fetch(5)))])
    #expect(
      try shop.run([first, second]).lines == [
        "1 fetch ←1 edited/equal", "2 fetched ⚡1 ←2 recorded/different",
        "3 fetch ←3 recorded/different", "4 fetched ⚡2 ←4 recorded/different",
        "5 noted ←5 recorded/different",
      ])
  }

  @Test("answers/reply: an effect that waits in a fork goes on where a fork of it answers")
  func lateReply() async throws {
    let shop = try await Self.twoAnswers()
    let first = Script(
      leavesAt: 2, edits: [.replace(step: 3, action: try Self.action(.fetch(5)))])
    let second = Script(
      parent: "first", leavesAt: 4,
      edits: [.reply(Reply(to: Question("answer", [5]), .value("five")))])
    let run = try shop.run([first, second])
    #expect(run.lines == ["5 fetched ⚡2 new recorded/new"])
    #expect(run.states.last?.log == ["answer 1", "end", "five"])
    #expect(run.report.assumptions == [])
  }

  @Test("answers/reply: whoever looks at a fork is told what its effects wait for")
  func pendingQuestion() async throws {
    let shop = try await Self.twoAnswers()
    let first = Script(
      leavesAt: 2, edits: [.replace(step: 3, action: try Self.action(.fetch(5)))])
    let look = Script(parent: "first", leavesAt: 4, rest: .nothing)
    #expect(
      try shop.run([first, look]).report.pending.map(\.question) == [Question("answer", [5])])
  }

  @Test("answers/reply: a real answer takes as long in the fork as it took live")
  func lateAnswer() async throws {
    let shop = try await Self.twoAnswers()
    let reply = Reply(to: Question("answer", [5]), .value("five"), took: .milliseconds(400))
    let script = Script(
      leavesAt: 2,
      edits: [.replace(step: 3, action: try Self.action(.fetch(5))), .reply(reply)])
    var times: [Duration?] = []
    _ = try shop.replay.run([script]) { times.append($0.step.time) }
    #expect(times == [.seconds(1), .milliseconds(1_700), .seconds(2)])
    #expect(try Script(script.value, at: "script") == script)
  }

  @Test("answers/reply: an error that the user types is thrown, whatever its type was")
  func typedError() async throws {
    let shop = try await Self.twoAnswers()
    let refusal = Reply(to: Question("answer", [5]), .failure(["description": "closed"]))
    let run = try shop.run(
      leavesAt: 2, .replace(step: 3, action: try Self.action(.fetch(5))), .reply(refusal))
    #expect(run.lines.dropFirst().first == "4 failed ⚡2 new recorded/new")
    #expect(run.states.last?.log == ["answer 1", "closed", "end"])
    #expect(run.report.assumptions == [])
  }

  @Test("effects/on-tape: an edit of an emission holds for the one on the tape")
  func replacedEmission() async throws {
    let shop = try await Self.twoAnswers()
    let first = Script(
      leavesAt: 2,
      edits: [
        .replace(step: 3, action: try Self.action(.fetch(1))),
        .replace(step: 4, action: try Self.action(.fetched("mine"))),
      ])
    let run = try shop.run([first])
    #expect(
      run.lines == [
        "3 fetch ←3 edited/equal", "4 fetched ⚡2 ←4 edited/different",
        "5 noted ←5 recorded/different",
      ])
    #expect(run.states.last?.log == ["answer 1", "mine", "end"])
    #expect(run.report.assumptions == [])
    // In a fork of it the effect changes again, and the user's word still holds.
    let second = Script(
      parent: "first", leavesAt: 2,
      edits: [.insert(after: 2, action: try Self.action(.noted("new")))])
    let nested = try shop.run([first, second])
    #expect(nested.states.last?.log == ["answer 1", "new", "mine", "end"])
    let skipped = try shop.run(
      leavesAt: 2, .replace(step: 3, action: try Self.action(.fetch(1))), .skip(step: 4))
    #expect(
      skipped.lines == ["3 fetch ←3 edited/equal", "4 noted ←5 recorded/different"])
    #expect(skipped.report.leftOut.map(\.reason) == [.skipped])
  }

  @Test("effects/on-tape: what is on the tape goes on until its app is let go")
  func release() async throws {
    let shop = try await RecordedShop(
      [
        .send(.noted("a")), .wait(.milliseconds(1_200)), .send(.noted("b")), .send(.poll),
        .wait(.milliseconds(1_900)),
      ], setup: Self.setup)
    let run = try shop.run(leavesAt: 1, .move(step: 3, after: 1))
    #expect(run.states.last?.log == ["a", "1", "b", "2", "3"])
    #expect(run.report.assumptions == [])
  }

  @Test("effects/on-tape: what waits for the clock alone goes on where it is not cancelled")
  func poll() async throws {
    let shop = try await RecordedShop(
      [
        .send(.poll), .wait(.milliseconds(1_500)), .send(.stopPolling), .wait(.seconds(3)),
        .send(.noted("end")),
      ], setup: Self.setup)
    let run = try shop.run(leavesAt: 2, .skip(step: 3))
    #expect(
      run.lines == [
        "3 polled ⚡1 new recorded/new", "4 polled ⚡1 new recorded/new",
        "5 noted ←4 recorded/different",
      ])
    #expect(run.states.last?.log == ["1", "2", "3", "end"])
    #expect(run.report.assumptions == [])
  }

  @Test("effects/on-tape: a cancelled task ends in its time what is on the tape")
  func cancelledTask() async throws {
    let shop = try await RecordedShop(
      [
        .send(.noted("a")), .send(.poll), .send(.crash(1)), .wait(.milliseconds(1)), .cancel(2),
        .wait(.milliseconds(500)),
      ], setup: Self.setup)
    // Both ends are at step 3, half a second apart; the effect would speak in between.
    let script = Script(
      leavesAt: 1, edits: [.insert(after: 1, action: try Self.action(.add(1)))])
    let run = try shop.run([script])
    #expect(run.states.last?.log == ["a"])
    #expect(run.report.assumptions == [])
  }

  @Test("effects/on-tape: a changed effect that starts only in the second fork is open")
  func changedKin() async throws {
    let shop = try await RecordedShop(
      [.send(.add(1)), .send(.fan), .wait(.seconds(1)), .send(.noted("end"))], setup: Self.setup)
    let first = Script(leavesAt: 0, edits: [.skip(step: 1), .skip(step: 3)])
    #expect(try shop.run([first]).states.last?.log == ["end"])
    let second = Script(
      parent: "first", leavesAt: 0,
      edits: [.insert(after: 0, action: try Self.action(.add(1)))])
    let run = try shop.run([first, second])
    #expect(run.lines.last == "3 noted ←2 open/different")
    #expect(run.report.pending.map(\.isUnanswered) == [true])
  }

  @Test("endings/outside-cancel: a task cancelled while idle is cancelled in a nested fork")
  func lostCancellation() async throws {
    let shop = try await RecordedShop(
      [
        .send(.poll), .send(.noted("a")), .wait(.milliseconds(100)), .cancel(0), .wait(.seconds(2)),
        .send(.noted("end")),
      ], setup: Self.setup)
    let first = Script(
      leavesAt: 1, edits: [.insert(after: 1, action: try Self.action(.stopPolling))])
    let second = Script(parent: "first", leavesAt: 1, edits: [.skip(step: 2)])
    let run = try shop.run([first, second])
    #expect(run.states.last?.log == ["a", "end"])
    #expect(run.lines.last == "3 noted ←4 recorded/different")
    #expect(run.report.assumptions == [] && run.report.pending == [])
    // It meets its parent at once.
    let same = try shop.run([first, second, Script(parent: "second", leavesAt: 1)])
    #expect(same.lines == ["2 noted ←2 recorded/equal"] && same.report.rejoining != nil)
  }

  @Test("endings/outside-cancel: so is what nobody has started in this task before")
  func lostCancellationOfOther() async throws {
    let shop = try await RecordedShop(
      [
        .send(.add(1)), .send(.fan), .wait(.milliseconds(50)), .cancel(1), .wait(.seconds(1)),
        .send(.noted("end")),
      ], setup: Self.setup)
    let first = Script(
      leavesAt: 1, edits: [.insert(after: 1, action: try Self.action(.add(-1)))])
    #expect(
      try shop.run([first]).lines == [
        "2 add new edited/new", "3 fan ←2 recorded/different", "4 noted ←3 recorded/different",
      ])
    let second = Script(parent: "first", leavesAt: 1, edits: [.skip(step: 2)])
    let run = try shop.run([first, second])
    #expect(run.lines == ["2 fan ←3 recorded/different", "3 noted ←4 recorded/different"])
    #expect(run.report.assumptions == [] && run.report.pending == [])
  }

  @Test("answers/by-hand: an answer survives the end of what it is chained to")
  func chainedToAnsweredByHand() async throws {
    let shop = try await RecordedShop(
      [
        .send(.type("a")), .send(.noted("early")), .wait(.milliseconds(600)),
        .send(.noted("between")), .wait(.seconds(1)), .send(.noted("end")),
      ], setup: Self.setup)
    func answer(_ effect: EffectID, after step: Int, _ outcome: EffectAnswer.Outcome) -> Edit {
      .answer(EffectAnswer(effect: effect, after: step, outcome: outcome))
    }
    let found = EffectAnswer.Outcome.emit(action: try Self.action(.found("mine")))
    let first = Script(
      leavesAt: 3, edits: [answer(2, after: 3, found), answer(2, after: 3, .finish)])
    #expect(try shop.run([first]).states.map(\.log).last == ["early", "between", "mine", "end"])
    let second = Script(parent: "first", leavesAt: 1, edits: [answer(1, after: 1, .finish)])
    let run = try shop.run([first, second])
    #expect(run.states.last?.log == ["early", "between", "end"])
    #expect(run.report.assumptions.map(\.kind) == [.open])
    #expect(run.report.pending.map(\.origin.name) == ["search"])
  }

  @Test("effects/on-tape: of simultaneous effects the longest waiting is first")
  func sameTime() async throws {
    let shop = try await RecordedShop(
      [
        .send(.poll), .wait(.milliseconds(700)), .send(.noted("a")), .wait(.milliseconds(600)),
        .send(.noted("end")),
      ], setup: Self.setup)
    // Both are over at the first tick of the poll: one that began before it, and one behind.
    func log(_ action: Shop.Action, after step: Int) throws -> [String]? {
      let run = try shop.run(
        leavesAt: step, .insert(after: step, action: try Self.action(action)))
      #expect(run.report.assumptions.allSatisfy { $0.kind == .open })
      return run.states.last?.log
    }
    #expect(try log(.fetch(1), after: 2) == ["a", "1", "end"])
    #expect(try log(.noisy, after: 2) == ["a", "1", "silence", "end"])
  }

  @Test(
    "effects/on-tape: a later pause comes behind a simultaneous emission",
    arguments: [true, false])
  func pauseAtSameTime(isOnTape: Bool) async throws {
    let setup = isOnTape ? Self.setup : RecordedShop.setup
    let settle = try Self.action(.settle("b"))
    let polls = try await RecordedShop(
      [
        .send(.poll), .wait(.milliseconds(600)), .send(.noted("a")), .wait(.milliseconds(700)),
        .send(.noted("end")),
      ], setup: setup)
    let later = try polls.run(leavesAt: 2, .insert(after: 2, action: settle))
    if isOnTape {
      #expect(later.states.last?.log == ["a", "1", "b", "end"])
      #expect(later.report.assumptions == [])
    } else {
      // Only its body knows since when it has waited for that.
      #expect(
        later.report.assumptions.map(\.sentence) == [
          "the effect “debounce” that step 3 starts here acts at the same time as another one: "
            + "which comes first is unknown"
        ])
    }
    let works = try await RecordedShop(
      [
        .send(.noted("a")), .wait(.milliseconds(250)), .send(.crash(1)), .wait(.milliseconds(300)),
        .send(.noted("end")),
      ], setup: setup)
    let earlier = try works.run(leavesAt: 1, .insert(after: 1, action: settle))
    #expect(earlier.states.last?.log == ["a", "b", "no crash", "end"])
    #expect(earlier.report.assumptions == [])
  }

  /// Effects that leave the tape.
  private struct Wild: Reducer {
    struct State: Codable, Hashable, Sendable { var log: [String] = [] }

    enum Action: Codable, Hashable, Sendable {
      case note(String)
      case spin
      case leave
      case stamp
      case roll
      case collect
      case cancel
    }

    @Dependency(\.date) var date
    @Dependency(\.uuid) var uuid
    @Dependency(\.withRandomNumberGenerator) var random

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .note(let text): state.log.append(text)
      case .spin: return .run(name: "spin") { _ in while true { await Task.yield() } }
      case .leave:
        return .run(name: "leave") { send in
          await send(.note(await Task.detached { "elsewhere" }.value))
        }
      case .stamp:
        return .run(name: "stamp") { [date] send in await send(.note("\(date.now)")) }
      case .roll:
        return .run(name: "roll") { [random] send in
          await send(.note("\(random { Int.random(in: 0..<100, using: &$0) })"))
        }
      case .collect:
        return .run(name: "collect") { [uuid] send in
          var ids: Set<String> = []
          while ids.count < 3 { ids.insert("\(uuid())") }
          await send(.note("\(ids.count)"))
        }
      case .cancel: return .run(name: "cancel") { _ in Task.cancel(id: "anything") }
      }
      return .none
    }
  }

  @Test(
    "effects/on-tape: what leaves the tape is unanswered, and says why",
    arguments: [
      ("spin", "does not come to an end"),
      ("leave", "something that is not on tape"),
      ("stamp", "waits for date"),
      ("roll", "waits for random"),
      ("collect", "waits for uuid"),
      ("cancel", "A cancel id means something only in an effect of a store."),
    ])
  func wild(_ action: String, _ words: String) async throws {
    let (session, _, file) = try await record(
      Wild(), from: Wild.State(), [.send(.note("a")), .wait(.seconds(1)), .send(.note("b"))])
    var setup = ReplaySetup(Wild())
    setup.runsEffectsOnTape = true
    let script = Script(leavesAt: 1, edits: [.insert(after: 1, action: [action: [:]])])
    var lines: [String] = []
    let report = try SessionReplay(session, setup).run([script]) { lines.append($0.line) }
    #expect(lines == ["2 \(action) new edited/new", "3 note ←2 open/equal"])
    let sentence = try #require(report.assumptions.first?.sentence)
    #expect(sentence.hasPrefix("the effect “\(action)” that step 2 starts here "))
    #expect(sentence.hasSuffix(words))
    withExtendedLifetime(file) {}
  }
}
