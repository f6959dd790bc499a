import ComposableArchitecture
import ComposableRecording
import Platform
import Replay
import SessionLog
import StoreCore
import TestSupport
import Testing
import ValueTree

/// At a time, in microseconds.
typealias TimersHappening = (time: Int, action: Timers.Action)

/// Runs an app of the Composable Architecture live, records it, and compares forks with the app live.
struct LiveTimers {
  struct FactError: Error, Codable, CustomStringConvertible {
    var number: Int
    var description: String { "no fact about \(number)" }
  }

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static var setup: ReplaySetup<Timers.State, Timers.Action> {
    var setup = ReplaySetup(Hosted(Timers()) { $0.fact = Tape().closure("fact") { "\($0)" } })
    setup.runsEffectsOnTape = true
    return setup
  }

  @MainActor func run(
    _ happenings: [TimersHappening], until end: Int, as name: String
  ) async throws -> SessionReader {
    let activity = Activity()
    Activity.current.withLock { $0 = activity }
    defer { Activity.current.withLock { $0 = nil } }
    let clock = LiveClock(activity)
    var options = RecordingOptions()
    options.clock = { clock.now.offset }
    let recorder = SessionRecorder<Timers.State, Timers.Action>(
      to: folder("\(name).retcon"), knowsCauses: true, options: options)
    // No run knows what another one shared.
    let storage = InMemoryStorage()
    let state = withDependencies {
      $0.defaultInMemoryStorage = storage
    } operation: {
      Timers.State()
    }
    let store = ComposableArchitecture.Store(initialState: state) {
      Timers().recorded(by: recorder)
    } withDependencies: {
      $0.defaultInMemoryStorage = storage
      $0.continuousClock = clock
      $0.fact = recorder.tape.closure("fact") { number in
        if number == 3 { throw FactError(number: number) }
        return "\(number) is a number"
      }
    }
    for (time, action) in happenings {
      await clock.advance(to: .microseconds(time))
      store.send(action)
      await clock.settle()
    }
    await clock.advance(to: .microseconds(end))
    #expect(recorder.finish().isComplete)
    store.send(.stopTapped)
    return try SessionReader(path: folder("\(name).retcon"))
  }

  /// The lines and the doubts of a fork. Its known steps must be the live app's.
  func fork(
    of session: SessionReader, in replay: SessionReplay? = nil, _ script: Script,
    live other: [TimersHappening], until end: Int
  ) async throws -> (lines: [String], doubts: [String]) {
    let live = try await run(other, until: end, as: "live")
    let replay = try replay ?? self.replay(of: session)
    var lines: [String] = []
    var state = try session.state(after: script.leavesAt)
    let words = "\(script.edits)"
    let report = try replay.run([script]) { step in
      lines.append("\(step.step.label) \(step.standing.values.rawValue)")
      guard let next = try? Patch(step.patch ?? []).applied(to: state) else { return }
      state = next
      guard step.standing.values.areKnown else { return }
      let number = step.step.number
      let liveState = live.steps.contains(number) ? try? live.state(after: number) : nil
      #expect(liveState == state, "step \(number) is a lie: \(words)")
      let action = live.steps.contains(number) ? try? live.step(number).action : nil
      #expect(action == step.step.action, "step \(number) is a lie: \(words)")
    }
    let doubts = report.assumptions.map(\.sentence)
    if doubts.isEmpty {
      let rest = report.rejoining.map { session.steps.upperBound - $0.parentStep } ?? 0
      #expect(report.lastStep + rest == live.steps.upperBound, "its end is a lie: \(words)")
      let last = try live.state(after: live.steps.upperBound)
      #expect(try rest == 0 || session.state(after: session.steps.upperBound) == last)
    }
    return (lines, doubts)
  }

  func replay(of session: SessionReader) throws -> SessionReplay {
    try SessionReplay(session, Self.setup)
  }

  func verify(_ session: SessionReader) async throws -> Bool {
    try await Self.setup.verify(session).isEqual
  }
}
