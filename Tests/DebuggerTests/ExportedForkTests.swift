import HostProtocol
import Platform
import Samples
import SessionFile
import SessionWords
import TestSupport
import Testing
import TimeTravel
import ValueTree

@Suite("A fork that became a session keeps what the recording has", .serialized)
struct ExportedForkTests {
  @Test("forks of it are forks of the fork, step by step: wishes")
  func wishes() async throws { try await compare(WishesSample.self) }

  @Test("forks of it are forks of the fork, step by step: the counter")
  func counter() async throws { try await compare(CounterSample.self) }

  private func compare<Played: Sample>(_ sample: Played.Type) async throws {
    let folder = try TemporaryFolder()
    await sample.recordDemo(to: folder("whole.retcon"))
    let reader = try SessionReader(path: folder("whole.retcon"))
    let host = try EngineHost<Played>(reader)
    var random = SeededGenerator(seed: 23)
    let reads = try reader.outsideReads(in: reader.steps)
    #expect(!reads.isEmpty)
    var knownCount = 0
    for round in 1...12 {
      let session = OpenSession(SessionRecording(reader), host: host)
      let script = try edit("main", reader.steps.upperBound, session, &random)
      _ = try session.addFork("one", script)
      for await _ in try session.runFork("one") {}
      let last = try #require(session.branch("one")).steps.upperBound
      try await session.export("one", to: folder("\(round).retcon"))
      let export = try SessionReader(path: folder("\(round).retcon"))
      let kept = try export.outsideReads(in: export.steps)
      // Those of effects that the fork ran by themselves are its own.
      let own = try await host.steps(of: session.path(to: "one"), from: script.leavesAt + 1).told
      let ran = Set(own.filter { $0.asked != nil }.map(\.step.cause))
      let facts = [kept, reads].map { reads in
        reads.filter { !ran.contains($0.effect.map(Cause.effect) ?? .user) }
          .map { "\($0.read) \($0.effect ?? 0) \($0.time ?? .zero) \($0.took ?? .zero)" }
      }
      #expect(facts[0] == facts[1])
      #expect(export.tape == reader.tape)

      let nested = try edit("one", last, session, &random)
      let path = BranchPath([
        NamedScript(id: "one", script: script), NamedScript(id: "two", script: nested),
      ])
      let fork = try await told(path, nested, host)
      var alone = nested
      alone.parent = .main
      let again = try await told(
        BranchPath("two", alone), nested, EngineHost<Played>(export))
      // What the parent alone has seen, the export cannot know: it doubts then. Where one meets its parent
      // again, the other may go on by itself.
      let known = again.lines.prefix { $0.contains(" true ") }
      let pair = zip(known, fork.lines).first { $0 != $1 }
      #expect(pair == nil, "round \(round): \(script), then \(nested)")
      #expect(known.count <= fork.lines.count || fork.meets, "round \(round)")
      knownCount += known.count
    }
    #expect(knownCount > 60)
  }

  private func edit(
    _ parent: BranchID, _ last: Int, _ session: OpenSession, _ random: inout SeededGenerator
  ) throws -> Script {
    let step = Int.random(in: 1...last, using: &random)
    let other = Int.random(in: 1...session.summary.steps.upperBound, using: &random)
    let action = try session.step(at: Position(step: other)).step.action
    return Bool.random(using: &random)
      ? Script(parent: parent, leavesAt: step - 1, edits: [.skip(step: step)])
      : Script(parent: parent, leavesAt: step, edits: [.insert(after: step, action: action)])
  }

  /// Each step in a line: what it is, whether it is known, and what came of it.
  private func told(
    _ path: BranchPath, _ script: Script, _ host: any BranchHost
  ) async throws -> (lines: [String], meets: Bool) {
    let lines = Locked<[String]>([])
    let report = try await host.run(path, from: script.leavesAt + 1) { told in
      let step = told.step
      lines.withLock {
        $0.append(
          "\(step.number) \(step.label) \(step.action.text()) \(step.cause) "
            + "\(step.time ?? .zero) \(told.standing.values.areKnown) \(told.patch?.text() ?? "")")
      }
    }
    return (lines.withLock { $0 }, report.rejoining != nil)
  }
}
