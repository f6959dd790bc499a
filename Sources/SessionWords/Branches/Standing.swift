import ValueTree

/// What a step of a branch is worth: what it rests on, and how the re-run went.
public struct Standing: Sendable, Hashable {
  /// The least that it rests on.
  public var values: Values
  /// How the re-run of the step went.
  public var outcome: Outcome
  /// What nobody knows and comes in with this step. Later steps rest on it, too, and do not repeat
  /// it; the first own step of a branch has all that the branch inherits.
  public var assumptions: [Assumption]

  /// Ordered by how little a step is worth that rests on such values. An edit is known to who made
  /// it; an effect that may speak puts in question whether the step comes next; what is assumed may
  /// be otherwise.
  public enum Values: String, Sendable, Hashable, Comparable, CaseIterable {
    /// Known; known to who made the edit; in question; a guess.
    case recorded, edited, open, assumed

    /// Whether a step that rests on the left is worth more.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Whether the app, run live with the same edits, does exactly this.
    public var areKnown: Bool { self < .open }
  }

  /// How the re-run of a step can go, against the recorded one that it descends from.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// As recorded, or otherwise; of no recorded step; not decoded; the reducer ended its process.
    case equal, different, new, undecodable, crashed
    /// The reducer did not return in time.
    case timedOut = "timed out"
  }

  package init(_ values: Values, _ outcome: Outcome, _ assumptions: [Assumption] = []) {
    self.values = values
    self.outcome = outcome
    self.assumptions = assumptions
  }

  /// What stands for the assumptions of a session's first doubtful step, where they came in before the
  /// session begins.
  package func inherited(at step: Int) -> [Assumption] {
    guard assumptions.isEmpty, !values.areKnown else { return [] }
    let sentence = "the branch that this session was rests on something from before its first step"
    return [Assumption(.stale, .state(pointer: ""), from: step, sentence)]
  }
}

/// What a host says of a value that somebody has typed, before a branch is made of it.
package enum ValueVerdict: Sendable, Hashable {
  case fine
  case problem(ValueProblem)
  /// The host does not check.
  case unknown
}

/// Why the types of an app cannot hold a value.
package struct ValueProblem: Sendable, Hashable {
  /// Where in the value; a JSON Pointer.
  package var path: String
  package var sentence: String

  package init(path: String = "", sentence: String) {
    self.path = path
    self.sentence = sentence
  }
}

/// A difference between what was recorded and what a re-run did.
public struct Divergence: Sendable, Hashable {
  /// The step where it shows.
  public var step: Int
  /// The label of its action.
  public var label: String
  /// What differs.
  public var kind: Kind
  /// What sent the recorded action; nil where there is none.
  public var cause: Cause?
  /// Where in the state, action or read, as an RFC 6901 pointer; empty for the whole.
  public var path: String
  /// The value in the recording; nil where it has none.
  public var recorded: Value?
  /// The value of the re-run; nil where it has none.
  public var rerun: Value?
  /// One more sentence for people, where one helps.
  public var hint: String?

  /// The classes, in the words of `retcon verify`.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The state is another one.
    case state = "different state"
    /// A recorded step does not come.
    case missingStep = "missing step"
    /// A step comes that was not recorded.
    case extraStep = "extra step"
    /// The step starts or ends other effects.
    case effect = "different effect"
    /// A dependency is asked something else.
    case read = "different read"
    /// A recorded value is not asked for.
    case unusedRead = "unused read"
    /// A value is asked for that was not recorded.
    case missingRead = "missing read"
    /// The reducer does not do the same twice.
    case nondeterministic
    /// The reducer ends its process.
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
