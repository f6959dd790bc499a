import ValueTree

/// What a branch re-runs: the parent's later actions with the edits applied, or nothing.
public struct Script: Sendable, Hashable {
  /// The name of the branch that this one leaves; `main` is the recording.
  public var parent: String
  /// The last step that is shared with the parent.
  public var leavesAt: Int
  /// What comes after the edits.
  public var rest: Rest
  /// In the order in which the user made them.
  public var edits: [Edit]

  /// What a branch does with the steps of its parent after `leavesAt`.
  public enum Rest: String, Sendable, Hashable {
    /// The parent's later actions.
    case rerun
    /// Only what was inserted: free stepping.
    case nothing
  }

  /// With no edits it is the parent over again.
  public init(parent: String = "main", leavesAt: Int, rest: Rest = .rerun, edits: [Edit] = []) {
    self.parent = parent
    self.leavesAt = leavesAt
    self.rest = rest
    self.edits = edits
  }
}

/// A change that a branch makes to its parent's steps. Steps are numbered as in the parent.
public enum Edit: Sendable, Hashable {
  /// Leaves a step out.
  case skip(step: Int)
  /// Gives a step another action.
  case replace(step: Int, action: Value)
  /// Runs after the parent's step and before the next; several at one place keep their order.
  case insert(after: Int, action: Value)
  /// Runs a step at another place.
  case move(step: Int, after: Int)
  /// Changes the n-th value that a key gave at a step.
  case read(step: Int, key: String, index: Int, outcome: Read.Outcome)
  /// Sets a part of the state by hand, after the step.
  case set(step: Int, pointer: String, value: Value)
  /// Says what one effect does.
  case answer(EffectAnswer)
  /// Says what a service answers.
  case reply(Reply)
}

/// What a service answers in a branch, whoever asks: for effects on the tape.
public struct Reply: Sendable, Hashable {
  /// What the service is asked.
  public var question: Question
  /// What it gives, or throws.
  public var outcome: Read.Outcome
  /// How long it took when it was asked for real; nil where the user made it up, and it comes at once.
  public var took: Duration?

  /// Made up by the user, unless `took` says how long the service took.
  public init(to question: Question, _ outcome: Read.Outcome, took: Duration? = nil) {
    self.question = question
    self.outcome = outcome
    self.took = took
  }
}

/// The user's answer for an effect that the recording does not know, or knows otherwise.
public struct EffectAnswer: Sendable, Hashable {
  /// The effect, by its number in the parent or in the branch where it was unanswered.
  public var effect: Int
  /// The answer comes after this step of the parent.
  public var after: Int
  /// What the effect does.
  public var outcome: Outcome
  /// Where it was seen in a live run; nil when the user made it up.
  public var live: Live?

  /// How an answer was seen when the effect ran live. Its moment follows from the branch's clock:
  /// so long after the effect's start, though never before its place.
  public struct Live: Sendable, Hashable {
    /// How long after the start of the effect it came.
    public var delay: Duration
    /// What the effect read since its answer before: evidence, never used by a re-run.
    public var reads: [Read]

    /// What was seen in a live run; ``LiveRun/edits(after:)`` makes these.
    public init(delay: Duration, reads: [Read] = []) {
      self.delay = delay
      self.reads = reads
    }
  }

  /// What an effect can do.
  public enum Outcome: Sendable, Hashable {
    /// Sends an action; the effect may send more.
    case emit(action: Value)
    /// Comes to its end.
    case finish
    /// Throws an error.
    case fail(message: String)
    /// Is cancelled.
    case cancel
  }

  /// Made up by the user, unless `live` says where it was seen.
  public init(effect: Int, after: Int, outcome: Outcome, live: Live? = nil) {
    self.effect = effect
    self.after = after
    self.outcome = outcome
    self.live = live
  }
}
