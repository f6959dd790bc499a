import ValueTree

/// The trust in a step of a branch: the source of its values, and the re-run's outcome.
public struct Standing: Sendable, Hashable {
  /// The least trusted source of its values.
  public var values: Values
  /// The outcome of the re-run.
  public var outcome: Outcome
  /// The assumptions that begin with this step. They apply to later steps without being repeated; a
  /// branch's first own step lists the inherited ones.
  public var assumptions: [Assumption]

  /// Sources of values, most trusted first. The user knows the edits; an open effect may insert
  /// steps; an assumed value may be wrong.
  public enum Values: String, Sendable, Hashable, Comparable, CaseIterable {
    /// Known; known to the editor; in question; a guess.
    case recorded, edited, open, assumed

    /// Whether the left one is more trusted.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Whether the live app, with the same edits, does exactly this.
    public var areKnown: Bool { self < .open }
  }

  /// The outcome of a re-run step, compared with the recorded one.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The result of the re-run, compared with the parent's step.
    case equal, different, new, undecodable, crashed
    /// The reducer did not return in time.
    case timedOut = "timed out"
  }

  package init(_ values: Values, _ outcome: Outcome, _ assumptions: [Assumption] = []) {
    self.values = values
    self.outcome = outcome
    self.assumptions = assumptions
  }

  /// A substitute for the assumptions of a session's first step, if they began before the session.
  package func inherited(at step: Int) -> [Assumption] {
    guard assumptions.isEmpty, !values.areKnown else { return [] }
    let sentence = "this session was a fork that depends on something before its first step"
    return [Assumption(.stale, .state(pointer: ""), from: step, sentence)]
  }
}

package enum ValueVerdict: Sendable, Hashable {
  case fine
  case problem(ValueProblem)
  case unknown
}

/// The reason why the app's types cannot hold a value.
package struct ValueProblem: Sendable, Hashable {
  package var path: String
  package var sentence: String

  package init(path: String = "", sentence: String) {
    self.path = path
    self.sentence = sentence
  }
}

/// A difference between the recording and a re-run.
public struct Divergence: Sendable, Hashable {
  /// The step.
  public var step: Int
  /// The label of its action.
  public var label: String
  /// The kind of difference.
  public var kind: Kind
  /// The sender of the recorded action; nil without one.
  public var cause: Cause?
  /// The place in the state, action or read as an RFC 6901 pointer; empty for the whole.
  public var path: String
  /// The recorded value, if any.
  public var recorded: Value?
  /// The re-run's value, if any.
  public var rerun: Value?
  /// An explanation, if helpful.
  public var hint: String?

  /// The kinds, in the words of `retcon verify`.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The states differ.
    case state = "different state"
    /// A recorded step is missing.
    case missingStep = "missing step"
    /// A step was not recorded.
    case extraStep = "extra step"
    /// The step starts or ends other effects.
    case effect = "different effect"
    /// A dependency gets another question.
    case read = "different read"
    /// A recorded value is unused.
    case unusedRead = "unused read"
    /// A value was not recorded.
    case missingRead = "missing read"
    /// The reducer does not repeat its own result.
    case nondeterministic
    /// The reducer crashes.
    case crash
    /// The reducer does not return in time.
    case hang = "did not return"
  }

  package init(
    step: Int, label: String, kind: Kind, path: String = "", recorded: Value? = nil,
    rerun: Value? = nil, hint: String? = nil, cause: Cause? = nil
  ) {
    self.step = step
    self.label = label
    self.kind = kind
    self.path = path
    self.recorded = recorded
    self.rerun = rerun
    self.hint = hint
    self.cause = cause
  }
}
