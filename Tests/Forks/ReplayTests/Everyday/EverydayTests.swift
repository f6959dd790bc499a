import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

/// Forks of an everyday app, each against the app live with the same edit.
@Suite struct EverydayTests {
  private typealias Session = RandomSession<Everyday.State, Everyday.Action>
  private typealias Random = SeededRandomNumberGenerator

  private struct Figures: CustomStringConvertible {
    var forks = 0
    var free = 0
    var doubtful = 0
    var needless = 0
    /// The first doubts of the forks, and those of needlessly doubtful steps.
    var reasons: [String: Int] = [:]
    var needlessReasons: [String: Int] = [:]

    var description: String {
      """
      \(free) of \(forks) forks are free of doubt
      \(Self.table(reasons))
      \(needless) of \(doubtful) doubtful steps are needlessly so
      \(Self.table(needlessReasons))
      """
    }

    private static func table(_ counts: [String: Int]) -> String {
      counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { "  \($0.value): \($0.key)" }.joined(separator: "\n")
    }
  }

  private struct Recorded {
    var session: Session
    var replay: SessionReplay
    var told: Told<Everyday.State>
  }

  private func record(
    seed: UInt64, _ random: inout Random, effectsOnTape: Bool
  ) async throws -> Recorded {
    var app = RandomApps.everyday
    app.mix = .usual
    let session = try await Session(app, seed: seed, &random, moves: 12...20)
    let replay = try SessionReplay(
      session.reader, app.setup(with: app.reducer, effectsOnTape: effectsOnTape))
    #expect(try replay.verify(.all).isEqual)
    return Recorded(
      session: session, replay: replay, told: try Told(session.reader, session.run.states))
  }

  /// Runs a fork and the app live. A known step must be the app's.
  private func compare(
    _ script: Script, _ happenings: [Happening<Everyday.Action>],
    _ detour: Detour<Everyday.Action>, of recorded: Recorded, isAnswered: Bool = false,
    _ figures: inout Figures
  ) async throws {
    let app = recorded.session.app
    var scripts = [script]
    if isAnswered {
      let world = World(seed: recorded.session.seed, app.mix)
      scripts = try app.answered(scripts, recorded.replay, world)
    }
    let told = try Told(scripts, in: recorded.replay, of: recorded.told)
    let live = await recorded.session.line.live(happenings, detour)
    let words = "seed \(recorded.session.seed), \(script.edits)\n\(told.lines)"
    for index in told.steps.indices.dropFirst(script.leavesAt) {
      let agrees = try told.step(at: index, isThatOf: live, app)
      if told.values[index].areKnown {
        #expect(agrees, "step \(index + 1) is a lie: \(words)")
      } else {
        figures.doubtful += 1
        guard agrees else { continue }
        figures.needless += 1
        figures.needlessReasons[told.reasons[index]?.cause ?? "", default: 0] += 1
      }
    }
    let isFree = told.report.assumptions.allSatisfy(\.kind.values.areKnown)
    if isFree, recorded.session.reader.isFinished {
      #expect(told.states.count == live.states.count, "its end is a lie: \(words)")
    }
    figures.forks += 1
    if isFree { figures.free += 1 }
    if let first = told.report.assumptions.first {
      figures.reasons[DoubtReason(first, at: first.step).cause, default: 0] += 1
    }
  }

  /// Skips ten user steps of each session.
  private func skips(sessions: UInt64, effectsOnTape: Bool) async throws -> Figures {
    var figures = Figures()
    for seed in 1...(RandomRuns.isLong ? sessions * 5 : sessions) {
      var random = Random(seed: seed)
      let recorded = try await record(seed: seed, &random, effectsOnTape: effectsOnTape)
      let steps = recorded.told.steps.filter { $0.cause == .user }.map(\.number)
      for step in steps.shuffled(using: &random).prefix(10).sorted() {
        let line = recorded.session.line
        var detour = line.detour
        detour.changes[line.places[step - 1]] = .skip
        let script = Script(leavesAt: step - 1, edits: [.skip(step: step)])
        try await compare(script, line.happenings, detour, of: recorded, &figures)
      }
    }
    return figures
  }

  @Test("of 200 skips with effects on the tape, four in five leave no doubt, and none lies")
  func skipsOnTape() async throws {
    let figures = try await skips(sessions: 20, effectsOnTape: true)
    print("everyday, on the tape, skips: \(figures)")
    #expect(figures.forks >= 200)
    #expect(figures.free * 100 >= figures.forks * 80)
  }

  @Test("skips without effects on the tape tell no lie")
  func skipsWithoutTape() async throws {
    let figures = try await skips(sessions: RandomRuns.isLong ? 20 : 5, effectsOnTape: false)
    print("everyday, skips: \(figures)")
    #expect(figures.free * 100 >= figures.forks * 40)
  }

  /// Inserts and replaces user steps: ten edits of each session.
  private func changes(
    sessions: UInt64, effectsOnTape: Bool, isAnswered: Bool = false
  ) async throws -> Figures {
    var figures = Figures()
    for seed in 1...(RandomRuns.isLong ? sessions * 10 : sessions) {
      var random = Random(seed: seed)
      let recorded = try await record(seed: seed, &random, effectsOnTape: effectsOnTape)
      var count = 0
      for _ in 0..<1_000 where count < 10 {
        guard let edit = try RandomEdit(recorded.session.line, &random),
          edit.kinds == [.insert] || edit.kinds == [.replace]
        else { continue }
        count += 1
        try await compare(
          edit.script, edit.happenings, edit.detour, of: recorded, isAnswered: isAnswered,
          &figures)
      }
    }
    return figures
  }

  @Test("after inserting and replacing, at most one doubtful step in five is needlessly so")
  func changesOnTape() async throws {
    let figures = try await changes(sessions: 10, effectsOnTape: true, isAnswered: true)
    print("everyday, on the tape, answered, inserts and replaces: \(figures)")
    #expect(figures.needless * 100 <= figures.doubtful * 20)
  }

  @Test("after inserting and replacing with open questions, one doubtful step in five is needless")
  func openChangesOnTape() async throws {
    let figures = try await changes(sessions: 10, effectsOnTape: true)
    print("everyday, on the tape, open, inserts and replaces: \(figures)")
    #expect(figures.needless * 100 <= figures.doubtful * 20)
  }

  @Test("inserts and replaces without effects on the tape tell no lie")
  func changesWithoutTape() async throws {
    let figures = try await changes(sessions: 4, effectsOnTape: false)
    print("everyday, inserts and replaces: \(figures)")
  }
}
