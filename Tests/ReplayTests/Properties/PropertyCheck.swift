import Platform
import SessionLog
import StoreCore
import Testing
import ValueTree

@testable import Replay

/// How often a property is tried.
enum RandomRuns {
  /// From 1 to the count, to the higher one in the long run; or the one that the environment names.
  static func seeds(_ count: UInt64, long: UInt64) -> ClosedRange<UInt64> {
    if let text = getenv("RETCON_SEED"), let seed = UInt64(String(cString: text)) {
      return seed...seed
    }
    return 1...(getenv("RETCON_LONG") == nil ? count : long)
  }
}

/// Records random sessions of an app, runs them again, edits them, and compares with the app live.
struct PropertyCheck<State: Codable & Equatable & Sendable, Action: Codable & Sendable> {
  private let app: RandomApp<State, Action>

  init(_ app: RandomApp<State, Action>) { self.app = app }

  /// The first seed that fails is told, and ends it.
  func run() async throws {
    var counts = PropertyCounts()
    for seed in RandomRuns.seeds(300, long: 10_000) {
      guard try await check(seed, &counts) else { return }
    }
    print("\(app.name): \(counts)")
    guard counts.sessions > 1 else { return }
    #expect(
      counts.knownCount * 2 >= counts.editCount, "too few edits were known in full: \(counts)")
    for (what, count) in [
      ("emissions", counts.emissions), ("finished effects", counts.finished),
      ("cancelled effects", counts.cancelled), ("stopped effects", counts.stopped),
    ] {
      #expect(count > counts.sessions / 10, "too few \(what): \(counts)")
    }
  }

  private func check(_ seed: UInt64, _ counts: inout PropertyCounts) async throws -> Bool {
    var random = SeededRandomNumberGenerator(seed: seed)
    let session = try await RandomSession(app, seed: seed, &random)
    try counts.add(session.reader, failures: session.run.world.failures)
    let replay = try SessionReplay(session.reader, app.setup(with: app.reducer))
    let report = try replay.verify(.all)
    guard report.isEqual, report.steps == session.lastStep else {
      Issue.record("\(session.words)\n\(report.text(title: "session"))")
      return false
    }
    let again = try told(replay, [], startingWith: [app.state])
    guard again.states == session.run.states else {
      Issue.record("\(session.words)\nthe re-run's states are not those of the app")
      return false
    }
    let edit = try RandomEdit(session, &random)
    let branch = try told(
      replay, [edit.script], startingWith: Array(session.run.states.prefix(edit.leavesAt + 1)))
    counts.add(edit.name, isKnown: branch.isKnown)
    guard branch.isKnown else { return true }
    let live = await session.live(edit.happenings, edit.detour)
    guard let difference = try branch.difference(from: live, edit, session) else { return true }
    Issue.record(
      """
      \(session.words)
      edits: \(edit.edits)
      live, it would be:
      \(edit.happenings.map { "  \($0)" }.joined(separator: "\n"))
      the branch leaves after step \(edit.leavesAt):
      \(branch.lines.map { "  \($0)" }.joined(separator: "\n"))
      \(difference)
      """)
    return false
  }

  /// A branch as it was told.
  private struct Told {
    var states: [State]
    var actions: [Value] = []
    var lines: [String] = []
    var isKnown = true
    var rejoining: Rejoining?

    /// What a live run did otherwise.
    func difference(
      from live: LiveApp<State, Action>, _ edit: RandomEdit<State, Action>,
      _ session: RandomSession<State, Action>
    ) throws -> String? {
      for index in 0..<max(states.count, live.states.count) {
        let branch = states.indices.contains(index) ? states[index] : nil
        let other = live.states.indices.contains(index) ? live.states[index] : nil
        guard branch == other else {
          let action = live.actions.indices.contains(index - 1) ? live.actions[index - 1] : nil
          return """
            after step \(index) of the branch:
              branch \(branch.map { "\($0)" } ?? "has no such step")
              live   \(other.map { "\($0)" } ?? "has no such step")
              live action \(action.map { "\($0)" } ?? "none")
            """
        }
      }
      let first = edit.leavesAt
      for (index, action) in actions.enumerated() {
        guard let other = live.actions[first + index] else { continue }
        guard try ValueEncoder().encode(other).isExactlyEqual(to: action) else {
          return "step \(first + index + 1) of the branch is \(action.text()), live it is \(other)"
        }
      }
      return nil
    }
  }

  private func told(
    _ replay: SessionReplay<State, Action>, _ scripts: [Script], startingWith states: [State]
  ) throws -> Told {
    var told = Told(states: states)
    var state = try replay.state(of: [], after: states.count - 1)
    var failure: (any Error)?
    let report = try replay.run(scripts) { step in
      do {
        state = try Patch(step.patch ?? []).applied(to: state)
        told.states.append(try ValueDecoder().decode(State.self, from: state))
      } catch let error {
        failure = error
      }
      told.actions.append(step.step.action)
      told.lines.append("\(step.line) \(step.remarks.joined(separator: "; "))")
      if !step.standing.values.areKnown { told.isKnown = false }
    }
    if let failure { throw failure }
    if report.ending != .complete { told.isKnown = false }
    // Nobody knows what an effect without an answer would have done, cancelled later or not.
    if report.pending.contains(where: \.isUnanswered) { told.isKnown = false }
    if report.assumptions.contains(where: { !$0.kind.values.areKnown }) { told.isKnown = false }
    if let rejoining = report.rejoining {
      let rest = (rejoining.parentStep + 1)...
      let recorded = replay.main
      for number in recorded.steps where rest.contains(number) {
        guard let value = try recorded.state(after: number) else { continue }
        told.states.append(try ValueDecoder().decode(State.self, from: value))
        told.actions.append(try recorded.step(number).action)
      }
    }
    return told
  }
}
