import Platform
import Samples
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import Debugger
@testable import Replay
@testable import TimeTravel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Every step of the samples' demos and of random sessions is skipped once. The oracle is the app
/// itself, recorded without the action.
@Suite("What a fork shows of its effects is what its own run did", .serialized)
struct ForkFactsTests {
  @Test("how effects ended and what they read: the counter", arguments: [false, true])
  func counter(onTape: Bool) async throws { try await check(CounterSample.self, onTape) }

  @Test("how effects ended and what they read: primes", arguments: [false, true])
  func primes(onTape: Bool) async throws { try await check(PrimesSample.self, onTape) }

  @Test("how effects ended and what they read: wishes", arguments: [false, true])
  func wishes(onTape: Bool) async throws { try await check(WishesSample.self, onTape) }

  @Test("a step of a fork of a fork compares with the recording, and with its parent in words")
  func nested() async throws {
    var counts: [Standing.Outcome: Int] = [:]
    try await compareNested(CounterSample.self, &counts)
    try await compareNested(WishesSample.self, &counts)
    #expect(counts[.equal] ?? 0 > 20 && counts[.different] ?? 0 > 20, "\(counts)")
  }

  private func compareNested<Played: Sample>(
    _ sample: Played.Type, _ counts: inout [Standing.Outcome: Int]
  ) async throws {
    let folder = try TemporaryFolder()
    await sample.recordDemo(to: folder("whole.retcon"))
    let reader = try SessionReader(path: folder("whole.retcon"))
    let session = OpenSession(SessionRecording(reader), host: try EngineHost<Played>(reader))
    for number in 1..<reader.steps.upperBound {
      let first = BranchID("first \(number)"), second = BranchID("second \(number)")
      let step = try reader.step(number)
      for await _ in try session.fork(
        first, Script(leavesAt: number - 1, edits: [.skip(step: number)]))
      {}
      // Every other one puts back what the first took away.
      let edit =
        number.isMultiple(of: 2)
        ? Edit.insert(after: number - 1, action: step.action) : .skip(step: number)
      let last = try #require(session.branch(first)).steps.upperBound
      for await _ in try session.fork(
        second, Script(parent: first, leavesAt: min(number - 1, last), edits: [edit]))
      {}
      try await compareNested(session, second, with: first, &counts, "\(sample.name) \(number)")
    }
  }

  private func compareNested(
    _ session: OpenSession, _ fork: BranchID, with parent: BranchID,
    _ counts: inout [Standing.Outcome: Int], _ place: String
  ) async throws {
    for row in try session.rows(try #require(session.branch(fork)).steps, of: fork) {
      let here = Position(branch: fork, step: row.number)
      guard let standing = row.standing, let state = try await session.state(at: here) else {
        continue
      }
      counts[standing.outcome, default: 0] += 1
      let place = "\(place): \(row.number), \(standing.words)"
      let step = try session.step(at: here).step
      func isThat(of branch: BranchID) async throws -> Bool? {
        var there = here
        while there.branch != branch {
          guard let parent = session.branch(there.branch)?.script?.parent,
            let from = try session.step(at: there).descendsFrom
          else { return nil }
          there = Position(branch: parent, step: from)
        }
        let other = try session.step(at: there).step
        return try await session.state(at: there) == state && other.action == step.action
      }
      let isRecorded = try await isThat(of: .main)
      if standing.outcome == .equal { #expect(isRecorded == true, "\(place)") }
      if standing.outcome == .new { #expect(isRecorded != true, "\(place)") }
      if standing.outcome == .different, isRecorded == true {
        let own = try session.effects(in: row.number...row.number, of: fork)
        let recorded = try session.effects(
          in: step.number...step.number, of: .main)
        #expect(own.map(\.number) != recorded.map(\.number), "\(place)")
      }
      guard let name = standing.sameAs else { continue }
      #expect(name == session.name(of: parent))
      #expect(try await isThat(of: parent) == true, "\(place)")
    }
  }

  private static var sessions: UInt64 { getenv("RETCON_LONG") == nil ? 1 : 200 }

  private func check<Played: Sample>(_ sample: Played.Type, _ onTape: Bool) async throws {
    var counts = Counts()
    for seed in 0...Self.sessions {
      var random = SeededGenerator(seed: seed)
      let moves = seed == 0 ? sample.demo() : sample.randomMoves(&random)
      try await check(sample, moves, onTape, &counts, "seed \(seed)")
    }
    print("\(sample.name)\(onTape ? " on the tape" : ""): \(counts)")
    #expect(counts.ends > 20 && counts.reads > 20, "\(counts)")
  }

  private struct Counts { var forks = 0, ends = 0, reads = 0 }

  private func check<Played: Sample>(
    _ sample: Played.Type, _ moves: [DemoMove<Played.App.Action>], _ onTape: Bool,
    _ counts: inout Counts, _ name: String
  ) async throws {
    let folder = try TemporaryFolder()
    await sample.record(moves, to: folder("whole.retcon"))
    let reader = try SessionReader(path: folder("whole.retcon"))
    let session = OpenSession(
      SessionRecording(reader), host: try EngineHost<Played>(reader, onTape: onTape))
    try await session.findEffects()
    var move = -1
    for number in reader.steps.dropFirst() {
      let isUsers = try reader.step(number).cause == .user
      if isUsers { move += 1 }
      let fork = BranchID("without \(number)")
      for await _ in try session.fork(
        fork, Script(leavesAt: number - 1, edits: [.skip(step: number)]))
      {}
      counts.forks += 1
      let place = "\(sample.name) \(name), without \(number)"
      try await compareWithItself(session, fork, &counts, place)
      if isUsers, move + 1 < moves.count {
        var left = moves
        left[move + 1].pause += left[move].pause
        left.remove(at: move)
        await sample.record(left, to: folder("live \(number).retcon"))
        let live = OpenSession(
          SessionRecording(try SessionReader(path: folder("live \(number).retcon"))))
        try await live.findEffects()
        try await compare(session, fork, with: live, &counts, place)
      }
    }
  }

  /// Everything that effects, lanes, panes and the report show, beside the actions that the effects
  /// sent.
  private func compareWithItself(
    _ session: OpenSession, _ fork: BranchID, _ counts: inout Counts, _ place: String
  ) async throws {
    let steps = try #require(session.branch(fork)).steps
    let spans = try session.effects(in: steps, of: fork)
    var failed: Set<EffectID> = []
    let lanes = try session.longestEffects(200, of: fork)
    for span in spans {
      guard let end = span.end, end.manner == .finished else { continue }
      let last = try session.step(at: Position(branch: fork, step: end.step)).step
      guard last.cause == .effect(span.number) else { continue }
      counts.ends += 1
      #expect(span.answersFailure == last.carriesFailure, "\(place): \(span.name) at \(end.step)")
      #expect(lanes.first { $0.number == span.number } == span)
      let moment = try await session.moment(at: Position(branch: fork, step: end.step))
      #expect(moment.effects.first { $0.number == span.number } == span)
      failed.formUnion(span.answersFailure ? [span.number] : [])
    }
    // A report shows the newest run's file.
    guard counts.forks.isMultiple(of: 8) else { return }
    let report = SessionReport(session)
    let folder = try TemporaryFolder()
    let facts = try await report.facts(in: folder.path)
    let index = try #require(facts.branches.firstIndex { $0.id == fork })
    guard let file = facts.branches[index].file else { return }
    let copy = OpenSession(SessionRecording(try SessionReader(path: file)))
    try await copy.findEffects()
    let branch = try #require(try ReportBranch(index, of: facts, [index: copy]))
    let told = branch.effects.filter(\.answersFailure).map(\.number)
    let first = try #require(session.branch(fork)?.script).leavesAt
    #expect(
      Set(told)
        == failed.filter { number in
          spans.contains { $0.number == number && $0.end?.step ?? 0 > first }
        }, "\(place)")
  }

  /// The known steps are those of the app without the action: its effects read the same and end alike.
  private func compare(
    _ session: OpenSession, _ fork: BranchID, with live: OpenSession, _ counts: inout Counts,
    _ place: String
  ) async throws {
    let steps = try #require(session.branch(fork)).steps
    for number in steps.dropFirst() where number <= live.summary.steps.upperBound {
      let here = Position(branch: fork, step: number)
      let there = Position(step: number)
      let own = try session.step(at: here)
      guard own.standing.values.areKnown else { return }
      guard case .effect(let effect) = own.step.cause else { continue }
      guard case .effect(let other) = try live.step(at: there).step.cause else {
        Issue.record("\(place): live, no effect sends step \(number)")
        return
      }
      // A service that draws ids answers otherwise each time.
      guard try own.step.action == live.step(at: there).step.action else { return }
      let reads = try await session.moment(at: here).effectReads
      counts.reads += reads.count
      let expected = try await live.moment(at: there).effectReads
      #expect(reads == expected, "\(place): reads of \(number)")
      let ends = try [(session, here, effect), (live, there, other)].map { session, place, effect in
        try session.effects(in: place.step...place.step, of: place.branch)
          .first { $0.number == effect }?.answersFailure
      }
      #expect(ends[0] == ends[1], "\(place): the end of the effect behind \(number)")
    }
  }
}
