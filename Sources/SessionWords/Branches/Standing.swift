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
    case recorded, edited, open, assumed

    /// Whether a step that rests on the left is worth more.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Whether the app, run live with the same edits, does exactly this.
    public var areKnown: Bool { self < .open }
  }

  /// How the re-run of a step can go, against the recorded one that it descends from.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    case equal, different, new, undecodable, crashed
    case timedOut = "timed out"
  }

  package init(_ values: Values, _ outcome: Outcome, _ assumptions: [Assumption] = []) {
    self.values = values
    self.outcome = outcome
    self.assumptions = assumptions
  }
}
