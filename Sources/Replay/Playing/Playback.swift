import SessionFile
import SessionWords
import StoreCore
import ValueTree

/// Plays a recorded session: at recorded speed, faster, or at once; with pauses, steps and jumps.
///
/// ```swift
/// let session = try SessionReader(path: "cart.retcon")
/// let playback = try Playback(of: session, with: ReplaySetup(AppFeature()), clock: clock) {
///   store.send(.show($0.state))
/// }
/// try await playback.play(speed: 2)
/// ```
///
/// It shows the states that were recorded. Where there is none, or it does not decode any more, the
/// reducer is run again from the nearest checkpoint; effects never run. The clock is injected.
///
/// A step whose state cannot be had by either way is an error that names it. What was shown before
/// stays, and a seek beyond it works.
public actor Playback<State: Codable & Sendable, Action: Codable & Sendable> {
  /// A moment of the session, as it is shown.
  public struct Frame: Sendable {
    /// What the session says about the step: its number, its time, its cause.
    public var step: Step
    /// The state after the step, as it was recorded.
    public var state: State
    /// The action of the step, where it decodes; nil for the first one.
    public var action: Action?
    /// Whether the step before was shown just before: nothing was left out, and nobody went back.
    public var follows: Bool
  }

  /// The numbers of the steps that can be shown.
  public nonisolated let steps: ClosedRange<Int>
  /// The step that is shown.
  public private(set) var currentStep: Int
  /// Whether it plays by itself.
  public private(set) var isPlaying = false
  private let frames: PlaybackFrames<State, Action>
  private let clock: any Clock<Duration>
  private let show: @Sendable (Frame) -> Void
  /// Changes whenever somebody takes over, so that what was playing before stops.
  private var round = 0
  /// What is waited for just now.
  private var waiting: Task<Void, Never>?

  /// Opens a session and shows its first state.
  public init(
    of session: SessionReader, with setup: ReplaySetup<State, Action>,
    clock: any Clock<Duration> = ContinuousClock(), show: @escaping @Sendable (Frame) -> Void
  ) throws {
    frames = try PlaybackFrames(session, setup)
    steps = session.steps
    currentStep = session.steps.lowerBound
    self.clock = clock
    self.show = show
    show(try frames.frame(at: session.steps.lowerBound))
  }

  /// Opens a session and plays it into a store: by showing its states, or by sending its actions. Where
  /// somebody moves to another step, or an action does not decode, the state is shown all the same.
  public init(
    of session: SessionReader, with setup: ReplaySetup<State, Action>,
    clock: any Clock<Duration> = ContinuousClock(), sending: PlaybackContents,
    to store: Store<State, PlaybackAction<State, Action>>
  ) throws {
    try self.init(of: session, with: setup, clock: clock) { frame in
      guard frame.follows, let action = frame.action else {
        store.send(.show(frame.state))
        return
      }
      switch sending {
      case .states: store.send(.show(frame.state))
      case .actions: store.send(.perform(action, withEffects: false))
      case .userActions:
        if frame.step.cause == .user { store.send(.perform(action, withEffects: true)) }
      }
    }
  }

  /// Plays on, and returns at the end, or when it is paused, moved, or the task is cancelled: `speed`
  /// times as fast as it was recorded. Pauses longer than `longestPause` are cut.
  public func play(speed: Double = 1, longestPause: Duration? = nil) async throws {
    let pace = try PlaybackPace(speed: speed, longestPause: longestPause)
    try await play(at: pace, on: clock)
  }

  /// Shows every step without waiting.
  public func playAtOnce() async throws { try await play(speed: .infinity) }

  /// Stays at the frame that is shown; ``play()`` goes on from there.
  public func pause() {
    round += 1
    isPlaying = false
    waiting?.cancel()
    waiting = nil
  }

  /// Shows the step so many steps on, or back.
  public func step(by count: Int = 1) throws {
    let (sum, isOver) = currentStep.addingReportingOverflow(count)
    try seek(to: isOver ? (count < 0 ? .min : .max) : sum)
  }

  /// Shows this step, or the nearest that there is.
  public func seek(to step: Int) throws {
    pause()
    try move(to: min(max(step, steps.lowerBound), steps.upperBound))
  }

  private func play<Ticking: Clock<Duration>>(
    at pace: PlaybackPace, on clock: Ticking
  ) async throws {
    pause()
    let mine = round
    isPlaying = true
    defer { if mine == round { isPlaying = false } }
    var due = clock.now
    while currentStep < steps.upperBound {
      let next = currentStep + 1
      // Who is a little late catches up; who slept for long does not rush.
      due = max(due, clock.now.advanced(by: .zero - PlaybackPace.latest))
      due = due.advanced(by: pace.wait(for: try frames.pause(before: next)))
      if clock.now < due {
        await wait(until: due, on: clock)
      } else if next.isMultiple(of: 64) {
        await Task.yield()
      }
      guard mine == round, !Task.isCancelled else { return }
      try move(to: next)
    }
  }

  /// Returns at once when somebody takes over.
  private func wait<Ticking: Clock<Duration>>(
    until due: Ticking.Instant, on clock: Ticking
  ) async {
    let sleep = Task { _ = try? await clock.sleep(until: due, tolerance: nil) }
    waiting = sleep
    await withTaskCancellationHandler {
      await sleep.value
    } onCancel: {
      sleep.cancel()
    }
  }

  private func move(to step: Int) throws {
    let frame = try frames.frame(at: step, follows: step == currentStep + 1)
    currentStep = step
    show(frame)
  }
}

/// What of a session is played into a store.
public enum PlaybackContents: Sendable, Hashable {
  /// The recorded states: what was.
  case states
  /// Every recorded action, through today's reducer. Its effects do not run: what they sent is among the
  /// actions. What the reducer reads comes from the dependencies of the store.
  case actions
  /// The actions of the user, through today's reducer, and its effects run: the app lives through it
  /// once more.
  case userActions
}

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
    if run.map({ $0.follower.position > step || $0.follower.position + Self.nearby < step }) ?? true
    {
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

/// How long a playback waits between two steps.
struct PlaybackPace {
  private let speed: Double
  private let longestPause: Duration?

  /// A wait never ends later than this, so that no clock is asked for a time that it does not know.
  static let longestWait = Duration.seconds(100 * 365 * 86_400)
  /// How late a step may be and still be made up for.
  static let latest = Duration.milliseconds(500)

  init(speed: Double, longestPause: Duration?) throws(ReplayError) {
    guard speed > 0 else { throw .badSpeed(speed) }
    self.speed = speed
    self.longestPause = longestPause
  }

  /// What a recorded pause comes to. A pause against the direction of time is none.
  func wait(for recorded: Duration) -> Duration {
    let cut = max(.zero, min(recorded, longestPause ?? recorded))
    // Also false for what is too long to be divided.
    guard cut.inSeconds / speed < Self.longestWait.inSeconds else { return Self.longestWait }
    return cut / speed
  }
}
