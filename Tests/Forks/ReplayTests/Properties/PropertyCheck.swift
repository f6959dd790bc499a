import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How often a property is tried.
enum RandomRuns {
  /// From 1 to the count, to the higher one in the long run; or the one that the environment names, or
  /// those from one to another: `RETCON_SEED=1001-2000`. Those that once found a mistake come along.
  static func seeds(_ count: UInt64, long: UInt64) -> [UInt64] {
    if let text = getenv("RETCON_SEED") {
      let ends = String(cString: text).split(separator: "-").compactMap { UInt64($0) }
      if let first = ends.first, let last = ends.last, first <= last { return Array(first...last) }
    }
    return Array(1...(isLong ? long : count)) + past
  }

  static let past: [UInt64] = [1152, 1411, 1460, 1553, 1696]

  static var isLong: Bool { getenv("RETCON_LONG") != nil }
}

/// Records random sessions of an app, runs them again, edits them, edits the edits, and compares each
/// step with the app live.
struct PropertyCheck<State: Codable & Equatable & Sendable, Action: Codable & Sendable> {
  private let app: RandomApp<State, Action>
  private let effectsOnTape: Bool

  init(_ app: RandomApp<State, Action>, effectsOnTape: Bool = false) {
    self.app = app
    self.effectsOnTape = effectsOnTape
  }

  /// The first seed that fails is reported and ends the run.
  func run() async throws {
    var counts = PropertyCounts()
    // A drawn app takes several times as long.
    let (short, long): (UInt64, UInt64) =
      app.isDrawn == nil ? (effectsOnTape ? 5 : 8, 1_500) : (3, 200)
    for seed in RandomRuns.seeds(short, long: long) {
      guard try await check(seed, &counts) else { return }
    }
    print("\(app.name): \(counts)")
    // The shares of known steps and needless doubts depend on the app. Drawn apps have no author
    // who could mend them.
    guard app.isDrawn == nil else { return }
    DoubtTotals.add(counts, of: app.name, effectsOnTape: effectsOnTape)
    // Of few sessions the shares are hardly known.
    guard counts.sessions >= 40 else { return }
    #expect(
      counts.knownCount * 3 >= counts.editCount, "too few edits were known in full: \(counts)")
    for (what, count) in [
      ("emissions", counts.emissions), ("finished effects", counts.finished),
      ("cancelled effects", counts.cancelled), ("stopped effects", counts.stopped),
    ] {
      #expect(count > counts.sessions / 20, "too few \(what): \(counts)")
    }
  }

  private func check(_ seed: UInt64, _ counts: inout PropertyCounts) async throws -> Bool {
    var random = SeededRandomNumberGenerator(seed: seed)
    var app = app
    app.mix = Mix(ofSeed: seed)
    let session = try await RandomSession(app, seed: seed, &random)
    try counts.add(session.reader, failures: session.run.world.failures)
    let replay = try SessionReplay(
      session.reader, app.setup(with: app.reducer, effectsOnTape: effectsOnTape))
    let report = try replay.verify(.all)
    let line = session.line
    guard report.isEqual, report.steps == line.steps.count else {
      Issue.record("\(line.words)\n\(report.text(title: "session"))")
      return false
    }
    let recording = try Told(session.reader, session.run.states)
    let again = try Told([], in: replay, of: recording)
    guard again.states == recording.states else {
      Issue.record("\(line.words)\nthe re-run's states are not those of the app")
      return false
    }
    guard
      let edit = try RandomEdit(line, &random),
      let one = try await check(edit, of: line, [], recording, replay, &counts)
    else { return false }
    // The next fork gets the same edit as its parent.
    guard one.told.report.ending == nil,
      let nested = try RandomEdit(one.line, &random, parent: "first")
    else { return true }
    return try await check(nested, of: one.line, one.scripts, one.told, replay, &counts) != nil
  }

  /// An edit of a line, against the app live; nil when it is a lie.
  private func check(
    _ edit: RandomEdit<State, Action>, of line: Line<State, Action>, _ parents: [Script],
    _ parent: Told<State>, _ replay: SessionReplay, _ counts: inout PropertyCounts
  ) async throws -> (told: Told<State>, line: Line<State, Action>, scripts: [Script])? {
    let scripts = try answered(parents + [edit.script], replay, seed: line.seed)
    let told = try Told(scripts, in: replay, of: parent)
    let live = await line.live(edit.happenings, edit.detour)
    let name = parents.isEmpty ? edit.name : "nested"
    try counts.add(name, told, live, line.app, from: edit.leavesAt)
    if let lie = try difference(of: told, from: live, after: edit.leavesAt) {
      Issue.record("\(words(edit, line, scripts, told))\n\(lie)")
      return nil
    }
    for leavesAt in Set([edit.leavesAt, (edit.leavesAt + told.steps.count) / 2]) {
      let plain = Script(parent: "whole", leavesAt: leavesAt)
      let same = try Told(scripts + [plain], in: replay, of: told)
      if let difference = same.difference(from: told, after: leavesAt) {
        Issue.record(
          """
          \(words(edit, line, scripts, told))
          a fork of it after step \(leavesAt), without an edit:
          \(same.lines.map { "  \($0)" }.joined(separator: "\n"))
          \(difference)
          """)
        return nil
      }
    }
    return (told, Line(edit, of: line, told, live), scripts)
  }

  /// With what the services answer to the questions that effects on the tape stop at, as a user would
  /// ask them.
  private func answered(
    _ scripts: [Script], _ replay: SessionReplay, seed: UInt64
  ) throws -> [Script] {
    guard effectsOnTape else { return scripts }
    return try app.answered(scripts, replay, World(seed: seed, Mix(ofSeed: seed)))
  }

  private func words(
    _ edit: RandomEdit<State, Action>, _ line: Line<State, Action>, _ scripts: [Script],
    _ told: Told<State>
  ) -> String {
    """
    \(line.words)
    edits: \(scripts.map { "\($0.edits)" }.joined(separator: ", then "))
    live, it would be:
    \(edit.happenings.map { "  \($0)" }.joined(separator: "\n"))
    the branch leaves after step \(edit.leavesAt):
    \(told.lines.map { "  \($0)" }.joined(separator: "\n"))
      and then: \(told.report.assumptions.map(\.sentence)) \(told.report.pending.count) pending
    """
  }

  /// Where a step that is known is not the one of the live run.
  private func difference(
    of told: Told<State>, from live: LiveApp<State, Action>, after first: Int
  ) throws -> String? {
    for index in told.steps.indices.dropFirst(first) where told.values[index].areKnown {
      if try told.step(at: index, isThatOf: live, app) { continue }
      let other = live.states.indices.contains(index + 1) ? live.states[index + 1] : nil
      let action = live.actions.indices.contains(index) ? live.actions[index] : nil
      return """
        step \(index + 1) of the branch is told as known:
          branch \(told.states[index + 1])
          live   \(other.map { "\($0)" } ?? "has no such step")
          live action \(action.map { "\($0)" } ?? "none")
        """
    }
    if told.isComplete, live.states.count > told.states.count {
      return """
        the branch ends after step \(told.steps.count), and nothing is said to be open:
          live action \(live.actions[told.steps.count].map { "\($0)" } ?? "none")
        """
    }
    return nil
  }
}

extension RandomApp {
  /// The scripts with what this world's services answer to the questions that effects on the tape stop at.
  func answered(
    _ scripts: [Script], _ replay: SessionReplay, _ world: World
  ) throws -> [Script] {
    var scripts = scripts
    var asked: Set<Question> = []
    while true {
      let questions = try replay.run(scripts).assumptions.compactMap(\.question)
      guard let question = questions.first(where: { asked.insert($0).inserted }),
        let reply = reply(question, world)
      else { return scripts }
      scripts[scripts.count - 1].edits.append(.reply(reply))
    }
  }
}

extension EffectEvent {
  /// The description without the place where the effect was started.
  fileprivate var line: String {
    let words = origin.map { "starts \(EffectPlace($0, step: 0).text)" } ?? "\(kind)"
    return "\(effect) at \(step), \(time ?? .zero): \(words)"
  }
}

extension Told {
  /// The difference between a fork without edits and its parent.
  fileprivate func difference(from parent: Told, after step: Int) -> String? {
    if states != parent.states { return "its states are others" }
    if steps.map(\.action) != parent.steps.map(\.action) { return "its actions are others" }
    if steps.map(\.time) != parent.steps.map(\.time) { return "its times are others" }
    // The fork follows the edits of the parent's user.
    let doubts = [values, parent.values].map { $0.map { $0.areKnown ? nil : $0 } }
    if doubts[0] != doubts[1] { return "its standings are others" }
    let own = events.filter { $0.step > step }.map(\.line)
    let others = parent.events.filter { $0.step > step }.map(\.line)
    if own != others { return "its effects are others:\n  \(own)\n  \(others)" }
    guard report.rejoining == nil else { return nil }
    let assumptions = Set(report.assumptions.map { "\($0.kind) \($0.subject) \($0.step)" })
    let expected = Set(parent.report.assumptions.map { "\($0.kind) \($0.subject) \($0.step)" })
    if parent.report.rejoining == nil, assumptions != expected {
      return "its assumptions are others:\n  \(assumptions.sorted())\n  \(expected.sorted())"
    }
    return nil
  }
}
