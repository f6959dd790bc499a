/// What a step of a branch is worth: where its values come from, and how the re-run went.
public struct Standing: Sendable, Hashable {
  public var values: Values
  public var outcome: Outcome

  /// Ordered: what rests on an edit or an assumption is worth no more than it. Least worth is what
  /// nobody knows; an edit is known to who made it.
  public enum Values: String, Sendable, Hashable, Comparable, CaseIterable {
    case recorded, edited, assumed

    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    case equal, different, new, orphaned, unanswered, undecodable, crashed
    case timedOut = "timed out"
  }

  public init(_ values: Values, _ outcome: Outcome) {
    self.values = values
    self.outcome = outcome
  }
}
