import ValueTree

/// A branch while its session is open. A new name does not change it.
public struct BranchID: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The recording.
  public static let main: BranchID = "main"

  /// The name that the branch came with.
  package let firstName: String
  /// Tells it apart from branches that came with this name before.
  private let count: Int

  /// The id of the first branch that came with this name.
  public init(stringLiteral name: String) { self.init(name) }

  package init(_ name: String, count: Int = 1) { (firstName, self.count) = (name, count) }

  /// As hosts know it. No name contains a slash.
  package var text: String { count == 1 ? firstName : "\(firstName)/\(count)" }
}

/// The definition of a branch: its parent's later actions with edits, or only edits.
public struct Script: Sendable, Hashable {
  /// The branch that it leaves.
  public var parent: BranchID
  /// The last shared step.
  public var leavesAt: Int
  /// The steps after the edits.
  public var rest: Rest
  /// The edits, in the order in which the user made them.
  public var edits: [Edit]

  /// The use of the parent's steps after `leavesAt`.
  public enum Rest: String, Sendable, Hashable {
    /// Reruns the parent's later actions.
    case rerun
    /// Runs only inserted actions: free stepping.
    case nothing
  }

  /// Creates a script; without edits it repeats the parent.
  public init(
    parent: BranchID = .main, leavesAt: Int, rest: Rest = .rerun, edits: [Edit] = []
  ) {
    self.parent = parent
    self.leavesAt = leavesAt
    self.rest = rest
    self.edits = edits
  }
}

extension Script {
  /// The parent's steps that its edits change.
  package var editedSteps: Set<Int> { Set(edits.compactMap(\.step)) }

  /// Whether it replaces the action of a parent's step.
  package func replaces(_ step: Int?) -> Bool {
    edits.contains { if case .replace(let replaced, _) = $0 { replaced == step } else { false } }
  }
}

/// A change to the parent's steps, in the parent's numbers.
public enum Edit: Sendable, Hashable {
  /// Skips a step.
  case skip(step: Int)
  /// Replaces a step's action.
  case replace(step: Int, action: Value)
  /// Inserts an action between the parent's steps; several keep their order.
  case insert(after: Int, action: Value)
  /// Moves a step.
  case move(step: Int, after: Int)
  /// Changes the n-th read of a key at a step.
  case read(step: Int, key: String, index: Int, outcome: Read.Outcome)
  /// Sets a part of the state after the step.
  case set(step: Int, pointer: Pointer, value: Value)
  /// Answers an effect.
  case answer(EffectAnswer)
  /// Answers a service's question.
  case reply(Reply)
}

extension Edit {
  /// The parent's step to insert behind; nil if it changes a step itself.
  package var place: Int? {
    switch self {
    case .insert(let after, _), .move(_, let after), .set(let after, _, _): after
    case .answer(let answer): answer.after
    case .skip, .replace, .read, .reply: nil
    }
  }

  /// The parent's step that it changes.
  package var step: Int? {
    switch self {
    case .skip(let step), .replace(let step, _), .read(let step, _, _, _), .move(let step, _): step
    case .insert, .set, .answer, .reply: nil
    }
  }

  /// The parent's last step that it leaves as it is; nil if it may change any.
  package var leavesAt: Int? { [place, step.map { $0 - 1 }].compactMap(\.self).min() }

  /// The action that it sends; nil if it sends none, or a recorded one.
  package var action: Value? {
    switch self {
    case .insert(_, let action), .replace(_, let action): action
    case .answer(let answer): if case .emit(let action) = answer.outcome { action } else { nil }
    case .skip, .move, .read, .set, .reply: nil
    }
  }

  /// Whether it skips, replaces or moves that step.
  package var decidesStep: Bool { if case .read = self { false } else { step != nil } }
}

/// A service's answer to everyone who asks, for effects on the tape.
public struct Reply: Sendable, Hashable {
  /// The question.
  public var question: Question
  /// The returned value or error.
  public var outcome: Read.Outcome
  /// The time of a real answer; nil for the user's, which comes at once.
  public var took: Duration?

  /// Creates an answer; `took` is the time of a real one.
  public init(to question: Question, _ outcome: Read.Outcome, took: Duration? = nil) {
    self.question = question
    self.outcome = outcome
    self.took = took
  }
}

/// The user's answer for an effect without a valid recorded one.
public struct EffectAnswer: Sendable, Hashable {
  /// The effect's number in the parent, or in the branch.
  public var effect: EffectID
  /// The parent's step before the answer.
  public var after: Int
  /// The effect's action.
  public var outcome: Outcome
  /// Facts from a live run; nil for the user's own answer.
  public var live: Live?

  /// An answer from a live run. Its time is the effect's start plus the delay, though never before
  /// its place.
  public struct Live: Sendable, Hashable {
    /// The time since the effect's start.
    public var delay: Duration
    /// The effect's reads since its previous answer, as evidence only.
    public var reads: [Read]

    /// Creates facts of a live run; see ``LiveRun/edits(after:)``.
    public init(delay: Duration, reads: [Read] = []) {
      self.delay = delay
      self.reads = reads
    }
  }

  /// An effect's possible actions.
  public enum Outcome: Sendable, Hashable {
    /// Sends an action; the effect may send more.
    case emit(action: Value)
    /// The effect finishes.
    case finish
    /// Throws an error.
    case fail(message: String)
    /// Is cancelled.
    case cancel
  }

  /// Creates an answer; `live` has the facts of a live run.
  public init(effect: EffectID, after: Int, outcome: Outcome, live: Live? = nil) {
    self.effect = effect
    self.after = after
    self.outcome = outcome
    self.live = live
  }
}
