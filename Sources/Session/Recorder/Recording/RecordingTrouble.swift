import Platform
import SessionWords

/// The reason why a recording is incomplete.
public struct RecordingTrouble: Explained, Hashable {
  /// The problem, for programs; ``what`` is for people.
  public var problem: Problem
  /// The session's file.
  public var path: String

  /// The problems of a recording; the app always continues.
  public enum Problem: Sendable, Hashable {
    case cannotOpen(String)
    /// The recorder never got the first state.
    case notStarted
    /// Steps are lost from this one on, until writing works again.
    case cannotWrite(String, fromStep: Int)
    case cannotEncodeState(String, step: Int)
    case cannotEncodeAction(String, step: Int)
    case droppedStates(fromStep: Int)
    /// The file was damaged, and lost this many steps.
    case fileHarmed(FileHarm, lostSteps: Int)
    /// The session is in this other file.
    case recordsElsewhere(String, because: String)
    /// This process was forked from the recording one.
    case forked
    /// The app's own clock went back.
    case clockRanBack(step: Int)
    /// A recording that goes to `retcon listen` waits for it, or is not encrypted.
    case streaming(String)
  }

  var isLoss: Bool {
    switch problem {
    case .recordsElsewhere, .clockRanBack, .streaming: false
    default: true
    }
  }

  /// The problem in words.
  public var what: String {
    switch problem {
    case .cannotOpen(let reason): "nothing is recorded: \(reason)"
    case .notStarted: "the session has no state to start with"
    case .cannotWrite(let reason, let step): "steps from \(step) on are not recorded: \(reason)"
    case .cannotEncodeState(let reason, let step):
      "the state after step \(step) cannot be encoded and is left out: \(reason.clipped(to: 300))"
    case .cannotEncodeAction(let reason, let step):
      "the action of step \(step) cannot be encoded and is described only: \(reason.clipped(to: 300))"
    case .droppedStates(let step):
      "the recorder has fallen behind; states from step \(step) on are left out until it has caught up"
    case .fileHarmed(let harm, let steps):
      "\(SessionError(.harmed(harm), path: path).what); "
        + "\(steps) \(steps == 1 ? "step is" : "steps are") lost with it"
    case .recordsElsewhere(let path, let reason): "\(reason); this session is in \(path)"
    case .forked:
      "this process was forked from the recording one; it is not recorded"
    case .clockRanBack(let step):
      "the clock of the app tells an earlier time at step \(step) than before; "
        + "times are held until it has caught up"
    case .streaming(let words): "this recording \(words)"
    }
  }

  /// The session's file.
  public var place: String? { if case .streaming = problem { nil } else { path } }

  /// Advice, if any.
  public var next: String? {
    switch problem {
    case .cannotOpen: "The app is not affected; choose another file"
    case .notStarted: "Call start(with:) before the first step"
    case .cannotWrite: "The app is not affected; free some space and recording continues"
    case .cannotEncodeState, .cannotEncodeAction: "Mend its Encodable conformance"
    case .fileHarmed: "The app is not affected; recording continues in another file"
    case .recordsElsewhere, .streaming: nil
    case .forked: "Make a recorder of its own after the fork"
    case .clockRanBack: "Give the recorder a clock that does not run back"
    case .droppedStates: "Choose the back-pressure policy wait to keep them all"
    }
  }

  func writeToStandardError() { WholeTransfer.write("retcon: \(sentence)\n", to: 2) }
}

/// The contents and losses of a recording.
public struct RecordingStatistics: Sendable, Hashable {
  /// The session's path: the requested one, or another if that was taken. Nil if nothing was
  /// recorded.
  public var path: String?
  /// The steps, without the first state.
  public var steps = 0
  /// Starts and ends of effects.
  public var effectEvents = 0
  /// The reads, in steps and outside.
  public var reads = 0
  /// The app's notes.
  public var signposts = 0
  /// The written bytes of all parts.
  public var bytes = 0
  /// The steps with their whole state.
  public var keyframes = 0
  /// The files; more than one if the recording was divided.
  public var parts = 0
  /// The states dropped because the recorder fell behind.
  public var droppedStates = 0
  /// The steps that could not be written, or whose file was removed, replaced or truncated.
  public var lostSteps = 0
  /// The events, reads and signposts that could not be written.
  public var lostLines = 0
  /// The states and actions that could not be encoded.
  public var encodingFailures = 0
  /// The events after the end, which were not recorded.
  public var afterEnd = 0
  /// The longest queue of waiting entries.
  public var longestQueue = 0

  /// The reports to ``RecordingOptions/report``.
  public var troubles: [RecordingTrouble] = []

  /// Whether everything is in the file.
  public var isComplete: Bool {
    droppedStates == 0 && lostSteps == 0 && lostLines == 0 && encodingFailures == 0
      && afterEnd == 0 && !troubles.contains { $0.isLoss }
  }
}
