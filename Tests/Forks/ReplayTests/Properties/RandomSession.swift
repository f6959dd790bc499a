import Recorder
import SessionFile
import SessionWords
import StoreCore
import StoreRecording
import Testing
import ValueTree

@testable import Replay

/// A session of a random user, recorded.
struct RandomSession<State: Codable & Equatable & Sendable, Action: Codable & Sendable> {
  let app: RandomApp<State, Action>
  let seed: UInt64
  let happenings: [Happening<Action>]
  let end: Duration
  let reader: SessionReader
  let run: LiveApp<State, Action>
  private let file = TemporaryFile()

  init(
    _ app: RandomApp<State, Action>, seed: UInt64, _ random: inout SeededRandomNumberGenerator,
    moves: ClosedRange<Int> = 4...20
  ) async throws {
    self.app = app
    self.seed = seed
    let world = World(seed: seed, app.mix)
    var options = RecordingOptions(app: .init(app.name))
    options.clock = { world.clock.now.offset }
    options.started = "2026-11-20T10:56:00Z"
    options.snapshots = .copied
    options.backPressure = .wait(beyond: 1_000)
    let recorder = StoreRecorder<State, Action>(to: file.path, options: options)
    run = await LiveApp(app, world, recorder: recorder)
    let hasTies = seed.isMultiple(of: 10)
    var happenings: [Happening<Action>] = []
    var time = Duration.zero
    for _ in 0..<Int.random(in: moves, using: &random) {
      let isLater = Int.random(in: 0..<3, using: &random) > 0
      // No two things happen at one time of a real clock, so in most sessions none do.
      time += .microseconds(
        Int.random(in: isLater ? 1...1_500_000 : hasTies ? 0...0 : 1...9, using: &random))
      let move = happenings.count + 1
      var what = Happening<Action>.What.nothing
      if Int.random(in: 0..<10, using: &random) == 0, move > 1 {
        what = .cancel(Int.random(in: max(1, move - 5)..<move, using: &random))
      } else {
        // The user sees the state of this moment.
        await world.clock.advance(to: .init(offset: time))
        what = .send(app.action(run.state, &random))
      }
      happenings.append(Happening(move: move, recorded: move, time: time, what: what))
      await run.perform(happenings[happenings.count - 1])
    }
    end = time + .microseconds(Int.random(in: 0...2_000_000, using: &random))
    await world.clock.advance(to: .init(offset: end))
    // An app is let go in order, or it is just over.
    if Bool.random(using: &random) { recorder.finish() }
    await run.finish(at: end)
    reader = try SessionReader(path: file.path)
    // A cancel that stopped nothing left no trace, so it is not part of the session.
    let stops = Set(
      try reader.effectEvents(in: reader.steps).filter(\.isFromOutside).map(\.time))
    self.happenings = happenings.filter { happening in
      if case .cancel = happening.what { stops.contains(happening.time) } else { true }
    }
  }

  func step(_ number: Int) -> Step { (try? reader.step(number)) ?? .first(number) }

  /// All that can be edited about it.
  var line: Line<State, Action> {
    let steps = reader.steps.dropFirst().map(step)
    return Line(
      app: app, seed: seed, happenings: happenings, end: end, states: run.states, steps: steps,
      places: run.places, times: run.times,
      events: (try? reader.effectEvents(in: reader.steps)) ?? [],
      origins: run.origins, lastStep: steps.count)
  }

  /// Tells how to run a failure again.
  var words: String {
    """
    app \(app.name), seed \(seed): run it alone with RETCON_SEED=\(seed)
    \(happenings.map { "  \($0)" }.joined(separator: "\n"))
      ends at \(end.inSeconds) s
    """
  }
}
