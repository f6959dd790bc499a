import SessionWords
import ValueTree

/// The purpose of a run, which decides what it believes of its source.
enum RunMode {
  /// To a fork, or beside one: it believes the source, whatever the re-run gives.
  case approach
  case fork
  /// It compares each step with the recorded one.
  case verification

  /// Whether all comes at its recorded place and time.
  var believesSource: Bool { self != .fork }
  /// Whether a step is left out if nothing sends it here.
  var leavesOut: Bool { self != .verification }
  /// Whether pauses end by the clock if the source does not end them.
  var hasClock: Bool { self != .verification }
}

/// Compares the states of a run with those of its source.
///
/// A run without a listener encodes a state only where a decision needs it. A run that reports
/// its steps compares each one. A verification also keeps the differences.
struct RunObserver {
  let encoder = IncrementalEncoder()
  /// Nil in an untold run.
  var tracker: StateTracker?
  private var looked: StateTracker?
  private var takenOver: (step: Int, source: Int)?
  /// Whether it goes on from each recorded state, as the recording did.
  private(set) var isRecording = false
  /// Nil unless it verifies.
  var findings: VerificationFindings?
  /// The inputs of this turn's steps, to run them again.
  var inputs: [Int: ReducedInput] = [:]

  var isTold: Bool { tracker != nil }
  var isVerifying: Bool { findings != nil }
  var hasFoundEnough: Bool { findings?.isFull ?? false }

  mutating func begin(with tracker: StateTracker, isRecording: Bool) {
    (self.tracker, looked, self.isRecording) = (tracker, nil, isRecording)
  }

  mutating func rest() { (tracker, looked) = (nil, nil) }

  /// The run goes on from this recorded state.
  mutating func adoptState(_ recorded: Value, of source: Int, at step: Int) {
    takenOver = (step, source)
    tracker?.advance(to: recorded)
  }

  func hasTakenOver(_ source: Int, at step: Int) -> Bool {
    guard tracker == nil, let takenOver else { return false }
    return takenOver == (step, source)
  }

  /// Whether the state is the source's after this step; nil if unknown.
  mutating func isEqual(
    _ machine: any Machine, toStateAfter step: Int, of cursor: inout SourceCursor
  ) throws -> Bool? {
    if isTold { return try tracker?.isEqual(toStateAfter: step, of: &cursor) }
    let state = try machine.state(encoder)
    var states = looked ?? StateTracker(branch: state, source: nil, step: .min)
    looked = nil
    defer { looked = states }
    states.advance(to: state)
    return try states.isEqual(toStateAfter: step, of: &cursor)
      ?? cursor.source.state(after: step).map { $0.isExactlyEqual(to: state) }
  }
}

extension Rerun {
  mutating func track(isRecording: Bool = false) throws {
    let tracker = StateTracker(
      branch: try machine.state(observer.encoder),
      source: try replayCursor.source.state(after: replayCursor.position),
      step: replayCursor.position, equatesNumbers: setup.isRemote)
    observer.begin(with: tracker, isRecording: isRecording)
  }

  mutating func isRecording(before number: Int) throws -> Bool {
    if observer.hasTakenOver(number - 1, at: step) { return true }
    return try isState(after: number - 1) ?? replayCursor.isUntouched(number)
  }

  mutating func isState(after number: Int) throws -> Bool? {
    try observer.isEqual(machine, toStateAfter: number, of: &replayCursor.cursor)
  }

  /// The recording goes on from the recorded state, so every finding is its step's own.
  mutating func differs(_ step: Step) throws {
    guard observer.isRecording, let rerun = observer.tracker?.branch,
      let recorded = try observer.tracker?.state(after: step.number, of: &replayCursor.cursor)
    else { return }
    if try !isExplainedByOrder(step) {
      observer.findings?.differentState(at: step, recorded: recorded, rerun: rerun)
    }
    // A state that no longer decodes cannot be taken: the run goes on from its own.
    guard setup.decodesStates, (try? machine.put(recorded)) != nil else { return }
    observer.tracker?.advance(to: recorded)
  }
}
