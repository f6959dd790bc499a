import HostProtocol
import Platform
import Samples
import SessionFile
import SessionWords
import TestSupport
import Testing
import TimeTravel
import ValueTree

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("A fork that became a session keeps what the recording has", .serialized)
struct ExportedForkTests {
  @Test(
    "forks of it, and of a trim of it, are forks of the fork: wishes", arguments: [false, true])
  func wishes(onTape: Bool) async throws { try await compare(WishesSample.self, onTape) }

  @Test(
    "forks of it, and of a trim of it, are forks of the fork: the counter",
    arguments: [false, true])
  func counter(onTape: Bool) async throws { try await compare(CounterSample.self, onTape) }

  @Test(
    "forks of it, and of a trim of it, are forks of the fork: primes", arguments: [false, true])
  func primes(onTape: Bool) async throws { try await compare(PrimesSample.self, onTape) }

  private static var rounds: Int { getenv("RETCON_LONG") == nil ? 24 : 1_000 }

  private func compare<Played: Sample>(_ sample: Played.Type, _ onTape: Bool) async throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 23)
    var (knownCount, sentCount) = (0, 0)
    for round in 1...Self.rounds {
      let seed = UInt64(round)
      if round % 12 == 1 {
        // The demo, and then what somebody does who taps at random.
        let moves = round == 1 ? sample.demo() : sample.randomMoves(&random)
        await sample.record(moves, to: folder("whole \(round).retcon"), seed: seed)
      }
      let reader = try SessionReader(path: folder("whole \((round - 1) / 12 * 12 + 1).retcon"))
      let host = try EngineHost<Played>(reader, onTape: onTape)
      let session = OpenSession(SessionRecording(reader), host: host)
      let script = try edit("main", reader.steps.upperBound, session, &random)
      _ = try session.addFork("one", script)
      for await _ in try session.runFork("one") {}
      let last = try #require(session.branch("one")).steps.upperBound
      try await session.export("one", to: folder("\(round).retcon"))
      let export = try SessionReader(path: folder("\(round).retcon"))
      try await checkReads(of: export, beside: reader, session, host, script)

      let nested = try edit("one", last, session, &random)
      if case .output? = try nested.edits.first?.step.map({
        try session.step(at: Position(branch: "one", step: $0)).step.cause
      }) {
        sentCount += 1
      }
      let path = BranchPath([
        NamedScript(id: "one", script: script), NamedScript(id: "two", script: nested),
      ])
      let fork = try await told(path, nested, host)
      var alone = nested
      alone.parent = .main
      // A trim begins at a step of the user, with what is in flight there.
      let first = try stride(from: nested.leavesAt / 2, to: 0, by: -1).first { number in
        try export.step(number + 1).cause == .user
      }
      var files = [export]
      if let first, first < export.steps.upperBound {
        try SessionTrimmer(export).trim(
          first + 1...export.steps.upperBound, to: folder("trim \(round)"))
        files.append(try SessionReader(path: folder("trim \(round)")))
      }
      let verified = try EngineHost<Played>(export, onTape: onTape).verify()
      #expect(
        verified.divergences.isEmpty, "round \(round): \(script): \(verified.divergences)")
      for (index, file) in files.enumerated() {
        let again = try await told(
          BranchPath("two", alone), nested, EngineHost<Played>(file, onTape: onTape))
        let place = "round \(round)\(index > 0 ? ", trimmed" : ""): \(script), then \(nested)"
        // What the parent alone has seen, the export cannot know: it doubts then. Where one meets its
        // parent again, the other may go on by itself.
        let known = again.lines.prefix { $0.contains(" true ") }
        let pair = zip(known, fork.lines).first { $0 != $1 }
        #expect(pair == nil, "\(place) DOUBTS \(fork.doubts) EXP \(again.doubts)")
        #expect(known.count <= fork.lines.count || fork.meets, "\(place)")
        knownCount += known.count
      }
    }
    print("\(sample.name): \(knownCount) known steps, \(sentCount) edits of what a reducer sent")
    #expect(knownCount > 60)
  }

  /// The reads of the recording are there, but for those of effects that the fork ran by itself.
  private func checkReads(
    of export: SessionReader, beside reader: SessionReader, _ session: OpenSession,
    _ host: any BranchHost, _ script: Script
  ) async throws {
    let own = try await host.steps(of: session.path(to: "one"), from: script.leavesAt + 1).told
    let ran = Set(own.filter { $0.asked != nil }.map(\.step.cause))
    let facts = try [export, reader].map { file in
      try file.outsideReads(in: file.steps)
        .filter { !ran.contains($0.effect.map(Cause.effect) ?? .user) }
        .map { "\($0.read) \($0.effect ?? 0) \($0.time ?? .zero) \($0.took ?? .zero)" }
    }
    #expect(facts[0] == facts[1])
    #expect(export.tape == reader.tape)
  }

  private func edit(
    _ parent: BranchID, _ last: Int, _ session: OpenSession, _ random: inout SeededGenerator
  ) throws -> Script {
    let step = Int.random(in: 1...last, using: &random)
    let other = Int.random(in: 1...session.summary.steps.upperBound, using: &random)
    let action = try session.step(at: Position(step: other)).step.action
    return switch Int.random(in: 0..<4, using: &random) {
    case 0, 1: Script(parent: parent, leavesAt: step - 1, edits: [.skip(step: step)])
    case 2:
      Script(parent: parent, leavesAt: step - 1, edits: [.replace(step: step, action: action)])
    default: Script(parent: parent, leavesAt: step, edits: [.insert(after: step, action: action)])
    }
  }

  /// Each step in a line: what it is, whether it is known, and what came of it.
  private func told(
    _ path: BranchPath, _ script: Script, _ host: any BranchHost
  ) async throws -> (lines: [String], meets: Bool, doubts: [String]) {
    let lines = Locked<[String]>([])
    // An effect that only a fork ran has any number; here it is the how many-th.
    let own = Locked<[EffectID]>([])
    let report = try await host.run(path, from: script.leavesAt + 1) { told in
      let step = told.step
      var cause = "\(step.cause)"
      if case .effect(let effect) = step.cause, effect >= EffectID.firstOfFork {
        let place = own.withLock { own in
          own.firstIndex(of: effect) ?? (own.append(effect), own.count - 1).1
        }
        cause = "own effect \(place)"
      }
      lines.withLock { [cause] in
        $0.append(
          "\(step.number) \(step.label) \(step.action.text()) \(cause) "
            + "\(step.time ?? .zero) \(told.standing.values.areKnown) \(told.patch?.text() ?? "")")
      }
    }
    return (lines.withLock { $0 }, report.rejoining != nil, report.assumptions.map { "\($0)" })
  }
}

extension Sample {
  /// What somebody does who taps at random: the demo's actions in another order.
  static func randomMoves(_ random: inout SeededGenerator) -> [DemoMove<App.Action>] {
    let actions = demo().map(\.action)
    return (0..<Int.random(in: 8...24, using: &random)).map { _ in
      DemoMove(
        after: .microseconds(Int.random(in: 1_000...1_500_000, using: &random)),
        actions[Int.random(in: 0..<actions.count, using: &random)])
    }
  }
}
