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
/// It shows the recorded states. If one is missing or does not decode, it runs the reducer again
/// from the nearest checkpoint; effects never run. The clock is injected.
///
/// If neither works, an error names the step. The last frame stays, and a seek beyond it works.
public actor Playback<State: Codable & Sendable, Action: Codable & Sendable> {
  /// A moment of the session.
  public struct Frame: Sendable {
    /// The recorded step: its number, its time, its cause.
    public var step: Step
    /// The recorded state after the step.
    public var state: State
    /// The step's action if it decodes; nil for the first step.
    public var action: Action?
    /// Whether the previous step was shown just before, without a gap or a jump back.
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
  /// Changes with each command, which stops the earlier playback.
  private var round = 0
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

  /// Opens a session and plays it into a store: shows its states, or sends its actions. After a
  /// jump, or if an action does not decode, it shows the state in any case.
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
        if frame.step.cause.isFromOutside { store.send(.perform(action, withEffects: true)) }
      }
    }
  }

  /// Plays on, and returns at the end, or after a pause, a move or a cancellation: `speed` times as
  /// fast as recorded. `longestPause` limits long pauses.
  public func play(speed: Double = 1, longestPause: Duration? = nil) async throws {
    let pace = try PlaybackPace(speed: speed, longestPause: longestPause)
    try await play(at: pace, on: clock)
  }

  /// Shows every step without waiting.
  public func playAtOnce() async throws { try await play(speed: .infinity) }

  /// Stays at the current frame; ``play(speed:longestPause:)`` continues from there.
  public func pause() {
    round += 1
    isPlaying = false
    waiting?.cancel()
    waiting = nil
  }

  /// Moves by this many steps.
  public func step(by count: Int = 1) throws {
    let (sum, isOver) = currentStep.addingReportingOverflow(count)
    try seek(to: isOver ? (count < 0 ? .min : .max) : sum)
  }

  /// Shows this step, or the nearest existing one.
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
      // Makes up for a small delay; does not rush after a long sleep.
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

/// The part of a session that plays into a store.
public enum PlaybackContents: Sendable, Hashable {
  /// The recorded states.
  case states
  /// Every recorded action, through today's reducer. Its effects do not run, because the recorded
  /// actions include what they sent. The store's dependencies supply the reads.
  case actions
  /// The user's actions, through today's reducer with its effects: the app runs the session again.
  case userActions
}

/// The states of a session, in any order.
///
/// `@unchecked Sendable`: one actor owns it.
final class PlaybackFrames<State: Codable & Sendable, Action: Codable & Sendable>:
  @unchecked Sendable
{
  private let reader: SessionReader
  private let replay: SessionReplay
  private var rerun: Rerun?

  init(_ reader: SessionReader, _ setup: ReplaySetup<State, Action>) throws {
    self.reader = reader
    replay = try SessionReplay(reader, setup)
  }

  func frame(at step: Int, follows: Bool = false) throws -> Playback<State, Action>.Frame {
    let recorded = try reader.step(step)
    let action =
      step > reader.steps.lowerBound && recorded.set == nil
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

  /// The recorded state if it decodes: a playback shows the past.
  private func state(after step: Int) throws -> State {
    if replay.setup.decodesStates, let recorded = try replay.main.state(after: step),
      let state = try? ValueDecoder().decode(State.self, from: recorded)
    {
      return state
    }
    return try computedState(after: step)
  }

  private func computedState(after step: Int) throws -> State {
    // Directly sent actions are reduced together, so a state between them is computed separately.
    if step < reader.steps.upperBound, case .output = try reader.step(step + 1).cause {
      let value = try replay.state(of: [], after: step)
      return try ValueDecoder().decode(State.self, from: value)
    }
    var run = rerun
    rerun = nil
    if run.map({ $0.replayCursor.position > step || $0.replayCursor.position + Self.nearby < step })
      ?? true
    {
      run = try replay.prefix(of: replay.main, upTo: step, RunControl())
    }
    guard var run else { throw ReplayError.noSuchStep(step, available: reader.steps) }
    try replay.proceed(&run, to: step, isMain: true, RunControl())
    defer { rerun = run }
    guard let machine = run.machine as? LocalMachine<State, Action> else {
      return try ValueDecoder().decode(State.self, from: run.machine.state(nil))
    }
    return machine.state
  }

  /// The most steps to run on; beyond that, starts from the nearest checkpoint.
  private static var nearby: Int { 256 }
}

struct PlaybackPace {
  private let speed: Double
  private let longestPause: Duration?

  /// The longest wait, so that no clock gets a time that it cannot represent.
  static let longestWait = Duration.seconds(100 * 365 * 86_400)
  static let latest = Duration.milliseconds(500)

  init(speed: Double, longestPause: Duration?) throws(ReplayError) {
    guard speed > 0 else { throw .badSpeed(speed) }
    self.speed = speed
    self.longestPause = longestPause
  }

  func wait(for recorded: Duration) -> Duration {
    let cut = max(.zero, min(recorded, longestPause ?? recorded))
    guard cut.inSeconds / speed < Self.longestWait.inSeconds else { return Self.longestWait }
    return cut / speed
  }
}
