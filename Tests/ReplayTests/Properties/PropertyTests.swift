import Samples
import SessionLog
import StoreCore
import StoreRecording
import Testing
import ValueTree

@testable import Replay

@Suite struct PropertyTests {
  @Test("random sessions of the shop replay as recorded, and edits run as they would live")
  func shop() async throws { try await check(RandomApps.shop) }

  @Test("random sessions of the counter replay as recorded, and edits run as they would live")
  func counter() async throws { try await check(RandomApps.counter) }

  @Test("random sessions of Primes replay as recorded, and edits run as they would live")
  func primes() async throws {
    try await check(RandomApps.sample(PrimesSample.self) { $0.primeClient = PrimeClient.liveValue })
  }

  @Test("random sessions of Wishes replay as recorded, and edits run as they would live")
  func wishes() async throws {
    try await check(
      RandomApps.sample(WishesSample.self) {
        $0.wishClient = WishClient.liveValue
        $0.wishClient.fetchWishes = RandomApps.fetchWishes
      })
  }

  private func check<State: Equatable, Action>(_ app: RandomApp<State, Action>) async throws {
    var known = 0
    for seed in RandomRuns.seeds {
      guard try await checkSession(app, seed: seed, &known) else { return }
    }
    let count = RandomRuns.seeds.count
    print("\(State.self): \(count) sessions, \(known) edits with all values known")
    #expect(known * 2 >= count, "too few edits were fully known: \(known) of \(count)")
  }

  /// False when it failed, so that the first seed that fails is the one that is told.
  private func checkSession<State: Equatable, Action>(
    _ app: RandomApp<State, Action>, seed: UInt64, _ known: inout Int
  ) async throws -> Bool {
    var random = SeededRandomNumberGenerator(seed: seed)
    let doing = randomDoing(app, &random)
    let (session, states, file) = try await record(app.reducer, from: app.state, doing) {
      app.dependencies(&$0)
      app.tapes(&$0, $1)
    }
    defer { withExtendedLifetime(file) {} }
    let replay = try SessionReplay(
      session,
      ReplaySetup(app.reducer) {
        app.dependencies(&$0)
        app.tapes(&$0, Tape())
      })
    let report = try replay.verify(.all)
    guard report.isEqual else {
      Issue.record("seed \(seed): \(report.text(title: "session"))\n\(doing)")
      return false
    }
    let steps = try session.steps.dropFirst().filter { try session.step($0).cause == .user }
    let edit = try RandomEdit(doing, steps: steps, action: app.action(&random), &random)
    let branch = try run(edit, on: replay, states)
    guard branch.isKnown else { return true }
    known += 1
    let live = await live(app.reducer, from: app.state, edit.doing) { app.dependencies(&$0) }
    guard live == branch.states else {
      Issue.record(
        """
        seed \(seed): \(edit.words) after step \(edit.leavesAt) gives other states than live
        \(branch.lines.joined(separator: "\n"))
        branch \(branch.states.map { "\($0)" }.joined(separator: "\n       "))
        live   \(live.map { "\($0)" }.joined(separator: "\n       "))
        \(doing)
        """)
      return false
    }
    return true
  }

  private struct Branch<State> {
    var states: [State]
    var lines: [String] = []
    var isKnown: Bool
  }

  private func run<State, Action>(
    _ edit: RandomEdit<Action>, on replay: SessionReplay<State, Action>, _ recorded: [State]
  ) throws -> Branch<State> {
    var branch = Branch(states: Array(recorded.prefix(edit.leavesAt + 1)), isKnown: true)
    var state = try replay.state(of: [], after: edit.leavesAt)
    let script = Script(leavesAt: edit.leavesAt, edits: [edit.edit])
    var failure: (any Error)?
    let report = try replay.run([script]) { step in
      do {
        state = try Patch(step.patch ?? []).applied(to: state)
        branch.states.append(try ValueDecoder().decode(State.self, from: state))
      } catch let error {
        failure = error
      }
      branch.lines.append(step.line)
      if step.standing.values == .assumed { branch.isKnown = false }
    }
    if let failure { throw failure }
    // Nobody knows what an effect without an answer would have done, cancelled later or not.
    if report.pending.contains(where: \.isUnanswered) { branch.isKnown = false }
    if report.remarks.contains(where: { $0.contains("before it was answered") }) {
      branch.isKnown = false
    }
    if let rejoining = report.rejoining {
      branch.states += recorded.dropFirst(rejoining.parentStep + 1)
    }
    return branch
  }
}
