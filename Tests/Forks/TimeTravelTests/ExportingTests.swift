import HostProtocol
import RecordingSupport
import SessionFile
import SessionWords
import Synchronization
import TestSupport
import Testing
import ValueTree

@testable import TimeTravel

@Suite("A branch is written as a session of its own")
struct ExportingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Tells the same steps whatever the script.
  private struct Telling: BranchHost {
    var steps: [BranchStep]
    var rejoining: Rejoining?
    var fails = false
    var ending: BranchReport.Ending?
    var effects: [EffectEvent] = []
    var state: Value = .null
    var name: String { "Telling" }

    func run(
      _ branch: BranchPath, from step: Int, onStep: @escaping @Sendable (BranchStep) -> Void
    ) async throws -> BranchReport {
      for step in steps { onStep(step) }
      if fails { throw Trouble("the host died") }
      var report = BranchReport(
        lastStep: steps.last?.step.number ?? 0, rejoining: rejoining, ending: ending)
      report.effects = effects
      return report
    }

    func state(of branch: BranchPath, after step: Int) async throws -> Value { state }
  }

  private func told(_ number: Int, _ total: Int) -> BranchStep {
    BranchStep(
      step: Step(number: number, label: "added", action: ["added": .number(Number(total))]),
      standing: Standing(.edited, .new),
      patch: [["op": "replace", "path": "/total", "value": .number(Number(total))]])
  }

  private func forked(
    _ host: Telling, leavesAt: Int = 2, of recording: MemoryRecording = Shop.recording
  ) async throws -> OpenSession {
    let session = OpenSession(recording, host: host)
    let script = Script(leavesAt: leavesAt, edits: [.insert(after: leavesAt, action: .null)])
    for await _ in try session.fork("more", script) {}
    return session
  }

  @Test("with the parent's steps, its own, the states, the effects and the standings")
  func fork() async throws {
    let session = try await forked(Telling(steps: [told(3, 70), told(4, 71)]))
    let path = folder("more.retcon")
    #expect(try await session.export("more", to: path) == 4)
    let reader = try SessionReader(path: path)
    #expect(reader.steps == 0...4)
    #expect(reader.header.origin?.format == "branch more")
    #expect(try reader.step(1) == session.step(at: Position(step: 1)).step)
    #expect(try reader.state(after: 2) == Shop.recording.state(after: 2))
    #expect(try reader.step(4).standing == Standing(.edited, .new))
    #expect(try reader.state(after: 4)["total"] == 71)
    #expect(try reader.effectEvents(in: 2...2).count == 1)
    #expect(folder.names == ["more.retcon"])
  }

  @Test("in today's version of the format, with the parts of the state that were set")
  func set() async throws {
    let part = SetPart(["total"], value: 70)
    let own = BranchStep(
      step: Step(3, setting: part), standing: Standing(.edited, .new),
      patch: [["op": "replace", "path": "/total", "value": 70]])
    let session = try await forked(Telling(steps: [own]))
    let path = folder("more.retcon")
    try await session.export("more", to: path)
    let reader = try SessionReader(path: path)
    #expect(reader.header.version == .current)
    #expect(try reader.step(3).set == part)
    // A user would not send it again as an action.
    let again = OpenSession(SessionRecording(reader))
    let found = Mutex<[ActionTemplate]>([])
    try await again.templates(near: Position(step: 3)) { more in found.withLock { $0 += more } }
    let templates = found.withLock { $0 }
    #expect(!templates.isEmpty && templates.allSatisfy { $0.step != 3 })
  }

  @Test("which says of each step what it rests on, as the branch did")
  func doubt() async throws {
    var guess = told(3, 70)
    let assumption = Assumption(.stale, .read(key: "rate", index: 0), from: 3, "it was asked less")
    guess.standing = Standing(.assumed, .different, [assumption])
    var after = told(4, 71)
    after.standing = Standing(.assumed, .equal)
    let session = try await forked(Telling(steps: [guess, after]))
    let path = folder("more.retcon")
    try await session.export("more", to: path)
    let again = OpenSession(SessionRecording(try SessionReader(path: path)))
    #expect(again.summary.wasBranch && !session.summary.wasBranch)
    let rows = try again.rows(2...4, of: .main)
    #expect(rows.map(\.standing?.values) == [nil, .assumed, .assumed])
    #expect(again.assumptions(at: Position(step: 2)) == [])
    #expect(again.assumptions(at: Position(step: 4)) == [assumption])
    #expect(try await again.moment(at: Position(step: 4)).standing == after.standing)
    let hits = Mutex<[Int]>([])
    try await again.search(
      .main, from: 0, for: StepQuestion("standing.assumptions[0] == 'stale'")
    ) { batch in hits.withLock { $0 += batch.hits } }
    #expect(hits.withLock { $0 } == [3, 4])
  }

  @Test("which ends inside the step that ended the process, with its cause and its reads")
  func crash() async throws {
    let session = OpenSession(
      Shop.recording, host: Telling(steps: [], ending: .init(4, .crashed, "trap")))
    let edit = Edit.read(step: 4, key: "now", index: 0, outcome: .value(78))
    for await _ in try session.fork("more", Script(leavesAt: 3, edits: [edit])) {}
    let path = folder("more.retcon")
    #expect(try await session.export("more", to: path) == 4)
    let reader = try SessionReader(path: path)
    let last = try reader.step(4)
    #expect(last.isUnfinished)
    #expect(last.label == "applied" && last.cause == .output(of: 3))
    #expect(last.time == .milliseconds(1_301))
    #expect(last.reads == [Read(key: "now", value: 78)])
    #expect(folder.names == ["more.retcon"])
  }

  @Test("whose forks know what was in flight, though its effects are found after they have run")
  func effectsFoundLater() async throws {
    let path = folder("more.retcon")
    try await forked(Telling(steps: [told(3, 70)])).export("more", to: path)
    let again = OpenSession(
      SessionRecording(try SessionReader(path: path)), host: Telling(steps: [told(3, 71)]))
    let script = Script(leavesAt: 2, edits: [.insert(after: 2, action: .null)])
    for await _ in try again.fork("next", script) {}
    #expect(try again.effects(in: 3...3, of: "next").isEmpty)
    try await again.findEffects()
    #expect(try again.effects(in: 3...3, of: "next").map(\.number) == [1])
  }

  @Test("with what became of effects where it has no step of its own")
  func effectsAlone() async throws {
    let stop = EffectEvent(
      effect: 1, step: 4, kind: .cancelled, isFromOutside: true, isAlone: true)
    let session = try await forked(Telling(steps: [], effects: [stop]), leavesAt: 4)
    let path = folder("more.retcon")
    #expect(try await session.export("more", to: path) == 4)
    let reader = try SessionReader(path: path)
    #expect(try reader.effectEvents(in: 4...4).last == stop)
  }

  @Test("with the host's states where the recording has none before the fork", arguments: [0, 1])
  func unknownStart(known: Int) async throws {
    let steps = (0...2).map { Step(number: $0, label: "a", action: "a") }
    var states: [Value?] = [nil, nil, nil]
    // A patch does not begin from an older state.
    if known > 0 { states[1] = ["total": 5, "other": 1] }
    let host = Telling(steps: [told(3, 70), told(4, 71)], state: ["total": 69])
    let session = try await forked(
      host, of: MemoryRecording(name: "log", steps: steps, states: states))
    let path = folder("more.retcon")
    try await session.export("more", to: path)
    let reader = try SessionReader(path: path)
    #expect(throws: SessionError.self) { try reader.state(after: 2) }
    #expect(try (3...4).map { try reader.state(after: $0) } == [["total": 70], ["total": 71]])
  }

  @Test(
    "a name that no position can be written with is refused",
    arguments: ["", " ", "a/b", "a@3", "a\nb", "a\u{1B}[31m", "a\u{2028}b"])
  func names(_ name: String) async throws {
    let session = try await forked(Telling(steps: []))
    let script = Script(leavesAt: 1, edits: [.skip(step: 2)])
    #expect(throws: Trouble.self) { try session.addFork(BranchID(name), script) }
    #expect(throws: Trouble.self) { try session.renameFork("more", to: name) }
    #expect(session.branches.map(\.name) == ["main", "more"])
  }

  @Test("with the parent's later steps, numbered anew, where it meets its parent again")
  func rejoining() async throws {
    let host = Telling(
      steps: [told(2, 70), told(3, 9)], rejoining: Rejoining(step: 3, parentStep: 2))
    let session = try await forked(host, leavesAt: 1)
    let path = folder("more.retcon")
    #expect(try await session.export("more", to: path) == 5)
    let reader = try SessionReader(path: path)
    #expect(try (4...5).map { try reader.step($0).label } == ["couponResponse", "applied"])
    #expect(try reader.state(after: 5) == Shop.recording.state(after: 4))
  }

  @Test("without what is to be taken out of it, and nothing else of it is left")
  func redacted() async throws {
    let session = try await forked(Telling(steps: [told(3, 70), told(4, 71)]))
    let path = folder("more.retcon")
    #expect(
      try await session.export("more", to: path, without: Redaction(keys: ["total"])) == 4)
    #expect(folder.names == ["more.retcon"])
    let reader = try SessionReader(path: path)
    #expect(reader.steps == 0...4)
    #expect(reader.header.redacted == ["key total"])
    #expect(try reader.state(after: 4)["total"] == "<redacted>")
    #expect(try reader.step(4).standing == Standing(.edited, .new))
    #expect(!folder.text("more.retcon").contains(#""total":7"#))
  }

  @Test("nothing is left of one that fails, and what is there is not replaced")
  func failing() async throws {
    let dead = try await forked(Telling(steps: [told(3, 70)], fails: true))
    await #expect(throws: Trouble.self) {
      try await dead.export("more", to: folder("more.retcon"))
    }
    #expect(folder.names == [])
    let session = try await forked(Telling(steps: [told(3, 70)]))
    let there = try folder.write("mine", to: "there.retcon")
    await #expect(throws: SessionError.self) { try await session.export("more", to: there) }
    await #expect(throws: SessionError.self) {
      try await session.exportState(at: Position(step: 1), to: there)
    }
    #expect(folder.text("there.retcon") == "mine")
    #expect(folder.names == ["there.retcon"])
    await #expect(throws: SessionError.self) {
      try await session.export("more", to: folder("nowhere/more.retcon"))
    }
  }

  @Test("a state is written as JSON that can be read")
  func state() async throws {
    let session = OpenSession(Shop.recording)
    try await session.exportState(at: Position(step: 1), to: folder("state.json"))
    let text = folder.text("state.json")
    #expect(try Value(parsing: text) == Shop.recording.state(after: 1))
    #expect(text.hasSuffix("}\n"))
  }

  @Test("a value that does not decode ends its fork with a step that says so, and is an edit")
  func undecodable() async throws {
    let ending = BranchReport.Ending(3, .undecodable, "/total: no number")
    let session = OpenSession(Shop.recording, host: Telling(steps: [], ending: ending))
    let script = Script(leavesAt: 2, edits: [.set(step: 2, pointer: ["total"], value: "much")])
    for await _ in try session.fork("more", script) {}
    let moment = try await session.moment(at: Position(branch: "more", step: 3))
    #expect(moment.step.label == "state set by hand")
    #expect(moment.step.action == ["pointer": "/total", "value": "much"])
    #expect(moment.standing == Standing(.edited, .undecodable))
    #expect(moment.trouble == "/total: no number")
  }
}
