import ValueTree

/// What is to be said of a branch as a whole after its re-run.
public struct BranchReport: Sendable, Hashable {
  /// The number of its last step.
  public var lastStep: Int
  /// Effects without an end: what free stepping offers.
  public var pending: [PendingEffect]
  /// Recorded steps that were left out, with the reason.
  public var leftOut: [LeftOutStep]
  /// Where the branch meets its parent again; the rest is the parent's.
  public var rejoining: Rejoining?
  /// How the re-run ended; steps before the end are whole.
  public var ending: Ending
  /// One sentence each: edits that could not be made.
  public var remarks: [String] = []
  /// What nobody knows of the branch's steps, and of those that would come after the last one, in the
  /// order in which it came in.
  public var assumptions: [Assumption] = []
  /// What became of effects before the branch's first own step, where none came.
  public var effects: [EffectEvent] = []

  /// How a re-run can end.
  public enum Ending: Sendable, Hashable {
    /// Nothing is left to be run.
    case complete
    /// An action, a state or an answer at this step does not decode.
    case undecodable(step: Int, reason: String)
    /// The reducer ended its process at this step.
    case crashed(step: Int, lastWords: String)
    /// The reducer did not return from this step in time.
    case timedOut(step: Int)
  }

  package init(
    lastStep: Int, pending: [PendingEffect] = [], leftOut: [LeftOutStep] = [],
    rejoining: Rejoining? = nil, ending: Ending = .complete
  ) {
    self.lastStep = lastStep
    self.pending = pending
    self.leftOut = leftOut
    self.rejoining = rejoining
    self.ending = ending
  }
}

/// After `step` of the branch, the steps after `parentStep` of its parent follow unchanged.
public struct Rejoining: Sendable, Hashable {
  /// The last own step of the branch, numbered there.
  public var step: Int
  /// The step of the parent after which its own follow, numbered in the parent.
  public var parentStep: Int

  package init(step: Int, parentStep: Int) {
    self.step = step
    self.parentStep = parentStep
  }
}

/// An effect that a branch started and that has not ended there.
public struct PendingEffect: Sendable, Hashable {
  /// As in the recording where it matches, else a number that the recording does not use.
  public var effect: Int
  /// `origin.step` is the step of the branch that started it.
  public var origin: EffectOrigin
  /// No recorded answer may be used for it: the user is asked.
  public var isUnanswered: Bool
  /// What recorded effects of the same place were seen to do.
  public var recorded: [RecordedOutcome]
  /// What it asked of the tape and waits for, where it was run on it.
  public var question: Question?

  package init(
    effect: Int, origin: EffectOrigin, isUnanswered: Bool, recorded: [RecordedOutcome] = []
  ) {
    self.effect = effect
    self.origin = origin
    self.isUnanswered = isUnanswered
    self.recorded = recorded
  }
}

/// Something that a recorded effect did.
public struct RecordedOutcome: Sendable, Hashable {
  /// The number of the recorded effect.
  public var effect: Int
  /// The recorded step of an emission, or the newest one when the effect ended.
  public var step: Int
  /// The label of the step that it sent; nil where it ended.
  public var label: String?
  /// What it did.
  public var outcome: EffectAnswer.Outcome

  package init(effect: Int, step: Int, label: String? = nil, outcome: EffectAnswer.Outcome) {
    self.effect = effect
    self.step = step
    self.label = label
    self.outcome = outcome
  }
}

/// A recorded step that a branch leaves out because its cause did not happen there.
public struct LeftOutStep: Sendable, Hashable {
  /// Its number in the recording, not in the branch.
  public var recordedStep: Int
  /// The label of its action.
  public var label: String
  /// The recorded effect that sent it.
  public var effect: Int?
  /// What did not happen that would have sent it.
  public var reason: Reason

  /// Each as the end of a sentence for people.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// No step of the branch starts the effect.
    case notStarted = "its effect was not started"
    /// The branch cancels the effect earlier.
    case cancelled = "its effect was cancelled before"
    /// The effect ends earlier in the branch.
    case finished = "its effect had finished before"
    /// Nobody knows what the effect does.
    case unanswered = "its effect is unanswered"
    /// The reducer returns no such action.
    case notSent = "the reducer did not send it"
    /// An edit leaves it out.
    case skipped = "it was skipped"
    /// An edit says what the effect does.
    case answered = "its effect was answered by hand"
    /// The effect was run on its tape, and sends something else.
    case otherwise = "its effect does otherwise here"
  }

  package init(recordedStep: Int, label: String, effect: Int? = nil, reason: Reason) {
    self.recordedStep = recordedStep
    self.label = label
    self.effect = effect
    self.reason = reason
  }
}

/// One step of a branch, as a re-run gave it.
public struct BranchStep: Sendable, Hashable {
  /// Numbered in the branch. Its reads are those that the re-run used.
  public var step: Step
  /// The recorded step whose action it is, edited or not; nil for one that was inserted.
  public var descendsFrom: Int?
  /// What the step is worth.
  public var standing: Standing
  /// What the re-run's effects did at this step, numbered as in the recording where they match. The
  /// first own step of a branch also has what they did between the step before and this one.
  public var effects: [EffectEvent]
  /// From the state before to the state after, as RFC 6902 operations; nil when nobody asked.
  public var patch: Value?
  /// What else is to be said, beside the assumptions of the standing: one sentence each, for people.
  public var remarks: [String]

  package init(
    step: Step, descendsFrom: Int? = nil, standing: Standing, effects: [EffectEvent] = [],
    patch: Value? = nil, remarks: [String] = []
  ) {
    self.step = step
    self.descendsFrom = descendsFrom
    self.standing = standing
    self.effects = effects
    self.patch = patch
    self.remarks = remarks
  }

  /// A step of the recording, which is known unless it was one of a branch before.
  package init(recorded step: Step) {
    self.init(
      step: step, descendsFrom: step.number, standing: step.standing ?? Standing(.recorded, .equal))
  }
}

/// What is told of a run.
package enum RunDetail: Sendable, Hashable {
  /// Every step from this one on, compared and with its patch.
  case steps(from: Int)
  /// Only the report at the end: nothing is compared or encoded.
  case report
}
