import Platform
import SessionWords

/// Why a recording is not whole.
public struct RecordingTrouble: Explained, Hashable {
  /// What is the matter, for a program; ``what`` says it to people.
  public var problem: Problem
  /// The file that was to be written.
  public var path: String

  /// All that can go wrong while recording; the app goes on in every case.
  public enum Problem: Sendable, Hashable {
    case cannotOpen(String)
    /// Nobody told the recorder the state that the session starts with.
    case notStarted
    /// Steps are lost from this one on, until writing succeeds again.
    case cannotWrite(String, fromStep: Int)
    case cannotEncodeState(String, step: Int)
    case cannotEncodeAction(String, step: Int)
    case droppedStates(fromStep: Int)
    /// A file that was written is not what it was: so many steps are gone with it.
    case fileHarmed(FileHarm, lostSteps: Int)
    /// The session is in this file, for that reason.
    case recordsElsewhere(String, because: String)
    /// The process was forked from the one that records.
    case forked
    /// The app's own clock told an earlier time than before.
    case clockRanBack(step: Int)
  }

  /// Whether something that was recorded is missing in the file.
  var isLoss: Bool {
    switch problem {
    case .recordsElsewhere, .clockRanBack: false
    default: true
    }
  }

  /// What is the matter, in words.
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
      "this process was forked from the one that records; what it does is not recorded"
    case .clockRanBack(let step):
      "the clock of the app tells an earlier time at step \(step) than before; "
        + "times stand still until it has caught up"
    }
  }

  /// The file that was to be written.
  public var place: String? { path }

  /// What to do about it; nil where nothing helps.
  public var next: String? {
    switch problem {
    case .cannotOpen: "The app goes on; choose another file"
    case .notStarted: "Call start(with:) before the first step"
    case .cannotWrite: "The app goes on; free some space, and recording goes on too"
    case .cannotEncodeState, .cannotEncodeAction: "Mend its Encodable conformance"
    case .fileHarmed: "The app goes on, and so does the recording in another file, from here on"
    case .recordsElsewhere: nil
    case .forked: "Make a recorder of its own after the fork"
    case .clockRanBack: "Give the recorder a clock that does not run back"
    case .droppedStates: "Choose the back-pressure policy wait to keep them all"
    }
  }

  func writeToStandardError() {
    var text = "retcon: \(sentence)\n"
    text.withUTF8 { bytes in
      _ = Platform.write(2, bytes.baseAddress, bytes.count)
    }
  }
}

/// What a recording holds and what it lost.
public struct RecordingStatistics: Sendable, Hashable {
  /// Where the session is: the path that was asked for, or another where that was taken. Nil when
  /// nothing was recorded.
  public var path: String?
  /// Without the first state.
  public var steps = 0
  /// Starts and ends of effects.
  public var effectEvents = 0
  /// Reads on tape, in steps and outside of them.
  public var reads = 0
  /// Notes of the app.
  public var signposts = 0
  /// What was handed to the system, all parts together.
  public var bytes = 0
  /// Steps that hold their whole state.
  public var keyframes = 0
  /// Files; more than one when the recording was divided.
  public var parts = 0
  /// States that were left out because the recorder fell behind.
  public var droppedStates = 0
  /// Steps that could not be written, or were in a file that somebody removed, replaced or cut.
  public var lostSteps = 0
  /// Effect events, reads and signposts between steps that could not be written.
  public var lostLines = 0
  /// States and actions that could not be encoded.
  public var encodingFailures = 0
  /// Recorded after the end, and so not at all.
  public var afterEnd = 0
  /// How many entries waited for the recorder at most.
  public var longestQueue = 0

  /// What was told to ``RecordingOptions/report``.
  public var troubles: [RecordingTrouble] = []

  /// Whether all that was asked for is in the file.
  public var isComplete: Bool {
    droppedStates == 0 && lostSteps == 0 && lostLines == 0 && encodingFailures == 0
      && afterEnd == 0 && !troubles.contains { $0.isLoss }
  }
}
