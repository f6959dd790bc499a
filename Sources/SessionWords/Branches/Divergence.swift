import ValueTree

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
    case state = "different state"
    case missingStep = "missing step"
    case extraStep = "extra step"
    case effect = "different effect"
    case read = "different read"
    case unusedRead = "unused read"
    case missingRead = "missing read"
    case nondeterministic
    case crash
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
