import SessionFile
import ValueTree

/// The states of a session, one after another or in any order.
///
/// `@unchecked Sendable`: it is held by one actor and touched by nobody else.
final class PlaybackFrames<State: Codable & Sendable, Action: Codable & Sendable>:
  @unchecked Sendable
{
  private let reader: SessionReader
  private let replay: SessionReplay<State, Action>
  /// Runs on from step to step where no states are recorded.
  private var rerun: Rerun<State, Action>?

  init(_ reader: SessionReader, _ setup: ReplaySetup<State, Action>) throws {
    self.reader = reader
    replay = try SessionReplay(reader, setup)
  }

  func frame(at step: Int, follows: Bool = false) throws -> Playback<State, Action>.Frame {
    let recorded = try reader.step(step)
    let action =
      step > reader.steps.lowerBound
      ? try? ValueDecoder().decode(Action.self, from: recorded.action) : nil
    return Playback.Frame(
      step: recorded, state: try state(after: step), action: action, follows: follows)
  }

  func pause(before step: Int) throws -> Duration {
    guard let time = try reader.step(step).time, let last = try reader.step(step - 1).time else {
      return .zero
    }
    return time - last
  }

  /// The recorded state where it decodes: a playback shows what was, not what would be today.
  private func state(after step: Int) throws -> State {
    if replay.setup.decodesStates, let recorded = try replay.main.state(after: step),
      let state = try? ValueDecoder().decode(State.self, from: recorded)
    {
      return state
    }
    return try computedState(after: step)
  }

  private func computedState(after step: Int) throws -> State {
    // What reducers send at once is reduced in one go, so a state in the middle is asked for apart.
    if step < reader.steps.upperBound, case .output = try reader.step(step + 1).cause {
      let value = try replay.state(of: [], after: step)
      return try ValueDecoder().decode(State.self, from: value)
    }
    var run = rerun
    rerun = nil
    if run.map({ $0.position > step || $0.position + Self.nearby < step }) ?? true {
      run = try replay.prefix(of: replay.main, upTo: step, RunControl())
    }
    guard var run else { throw ReplayError.noSuchStep(step, available: reader.steps) }
    try replay.proceed(&run, to: step, isMain: true, RunControl())
    defer { rerun = run }
    return run.machine.state
  }

  /// So many steps are run on; further away, from the nearest checkpoint.
  private static var nearby: Int { 256 }
}
