import ValueTree

/// The facts about a whole branch after its re-run.
public struct BranchReport: Sendable, Hashable {
  /// The number of its last step.
  public var lastStep: Int
  /// Effects without an end, for free stepping.
  public var pending: [PendingEffect]
  /// Skipped recorded steps, with reasons.
  public var leftOut: [LeftOutStep]
  /// The place where the branch rejoins its parent, which has the rest.
  public var rejoining: Rejoining?
  /// The early end of the re-run; nil if everything has run.
  public var ending: Ending?
  /// The edits that could not be made, one sentence each.
  public var remarks: [String] = []
  /// The assumptions of the branch's steps, and of steps after the last one, oldest first.
  public var assumptions: [Assumption] = []
  /// Effect events before the branch's first own step, if it has none.
  public var effects: [EffectEvent] = []
  /// What became of actions that reducers sent and the user changed.
  package var sends: [OutputEdit] = []
  /// The effects whose actions the user changed.
  package var touched: [EffectID] = []

  /// The early end of a re-run: the steps before it are complete.
  public struct Ending: Error, Hashable {
    /// The step in which it ended.
    public var step: Int
    /// How: `undecodable`, `crashed` or `timedOut`.
    public var outcome: Standing.Outcome
    /// The decoder's message, or the last words of the reducer.
    public var reason: String

    package init(_ step: Int, _ outcome: Standing.Outcome, _ reason: String? = nil) {
      self.step = step
      self.outcome = outcome
      self.reason = reason ?? outcome.meaning
    }

    package var sentence: String {
      switch outcome {
      case .crashed: "\(outcome.words) at step \(step): \(reason)"
      case .timedOut: "step \(step) \(outcome.words) in time"
      default: "step \(step) \(outcome.words): \(reason)"
      }
    }
  }

  package init(
    lastStep: Int, pending: [PendingEffect] = [], leftOut: [LeftOutStep] = [],
    rejoining: Rejoining? = nil, ending: Ending? = nil
  ) {
    self.lastStep = lastStep
    self.pending = pending
    self.leftOut = leftOut
    self.rejoining = rejoining
    self.ending = ending
  }
}

/// The branch's `step` is followed by the parent's steps after `parentStep`, unchanged.
public struct Rejoining: Sendable, Hashable {
  /// The last own step of the branch, in its numbers.
  public var step: Int
  /// The parent's step before the shared ones, in its numbers.
  public var parentStep: Int

  package init(step: Int, parentStep: Int) {
    self.step = step
    self.parentStep = parentStep
  }
}

/// An effect that a branch started and that has not ended there.
public struct PendingEffect: Sendable, Hashable {
  /// The number of the matching recorded effect, else an unused one.
  public var effect: EffectID
  /// The origin; its step is the branch's.
  public var origin: EffectOrigin
  /// Whether recorded answers are ruled out, so that the user is asked.
  public var isUnanswered: Bool
  /// The recorded outcomes of effects from the same place.
  public var recorded: [RecordedOutcome]
  /// The question on the tape that it waits for, if it ran.
  public var question: Question?

  package init(
    effect: EffectID, origin: EffectOrigin, isUnanswered: Bool, recorded: [RecordedOutcome] = []
  ) {
    self.effect = effect
    self.origin = origin
    self.isUnanswered = isUnanswered
    self.recorded = recorded
  }
}

/// An outcome of a recorded effect.
public struct RecordedOutcome: Sendable, Hashable {
  /// The number of the recorded effect.
  public var effect: EffectID
  /// The recorded step of an emission, or the newest one at the end.
  public var step: Int
  /// The label of the step that it sent; nil for an end.
  public var label: String?
  /// The outcome.
  public var outcome: EffectAnswer.Outcome

  package init(effect: EffectID, step: Int, label: String? = nil, outcome: EffectAnswer.Outcome) {
    self.effect = effect
    self.step = step
    self.label = label
    self.outcome = outcome
  }
}

/// A recorded step that a branch skips because its cause did not happen.
public struct LeftOutStep: Sendable, Hashable {
  /// The step's number in the recording.
  public var recordedStep: Int
  /// The label of its action.
  public var label: String
  /// The recorded effect that sent it.
  public var effect: EffectID?
  /// The missing cause.
  public var reason: Reason

  /// A reason, as the end of a sentence.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The effect never starts.
    case notStarted = "its effect was not started"
    /// The branch cancels the effect earlier.
    case cancelled = "its effect was cancelled before"
    /// The effect ends earlier.
    case finished = "its effect had finished before"
    /// The effect's actions are unknown.
    case unanswered = "its effect is unanswered"
    /// The reducer does not return the action.
    case notSent = "the reducer did not send it"
    /// An edit skips it.
    case skipped = "it was skipped"
    /// The user answers the effect.
    case answered = "its effect was answered by hand"
    /// The effect was run on its tape, and sends something else.
    case otherwise = "its effect does something else here"
  }

  package init(recordedStep: Int, label: String, effect: EffectID? = nil, reason: Reason) {
    self.recordedStep = recordedStep
    self.label = label
    self.effect = effect
    self.reason = reason
  }
}

/// One step of a branch from a re-run.
public struct BranchStep: Sendable, Hashable {
  /// The step in the branch's numbers, with the reads of the re-run.
  public var step: Step
  /// The recorded step with its action, edited or not; nil for an inserted one.
  public var descendsFrom: Int?
  /// The trust in the step.
  public var standing: Standing
  /// Events of effects at this step, with recorded numbers if they match. A branch's first own step
  /// also has those since the step before.
  public var effects: [EffectEvent]
  /// The change of the state as RFC 6902 operations; nil if not requested.
  public var patch: Value?
  /// Remarks besides the assumptions, one sentence each.
  public var remarks: [String]
  /// The reads here of the effect that sent the action, since it last sent one; nil if they are those
  /// of the parent's effect.
  package var asked: [OutsideRead]?
  /// Whether a fork of a fork differs from its parent here, and not from the recording.
  package var isAsRecorded = false

  package init(
    step: Step, descendsFrom: Int? = nil, standing: Standing, effects: [EffectEvent] = [],
    patch: Value? = nil, remarks: [String] = [], asked: [OutsideRead]? = nil
  ) {
    self.step = step
    self.asked = asked
    self.descendsFrom = descendsFrom
    self.standing = standing
    self.effects = effects
    self.patch = patch
    self.remarks = remarks
  }

  /// Creates a recorded step, which is known unless it was a branch's.
  package init(recorded step: Step) {
    self.init(
      step: step, descendsFrom: step.number, standing: step.standing ?? Standing(.recorded, .equal))
  }
}

extension BranchStep {
  /// Whether the parent's step has its action and reads; edits changed the others.
  package func isTold(byParentBut edited: Set<Int>) -> Bool {
    guard let beside = descendsFrom, !edited.contains(beside) else { return false }
    // A reducer's own sends belong to it, even if they differ from the recording.
    if case .output = step.cause, standing.outcome == .different { return false }
    return remarks.isEmpty && step.error == nil && standing.values != .assumed
      && step.time.map { $0.wholeNanoseconds == nil } != true
  }
}

extension Duration {
  package var wholeNanoseconds: Int64? {
    let (seconds, isOver) = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isSumOver) = seconds.addingReportingOverflow(components.attoseconds / 1_000_000_000)
    return isOver || isSumOver || sum == .min ? nil : sum
  }
}
