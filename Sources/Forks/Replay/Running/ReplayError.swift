import SessionWords
import ValueTree

/// The reason that a session or a branch cannot run.
public enum ReplayError: Explained, Hashable {
  /// The log is for browsing only.
  case browseOnly(reason: String)
  case noSuchStep(Int, available: ClosedRange<Int>)
  /// An edit is about a step that the branch does not have.
  case editOutside(Int, branch: ClosedRange<Int>)
  /// Neither the first state nor a later one decodes.
  case stateDoesNotDecode(step: Int, reason: String)
  case actionDoesNotDecode(step: Int, reason: String)
  /// The state here is unknown; `known` is the next step with a known state.
  case stateUnknown(step: Int, reason: String, known: Int?)
  case badPointer(Pointer, step: Int, reason: String)
  /// The effect cannot run live.
  case effectDoesNotRun(EffectID, reason: String)
  /// A playback cannot have this speed.
  case badSpeed(Double)
  case cancelled

  /// The error in words.
  public var what: String {
    switch self {
    case .browseOnly(let reason): "this session can only be browsed: \(reason)"
    case .noSuchStep(let step, let available):
      "there is no step \(step), only \(available.lowerBound) to \(available.upperBound)"
    case .editOutside(let step, let branch):
      "an edit is about step \(step), but the branch begins at \(branch.lowerBound)"
    case .stateDoesNotDecode(_, let reason): "the state does not decode: \(reason)"
    case .actionDoesNotDecode(_, let reason): "the action does not decode: \(reason)"
    case .stateUnknown(_, let reason, _): "the state is not known: \(reason)"
    case .badPointer(let pointer, _, let reason): "the state has no \(pointer): \(reason)"
    case .effectDoesNotRun(let effect, let reason):
      "\(effect.words) cannot be run live: \(reason)"
    case .badSpeed(let speed): "nothing can be played at \(speed) times its speed"
    case .cancelled: "the run was cancelled"
    }
  }

  /// The step of the error; nil if it is about the whole session.
  public var place: String? {
    switch self {
    case .stateDoesNotDecode(let step, _), .actionDoesNotDecode(let step, _),
      .badPointer(_, let step, _), .stateUnknown(let step, _, _):
      "step \(step)"
    default: nil
    }
  }

  /// The advice; nil if nothing helps.
  public var next: String? {
    switch self {
    case .stateDoesNotDecode, .actionDoesNotDecode:
      "Give the types defaults for what the recording does not have, or browse without a host"
    case .stateUnknown(_, _, let known?): "It is known again after step \(known): fork there"
    case .browseOnly: "Record with a state and actions that are Codable"
    case .badSpeed: "Give a number above 0: 1 is as recorded, 2 twice as fast"
    default: nil
    }
  }
}
