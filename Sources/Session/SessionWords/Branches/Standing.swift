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
  /// The fork that a fork of it equals here; the outcome compares with the recording.
  package var sameAs: String?

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

    package var isError: Bool { self == .crashed || self == .timedOut || self == .undecodable }
  }

  package init(_ values: Values, _ outcome: Outcome, _ assumptions: [Assumption] = []) {
    self.values = values
    self.outcome = outcome
    self.assumptions = assumptions
  }

  /// A substitute for the assumptions of a session's first step, if they began before the session.
  package func inherited(at step: Int) -> [Assumption] {
    guard assumptions.isEmpty, !values.areKnown else { return [] }
    let sentence = "this session was exported from a fork with unknown steps before"
    return [Assumption(.stale, .state(pointer: []), from: step, sentence)]
  }
}

/// The signs of a step, with their words. The help, the pages and the agents' tools show these.
extension Standing {
  package var glyphs: String { outcome.glyph + values.glyph }

  /// `differs, after your edit`
  package var words: String {
    outcome.words + besideParent + (values == .recorded ? "" : ", \(values.words)")
  }

  package var sentence: String { "\(outcome.meaning)\(besideParent); \(values.meaning)" }

  private var besideParent: String {
    outcome == .equal ? "" : sameAs.map { ", as in \($0)" } ?? ""
  }

  package static let signs: [(sign: String, words: String)] = outcomeSigns + valueSigns
  private static let outcomeSigns = Outcome.allCases.map { (sign: $0.glyph, words: $0.words) }
  private static let valueSigns = Values.allCases.dropFirst().map {
    (sign: $0.glyph, words: $0.words)
  }

  /// In two lines: `= as recorded, ≠ differs, …` and `* after your edit, …`
  package static let legends = [outcomeSigns, valueSigns].map { signs in
    signs.map { "\($0) \($1)" }.joined(separator: ", ")
  }
  package static let legend = legends.joined(separator: ", ")
}

extension Standing.Values {
  package var glyph: String { told.glyph }
  package var words: String { told.words }
  package var meaning: String { told.meaning }

  private var told: (glyph: String, words: String, meaning: String) {
    switch self {
    case .recorded: (" ", "recorded values", "every value was recorded")
    case .assumed: ("?", "assumed", "assumed: not all that it depends on was recorded")
    case .open: ("…", "open", "open: an effect may send an action here, and has no answer yet")
    case .edited: ("*", "after your edit", "it follows from your edit")
    }
  }
}

extension Standing.Outcome {
  package var glyph: String { told.glyph }
  package var words: String { told.words }
  package var meaning: String { told.meaning }

  private var told: (glyph: String, words: String, meaning: String) {
    switch self {
    case .equal: ("=", "as recorded", "run again: same result as recorded")
    case .different: ("≠", "differs", "run again: different from the recording")
    case .new: ("+", "new step", "a new step: not in the recording")
    case .undecodable: ("¿", "does not decode", "the reducer cannot decode this action")
    case .crashed: ("✗", "crashed", "the reducer crashed")
    case .timedOut:
      ("T", Divergence.Kind.hang.rawValue, "the reducer \(Divergence.Kind.hang.rawValue) in time")
    }
  }
}

package enum ValueVerdict: Sendable, Hashable {
  case fine
  case problem(ValueProblem)
  case unknown
}

/// The reason why the app's types cannot hold a value.
package struct ValueProblem: Sendable, Hashable {
  package var path: Pointer
  package var sentence: String

  package init(path: Pointer = [], sentence: String) {
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
  /// The place in the state, action or read.
  public var path: Pointer
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
    /// The state breaks a rule of `retcon verify --rule`, which is the hint.
    case rule = "breaks a rule"
  }

  package init(
    step: Int, label: String, kind: Kind, path: Pointer = [], recorded: Value? = nil,
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
