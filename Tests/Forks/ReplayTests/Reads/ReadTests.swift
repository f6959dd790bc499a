import SessionFile
import SessionWords
import StoreCore
import StoreRecording
import Testing
import ValueTree

@testable import Replay

@Suite struct ReadTests {
  @Test("answers/same-question: a step whose action is unchanged gets what was recorded for it")
  func unchanged() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.roll), .send(.rate)])
    let rolled = shop.states[2].total - 1
    let run = try shop.run(leavesAt: 0, .skip(step: 1))
    #expect(run.lines == ["1 roll ←2 recorded/different", "2 rate ←3 recorded/different"])
    #expect(run.states.map(\.total) == [rolled, rolled + 3])
  }

  @Test(
    "answers/same-question: an edited step that asks what the recorded one asked gets its answer")
  func edited() async throws {
    let shop = try await RecordedShop([.send(.roll), .send(.add(1))])
    var steps: [BranchStep] = []
    let action: Value = try .encoding(Shop.Action.roll)
    _ = try shop.replay.run([Script(leavesAt: 0, edits: [.replace(step: 1, action: action)])]) {
      steps.append($0)
    }
    #expect(steps.map(\.line) == ["1 roll ←1 edited/equal", "2 add ←2 recorded/equal"])
    #expect(steps[0].standing.assumptions.isEmpty)
  }

  @Test(
    "answers/same-question: a read without a recorded value gets a substitute, the same in every run"
  )
  func missing() async throws {
    let shop = try await RecordedShop([.send(.add(1))])
    let roll: Edit = .insert(after: 1, action: try .encoding(Shop.Action.roll))
    let one = try shop.run(leavesAt: 1, roll, roll)
    let other = try shop.run(leavesAt: 1, roll, roll)
    #expect(one.lines == ["2 roll new assumed/new", "3 roll new assumed/new"])
    #expect(one.states == other.states)
    let sequence = try shop.run(
      leavesAt: 1, roll, .insert(after: 1, action: try .encoding(Shop.Action.add(0))))
    #expect(sequence.lines.last == "3 add new assumed/new")
  }

  @Test("forks/inherited-doubt: what comes after an assumed value is not shown as certain")
  func doubt() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.add(2)), .send(.roll)])
    let roll: Edit = .insert(after: 1, action: try .encoding(Shop.Action.roll))
    #expect(
      try shop.run(leavesAt: 1, roll).lines == [
        "2 roll new assumed/new", "3 add ←2 assumed/different", "4 roll ←3 assumed/different",
      ])
  }

  @Test("answers/same-question: what is left over is reported")
  func unused() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.rate)])
    var steps: [BranchStep] = []
    let action: Value = try .encoding(Shop.Action.add(-5))
    _ = try shop.replay.run([Script(leavesAt: 0, edits: [.replace(step: 1, action: action)])]) {
      steps.append($0)
    }
    #expect(steps.map(\.line) == ["1 add ←1 edited/different", "2 rate ←2 recorded/different"])
    #expect(steps[1].remarks == ["the recorded “rate” was not read"])
  }

  @Test("a read that was changed by hand is known to the user and casts no doubt")
  func byHand() async throws {
    let shop = try await RecordedShop([.send(.rate), .send(.add(1))])
    let run = try shop.run(
      leavesAt: 0, .read(step: 1, key: "rate", index: 0, outcome: .value(40)))
    #expect(run.lines == ["1 rate ←1 edited/different", "2 add ←2 recorded/different"])
    #expect(run.states.map(\.total) == [40, 41])
  }

  @Test("answers/same-question: a recorded value of another type is no reason to stop")
  func otherType() async throws {
    let shop = try await RecordedShop([.send(.rate)])
    let read = Edit.read(step: 1, key: "rate", index: 0, outcome: .value("many"))
    let run = try shop.run(leavesAt: 0, read)
    #expect(run.lines == ["1 rate ←1 assumed/equal"])
    _ = try shop.replay.run([Script(leavesAt: 0, edits: [read])]) { step in
      #expect(
        step.standing.assumptions.map(\.sentence) == [
          "your value for rate does not decode: expected an integer at the root, found a string"
        ])
    }
  }

  @Test(
    "answers/stack-ids: ids that are counted for inserted steps come from a range no recording uses"
  )
  func countedIDs() {
    var assumed = AssumedValues()
    #expect(assumed.nextCount() == 1 << 40)
    #expect(assumed.nextCount() == 1 << 40 + 1)
    #expect(assumed.position == 2)
  }

  @Test("answers/unowned-read: reads inside effects are evidence and are not consumed")
  func insideEffects() async throws {
    let shop = try await RecordedShop([.send(.fetch(1)), .wait(.seconds(1)), .send(.rate)])
    let reads = try shop.session.outsideReads(in: shop.session.steps)
    #expect(reads.map(\.read) == [Read(key: "answer", arguments: [1], value: "answer 1")])
    #expect(reads.map(\.effect) == [1])
    let run = try shop.run(leavesAt: 0, .skip(step: 1))
    #expect(run.lines == ["1 rate ←3 recorded/different"])
  }

  @Test("answers/unowned-read: verify names the keys of reads outside of every step and effect")
  func unattributed() async throws {
    let file = TemporaryFile()
    let recorder = StoreRecorder<Shop.State, Shop.Action>(to: file.path)
    do {
      let store = Store(initialState: Shop.State(), hooks: recorder) { Shop() }
      store.send(.add(1))
      // A callback of some library, outside of every step and effect, is the caller.
      #expect(recorder.tape.value("stray") { 7 } == 7)
      #expect(recorder.tape.value("lost") { "x" } == "x")
      store.send(.add(2))
      #expect(recorder.tape.value("stray") { 8 } == 8)
    }
    recorder.finish()
    let session = try SessionReader(path: file.path)
    let reads = try session.outsideReads(in: session.steps)
    #expect(reads.map(\.read.key) == ["stray", "lost", "stray"])
    #expect(reads.map(\.effect) == [nil, nil, nil])
    let report = try SessionReplay(session, ReplaySetup(Shop())).verify()
    #expect(report == VerifyReport(steps: 2, unattributedReads: ["lost", "stray"]))
    #expect(
      report.text(title: "shop.retcon") == """
        shop.retcon: 2 steps were run again, all as recorded.

        Read outside of steps and effects, so not replayed: lost, stray.
        """)
  }
}
