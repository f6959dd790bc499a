import ComposableArchitecture
import ComposableRecording
import Platform
import Replay
import SessionLog
import StoreCore
import TestSupport
import Testing
import ValueTree

/// Forks of an app of the Composable Architecture, with its effects on the tape. Each is compared with the app
/// that ran so live.
@Suite("Forks of a Composable Architecture app", .serialized) struct AdapterForkTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// At a time, in milliseconds.
  private typealias Happening = (time: Int, action: Timers.Action)

  /// The app live on a clock of its own, recorded.
  @MainActor private func run(
    _ happenings: [Happening], until end: Int, as name: String
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
      $0.fact = recorder.tape.closure("fact") { "\($0) is a number" }
    }
    for (time, action) in happenings {
      await clock.advance(to: .milliseconds(time))
      store.send(action)
      await clock.settle()
    }
    await clock.advance(to: .milliseconds(end))
    #expect(recorder.finish().isComplete)
    store.send(.stopTapped)
    return try SessionReader(path: folder("\(name).retcon"))
  }

  private struct Told: Equatable {
    var lines: [String] = []
    var states: [Value] = []
  }

  /// Compares a fork with the app that runs so, and gives its lines and doubts.
  private func fork(
    _ happenings: [Happening], _ script: Script, live other: [Happening], until end: Int = 9_000
  ) async throws -> (lines: [String], doubts: [String]) {
    let session = try await run(happenings, until: end, as: "session")
    let live = try await run(other, until: end, as: "live")
    var setup = ReplaySetup(Hosted(Timers()) { $0.fact = Tape().closure("fact") { "\($0)" } })
    setup.runsEffectsOnTape = true
    #expect(try await setup.verify(session).isEqual)
    let replay = try SessionReplay(session, setup)
    var lines: [String] = []
    var state = try session.state(after: script.leavesAt)
    let report = try replay.run([script]) { step in
      lines.append("\(step.step.label) \(step.standing.values.rawValue)")
      guard let next = try? Patch(step.patch ?? []).applied(to: state) else { return }
      state = next
      guard step.standing.values.areKnown else { return }
      let number = step.step.number
      let liveState = live.steps.contains(number) ? try? live.state(after: number) : nil
      #expect(liveState == state, "step \(number) is a lie")
      let action = live.steps.contains(number) ? try? live.step(number).action : nil
      #expect(action == step.step.action, "step \(number) is a lie")
    }
    let doubts = report.assumptions.map(\.sentence)
    if doubts.isEmpty { #expect(report.lastStep == live.steps.upperBound, "its end is a lie") }
    return (lines, doubts)
  }

  @Test("a setting that an effect captures and does not read leaves a timer and an answer known")
  func unread() async throws {
    let base: [Happening] = [
      (100, .likeTapped), (200, .queryChanged("ab")), (300, .runTapped), (400, .factTapped),
      (2_700, .stopTapped), (3_000, .likeTapped),
    ]
    let fork = try await fork(
      base, Script(leavesAt: 0, edits: [.skip(step: 1)]), live: Array(base.dropFirst()))
    #expect(
      fork.lines == [
        "queryChanged recorded", "runTapped recorded", "factTapped recorded", "ticked recorded",
        "factCame recorded", "ticked recorded", "stopTapped recorded", "likeTapped recorded",
      ])
    #expect(fork.doubts == [])
  }

  @Test("a changed step cancels what the library cancels, and nothing else")
  func cancelled() async throws {
    let base: [Happening] = [
      (100, .likeTapped), (300, .runTapped), (400, .factTapped), (3_000, .likeTapped),
    ]
    var live = base
    live.insert((400, .stopTapped), at: 3)
    let stop = Edit.insert(after: 3, action: try ValueEncoder().encode(Timers.Action.stopTapped))
    let fork = try await fork(base, Script(leavesAt: 3, edits: [stop]), live: live)
    #expect(fork.lines == ["stopTapped edited", "factCame recorded", "likeTapped recorded"])
    #expect(fork.doubts == [])
    let again = Edit.insert(after: 3, action: try ValueEncoder().encode(Timers.Action.factTapped))
    let started = try await self.fork(
      Array(base.prefix(2)) + [(500, .likeTapped), (3_100, .stopTapped)],
      Script(leavesAt: 2, edits: [.skip(step: 3), again]),
      live: [base[0], base[1], (500, .factTapped), (3_100, .stopTapped)])
    #expect(started.doubts.contains { $0.contains("waits for fact(0)") }, "\(started.doubts)")
  }

  @Test("a sheet's effect on the tape sends through its parent, and ends with the sheet")
  func sheet() async throws {
    let base: [Happening] = [
      (100, .likeTapped), (200, .sheetTapped), (300, .sheet(.presented(.typed("a")))),
      (600, .sheet(.presented(.typed("ab")))), (2_000, .sheet(.presented(.typed("abc")))),
      (2_500, .sheet(.dismiss)), (3_000, .likeTapped),
    ]
    let skipped = try await fork(
      base, Script(leavesAt: 3, edits: [.skip(step: 4)]),
      live: base.filter { $0.time != 600 })
    #expect(
      skipped.lines == [
        "sheet.presented.counted recorded", "sheet.presented.typed recorded",
        "sheet.dismiss recorded", "likeTapped recorded",
      ])
    #expect(skipped.doubts == [])
    let open = try await fork(
      base, Script(leavesAt: 0, edits: [.skip(step: 1), .skip(step: 7)]),
      live: base.filter { $0.time != 100 && $0.time != 2_500 })
    #expect(open.doubts == [])
  }

  @Test("an effect that may read a shared value is in doubt where that is another one")
  func shared() async throws {
    let base: [Happening] = [
      (100, .soundTapped), (200, .likeTapped), (300, .ringTapped), (1_000, .soundTapped),
      (3_000, .likeTapped),
    ]
    let words = "may read a shared value, which is another one here"
    // In flight where the fork leaves.
    let skipped = try await fork(
      base, Script(leavesAt: 3, edits: [.skip(step: 4)]), live: base.filter { $0.time != 1_000 })
    #expect(skipped.lines == ["rang open", "likeTapped open"])
    #expect(skipped.doubts.contains { $0.contains(words) }, "\(skipped.doubts)")
    // On the tape.
    let later = try await fork(
      base, Script(leavesAt: 1, edits: [.skip(step: 2)]), live: base.filter { $0.time != 200 })
    #expect(
      later.lines == [
        "ringTapped recorded", "soundTapped recorded", "rang open", "likeTapped open",
      ])
    #expect(later.doubts.contains { $0.contains(words) }, "\(later.doubts)")
    // It changes one itself.
    let muted = try await fork(
      [(100, .likeTapped), (200, .muteTapped), (300, .likeTapped)],
      Script(leavesAt: 0, edits: [.skip(step: 1)]),
      live: [(200, .muteTapped), (300, .likeTapped)])
    #expect(muted.doubts.contains { $0.contains("changes a shared value") }, "\(muted)")
  }
}
