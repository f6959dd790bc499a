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

  @Test("a fork that skips the last action, which a reducer sent, keeps the edit")
  func lastOutput() async throws {
    let folder = try TemporaryFolder()
    let moves = Array(PrimesSample.demo().prefix(7))
    await PrimesSample.record(moves, to: folder("primes.retcon"))
    let reader = try SessionReader(path: folder("primes.retcon"))
    let last = reader.steps.upperBound
    try #require(try reader.step(last).cause == .output(of: last - 1))
    let session = OpenSession(SessionRecording(reader), host: try EngineHost<PrimesSample>(reader))
    _ = try session.addFork("one", Script(leavesAt: last - 1, edits: [.skip(step: last)]))
    for await _ in try session.runFork("one") {}
    try await session.export("one", to: folder("one.retcon"))
    let export = try SessionReader(path: folder("one.retcon"))
    #expect(try EngineHost<PrimesSample>(export).verify().divergences.isEmpty)
  }

  private static var rounds: Int { getenv("RETCON_LONG") == nil ? 12 : 1_000 }
  /// `RETCON_ROUNDS=86,90` compares these rounds alone, to look into a red one.
  private static let chosen: [Int] =
    getenv("RETCON_ROUNDS").map { String(cString: $0).split(separator: ",").compactMap { Int($0) } }
    ?? []

  private func compare<Played: Sample>(_ sample: Played.Type, _ onTape: Bool) async throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 23)
    var (knownCount, sentCount, liveCount) = (0, 0, 0)
    var (moves, end): (Played.Moves, Duration) = ([], .zero)
    for round in 1...(Self.chosen.max() ?? Self.rounds) {
      if round % 12 == 1 {
        // The demo first, then random taps of a user.
        moves = sample.timed(round == 1 ? sample.demo() : sample.randomMoves(&random))
        end = moves.last?.time ?? .zero
        await sample.live(moves, until: end, to: folder("whole \(round).retcon"))
      }
      let reader = try SessionReader(path: folder("whole \((round - 1) / 12 * 12 + 1).retcon"))
      let host = try EngineHost<Played>(reader, onTape: onTape)
      let session = OpenSession(SessionRecording(reader), host: host)
      let script = try edit("main", reader.steps.upperBound, session, &random)
      _ = try session.addFork("one", script)
      for await _ in try session.runFork("one") {}
      let last = try #require(session.branch("one")).steps.upperBound
      let nested = try edit("one", last, session, &random)
      guard Self.chosen.isEmpty || Self.chosen.contains(round) else { continue }
      try await session.export("one", to: folder("\(round).retcon"))
      let export = try SessionReader(path: folder("\(round).retcon"))
      try await checkReads(of: export, beside: reader, session, host, script)
      if case .output? = try nested.edits.first?.step.map({ try export.step($0).cause }) {
        sentCount += 1
      }
      let verified = try EngineHost<Played>(export, onTape: onTape).verify()
      #expect(
        verified.divergences.isEmpty, "round \(round): \(script): \(verified.divergences)")

      // The live app, if the user can do what the edits say.
      var live: SessionReader?
      let lines = try [reader, export].map { file in
        try file.steps.dropFirst().map { try file.step($0) }
      }
      if let one = try sample.moves(moves, script, in: lines[0]),
        let two = try sample.moves(one, nested, in: lines[1])
      {
        await sample.live(two, until: end, to: folder("live \(round)"))
        live = try SessionReader(path: folder("live \(round)"))
        liveCount += 1
      }
      let path = BranchPath([
        NamedScript(id: "one", script: script), NamedScript(id: "two", script: nested),
      ])
      let fork = try await told(path, nested, host)
      let place = "round \(round): \(script), then \(nested)"
      try check(fork.known, live, after: nested.leavesAt, "\(place)\nin memory")
      var alone = nested
      alone.parent = .main
      for file in try files(of: export, nested, in: folder, round) {
        let again = try await told(
          BranchPath("two", alone), nested, EngineHost<Played>(file, onTape: onTape))
        let place = "\(place)\nof \(file.fileName) \(fork.doubts) \(again.doubts)"
        // The export knows less of what the parent has seen, and more examples of effects: what both
        // know is one thing, and the live app does it. Where one meets its parent again, the other
        // may go on by itself.
        let pair = zip(again.known, fork.known).first { $0.line != $1.line }
        #expect(pair == nil, "\(place)")
        try check(again.known, live, after: nested.leavesAt, place)
        #expect(again.known.count <= fork.count || fork.meets || live != nil, "\(place)")
        knownCount += again.known.count
      }
    }
    print(
      "\(sample.name): \(knownCount) known steps, \(sentCount) edits of what a reducer sent, "
        + "\(liveCount) live runs")
    #expect(knownCount > 60 || !Self.chosen.isEmpty)
  }

  /// The export, a redacted copy, and a trim. That begins at a step of the user, with what is in
  /// flight there.
  private func files(
    of export: SessionReader, _ nested: Script, in folder: TemporaryFolder, _ round: Int
  ) throws -> [SessionReader] {
    var trimmer = SessionTrimmer(export)
    trimmer.redaction = Redaction(keys: ["title", "fact", "name"])
    try trimmer.trim(export.steps, to: folder("redacted \(round)"))
    let files = [export, try SessionReader(path: folder("redacted \(round)"))]
    let first = try stride(from: nested.leavesAt / 2, to: 0, by: -1).first { number in
      try export.step(number + 1).cause == .user
    }
    guard let first, first < export.steps.upperBound else { return files }
    try SessionTrimmer(export).trim(
      first + 1...export.steps.upperBound, to: folder("trim \(round)"))
    return files + [try SessionReader(path: folder("trim \(round)"))]
  }

  private func check(
    _ known: [ToldStep], _ live: SessionReader?, after first: Int, _ place: String
  ) throws {
    guard let live else { return }
    for (number, step) in zip((first + 1)..., known) {
      let real = live.steps.contains(number) ? try live.step(number).action : .null
      let state = live.steps.contains(number) ? try live.state(after: number) : nil
      guard real.isExactlyEqual(to: step.action), state?.isExactlyEqual(to: step.state) == true
      else {
        Issue.record("live: \(real.text()) \(state?.text() ?? "")\ntold: \(step)\n\(place)")
        return
      }
    }
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

  private struct ToldStep {
    /// The action, and the state after it.
    var line: String
    var action: Value
    var state: Value
  }

  private func told(
    _ path: BranchPath, _ script: Script, _ host: any BranchHost
  ) async throws -> (known: [ToldStep], count: Int, meets: Bool, doubts: [String]) {
    let steps = Locked<[BranchStep]>([])
    let report = try await host.run(path, from: script.leavesAt + 1) { step in
      steps.withLock { $0.append(step) }
    }
    var state = try await host.state(of: path, after: script.leavesAt)
    // An effect that only a fork ran has any number; here it is the how many-th.
    var own: [EffectID] = []
    let all = steps.withLock { $0 }
    let known = try all.prefix { $0.standing.values.areKnown }.map { told in
      let step = told.step
      var cause = "\(step.cause)"
      if case .effect(let effect) = step.cause, effect >= EffectID.firstOfFork {
        if !own.contains(effect) { own.append(effect) }
        cause = "own effect \(own.firstIndex(of: effect) ?? 0)"
      }
      if let patch = told.patch { state = try Patch(patch).applied(to: state) }
      return ToldStep(
        line: "\(step.number) \(step.action.text()) \(cause) \(step.time ?? .zero) "
          + (told.patch?.text() ?? ""), action: step.action, state: state)
    }
    return (known, all.count, report.rejoining != nil, report.assumptions.map { "\($0)" })
  }
}
