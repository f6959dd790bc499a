import SessionFile
import SessionWords
import StoreRecording
import TestSupport
import Testing
import ValueTree

@testable import Replay

/// Sessions that lost something: what is left of them runs, and what does not says why.
@Suite struct DamagedSessionTests {
  /// Steps 1 to 8, with an effect that starts at 2 and answers at 5 and, last, one in flight.
  private static let doing: [Doing<Shop.Action>] = [
    .send(.add(1)), .send(.fetch(1)), .send(.add(2)), .send(.add(3)), .wait(.seconds(1)),
    .send(.announce), .send(.add(4)),
  ]

  /// The session as it was recorded, with changed lines.
  private struct Changed {
    let session: SessionReader
    let replay: SessionReplay
    let states: [Shop.State]
    private let folder: TemporaryFolder

    init(
      _ doing: [Doing<Shop.Action>] = DamagedSessionTests.doing,
      _ change: (inout [String], [Shop.State]) throws -> Void
    ) async throws {
      let shop = try await RecordedShop(doing)
      folder = try TemporaryFolder()
      var lines = String(decoding: TemporaryFolder.bytes(of: shop.file.path), as: UTF8.self)
        .split(separator: "\n").map(String.init)
      try change(&lines, shop.states)
      let path = try folder.write(lines.joined(separator: "\n") + "\n", to: "shop.retcon")
      states = shop.states
      session = try SessionReader(path: path)
      replay = try SessionReplay(session, RecordedShop.setup)
    }

    func run(leavesAt: Int, _ edits: Edit...) throws -> [String] {
      var lines: [String] = []
      _ = try replay.run([Script(leavesAt: leavesAt, edits: edits)]) { lines.append($0.line) }
      return lines
    }
  }

  /// Makes the line of a step hold its whole state.
  private static func keep(_ state: Shop.State, of step: Int, in lines: inout [String]) throws {
    let text = try Value.encoding(state).text()
    lines.change(step) {
      $0.replacing(#"{"step":\#(step),"#, with: #"{"step":\#(step),"keyframe":true,"#)
        .dropLast() + #","state":\#(text)}"#
    }
  }

  @Test(
    "causes that go in circles end, in every fork",
    arguments: [
      [4: #"{"output":4}"#], [3: #"{"output":4}"#, 4: #"{"output":3}"#], [4: #"{"effect":1}"#],
    ])
  func circles(causes: [Int: String]) async throws {
    let changed = try await Changed { lines, _ in
      for (step, cause) in causes {
        lines.change(step) { $0.replacing(#""cause":"user""#, with: #""cause":\#(cause)"#) }
      }
      // The effect starts at the step that it sends.
      lines = lines.map { $0.replacing(#""from":2"#, with: #""from":4"#) }
    }
    #expect(try changed.session.step(4).cause != .user)
    for step in 1...4 {
      #expect(try !changed.run(leavesAt: step - 1, .skip(step: step)).isEmpty)
      #expect(try !changed.run(leavesAt: 0, .move(step: step, after: 5)).isEmpty)
    }
  }

  @Test("a branch that leaves in a turn counts on from there, also where the turn is shorter today")
  func shorterTurn() async throws {
    let changed = try await Changed([
      .send(.announce), .send(.add(1)), .send(.add(2)), .send(.add(3)),
    ]) { lines, _ in
      for step in 4...5 {
        lines.change(step) { $0.replacing(#""cause":"user""#, with: #""cause":{"output":1}"#) }
      }
    }
    let lines = try changed.run(leavesAt: 4, .skip(step: 5))
    #expect(lines == ["5 add ←6 assumed/different"])
  }

  @Test("behind a damaged line a session is forked and verified from the next known state on")
  func damagedLine() async throws {
    let changed = try await Changed { lines, states in
      lines.change(3) { $0.replacing(#""time""#, with: #""ti"#) }
      try Self.keep(states[4], of: 4, in: &lines)
    }
    #expect(
      try changed.run(leavesAt: 4, .skip(step: 6)) == [
        "5 fetched ⚡1 ←5 recorded/equal", "6 add ←9 recorded/different",
      ])
    #expect(try changed.replay.state(of: [], after: 4) == .encoding(changed.states[4]))
    let report = try changed.replay.verify(.all)
    #expect(
      report.text(title: "shop") == """
        shop: 7 steps were run again, all as recorded; some could not be.

        Steps that did not run again:
          steps 3 to 4: the line of this step cannot be read
        """)
  }

  @Test("where no state is known again, the run ends there and says why")
  func lostRest() async throws {
    let changed = try await Changed { lines, _ in
      lines.change(3) { $0.replacing(#""time""#, with: #""ti"#) }
    }
    #expect(
      try changed.run(leavesAt: 1, .insert(after: 1, action: .encoding(Shop.Action.add(9)))) == [
        "2 add new edited/new", "3 fetch ←2 recorded/different",
      ])
    #expect(
      throws: ReplayError.stateUnknown(
        step: 5,
        reason:
          "the line of step 3 cannot be used (it is not JSON: expected :, found l, column 18)",
        known: nil)
    ) { try changed.run(leavesAt: 5) }
    let report = try changed.replay.verify(.all)
    #expect(report.isEqual)
    #expect(report.steps == 2)
    #expect(report.unchecked.map(\.steps) == [3...9])
  }

  @Test("a patch that does not fit costs nothing that the reducer can compute")
  func wrongPatch() async throws {
    let changed = try await Changed { lines, _ in
      lines.change(3) { $0.replacing("/total", with: "/nothing/here") }
    }
    #expect(throws: SessionError.self) { try changed.session.state(after: 4) }
    #expect(try changed.replay.state(of: [], after: 4) == .encoding(changed.states[4]))
    #expect(try changed.run(leavesAt: 4, .skip(step: 5)).count == 4)
    var expected = VerifyReport(steps: 9)
    expected.uncompared = 7
    #expect(try changed.replay.verify(.all) == expected)
  }

  @Test("the step that the app stopped in is left out of a verification, and runs in a fork")
  func unfinishedStep() async throws {
    let changed = try await Changed { lines, _ in
      lines.removeAll { $0.contains(#""end":"#) }
      lines.append(#"{"begin":10,"time":1,"label":"add","action":{"add":{"_0":5}},"cause":"user"}"#)
    }
    var report = VerifyReport(steps: 9)
    report.unfinished = UnfinishedStep(step: 10, label: "add")
    #expect(try changed.replay.verify(.all) == report)
    #expect(
      try changed.run(leavesAt: 8, .skip(step: 9)) == ["9 add ←10 recorded/new"])
    #expect(throws: ReplayError.self) { try changed.run(leavesAt: 10) }
  }

  @Test("recordings/lost-start: without its first state a session starts at a known one")
  func noFirstState() async throws {
    let changed = try await Changed { lines, states in
      lines[0] = lines[0].replacing(#""state":"#, with: #""stale":"#)
      try Self.keep(states[3], of: 3, in: &lines)
    }
    let report = try changed.replay.verify(.all)
    #expect(report.divergences == [])
    #expect(report.unchecked.map(\.steps) == [1...3])
    #expect(report.steps == 6)
    // The effect that runs there has its answer.
    #expect(
      try changed.run(leavesAt: 4, .skip(step: 6)).first == "5 fetched ⚡1 ←5 recorded/equal")
    #expect(throws: ReplayError.self) { try changed.run(leavesAt: 2) }
  }

  @Test("recordings/missing-state: a nested fork without a recorded state starts from its own")
  func nestedWithoutStates() async throws {
    let shop = try await RecordedShop(
      [.send(.add(1)), .send(.add(2)), .send(.add(3)), .send(.add(4))],
      RecordingWays(states: .first))
    let first = Script(leavesAt: 2, edits: [.skip(step: 3)])
    let second = Script(
      parent: "first", leavesAt: 3,
      edits: [.insert(after: 3, action: try .encoding(Shop.Action.add(9)))])
    #expect(try shop.replay.state(of: [first, second], after: 4)["total"] == 16)
  }
}

extension [String] {
  fileprivate mutating func change(_ step: Int, _ change: (String) -> String) {
    for index in indices where self[index].hasPrefix(#"{"step":\#(step),"#) {
      self[index] = change(self[index])
    }
  }
}
