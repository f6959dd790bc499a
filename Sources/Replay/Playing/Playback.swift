import SessionLog
import StoreCore
import ValueTree

/// Plays a recorded session: at recorded speed, faster, or at once; with pauses, steps and jumps.
///
/// The states come from running the session again, so effects do not run. The clock is injected:
///
/// ```swift
/// let playback = try Playback(of: reader, with: ReplaySetup(AppFeature()), clock: clock) {
///   store.send(.show($0.state))
/// }
/// await playback.play(speed: 2)
/// ```
public actor Playback<State: Codable & Sendable, Action: Codable & Sendable> {
  /// A moment of the session, as it is shown.
  public struct Frame: Sendable {
    public var step: Step
    public var state: State
  }

  /// The numbers of the steps that can be shown.
  public nonisolated let steps: ClosedRange<Int>
  private let frames: PlaybackFrames<State, Action>
  private let clock: any Clock<Duration>
  private let show: @Sendable (Frame) -> Void
  private(set) var position: Int
  /// Changes whenever somebody takes over, so that what was playing before stops.
  private var round = 0

  /// Opens a session and shows its first state.
  public init(
    of session: SessionReader, with setup: ReplaySetup<State, Action>,
    clock: any Clock<Duration> = ContinuousClock(), show: @escaping @Sendable (Frame) -> Void
  ) throws {
    frames = try PlaybackFrames(session, setup)
    steps = session.steps
    position = session.steps.lowerBound
    self.clock = clock
    self.show = show
    show(try frames.frame(at: session.steps.lowerBound))
  }

  /// Whether it plays by itself.
  public private(set) var isPlaying = false

  /// The step that is shown.
  public var currentStep: Int { position }

  /// Plays on until the end, or until it is paused: `speed` times as fast as it was recorded. Pauses
  /// longer than `longestPause` are cut.
  public func play(speed: Double = 1, longestPause: Duration? = nil) async throws {
    round += 1
    let mine = round
    isPlaying = true
    defer { if mine == round { isPlaying = false } }
    while mine == round, position < steps.upperBound {
      let pause = try pause(before: position + 1, speed, longestPause)
      if pause > .zero {
        do {
          try await clock.sleep(for: pause)
        } catch {
          return
        }
      }
      guard mine == round, !Task.isCancelled else { return }
      try move(to: position + 1)
    }
  }

  /// Shows every step without waiting.
  public func playAtOnce() throws {
    pause()
    while position < steps.upperBound { try move(to: position + 1) }
  }

  public func pause() {
    round += 1
    isPlaying = false
  }

  /// Shows the step so many steps on, or back.
  public func step(by count: Int = 1) throws {
    try seek(to: position + count)
  }

  /// Shows this step, or the nearest that there is.
  public func seek(to step: Int) throws {
    pause()
    try move(to: min(max(step, steps.lowerBound), steps.upperBound))
  }

  private func move(to step: Int) throws {
    let frame = try frames.frame(at: step)
    position = step
    show(frame)
  }

  private func pause(
    before step: Int, _ speed: Double, _ longest: Duration?
  ) throws -> Duration {
    let recorded = try frames.pause(before: step)
    let cut = longest.map { min($0, recorded) } ?? recorded
    return speed > 0 ? cut / speed : cut
  }
}

/// The states of a session, run again from the nearest checkpoint.
///
/// `@unchecked Sendable`: it is held by one actor and touched by nobody else.
private final class PlaybackFrames<State: Codable & Sendable, Action: Codable & Sendable>:
  @unchecked Sendable
{
  private let reader: SessionReader
  private let replay: SessionReplay<State, Action>
  private var rerun: Rerun<State, Action>

  init(_ reader: SessionReader, _ setup: ReplaySetup<State, Action>) throws {
    self.reader = reader
    replay = try SessionReplay(reader, setup)
    rerun = try replay.beginning(of: replay.main)
  }

  func frame(at step: Int) throws -> Playback<State, Action>.Frame {
    let recorded = try reader.step(step)
    return Playback.Frame(step: recorded, state: try state(after: step))
  }

  func pause(before step: Int) throws -> Duration {
    guard let time = try reader.step(step).time, let last = try reader.step(step - 1).time else {
      return .zero
    }
    return max(.zero, time - last)
  }

  /// The recorded state where it decodes: a playback shows what was, not what would be today.
  private func state(after step: Int) throws -> State {
    if let recorded = try replay.main.state(after: step),
      let state = try? ValueDecoder().decode(State.self, from: recorded)
    {
      return state
    }
    if rerun.position > step { rerun = try replay.beginning(of: replay.main) }
    while rerun.position < step { try rerun.followNext() }
    return rerun.machine.state
  }
}
