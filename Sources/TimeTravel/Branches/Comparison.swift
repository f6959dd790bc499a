import SessionLog
import ValueTree

/// The states of a fork and another branch at the same place.
public struct Comparison: Sendable, Hashable {
  public var fork: Position
  /// The branch that it is compared with.
  public var branch: String
  /// Whether both have this very step.
  public var isShared = false
  /// The other branch's step at this place, or where it has none, the last one before it.
  public var other: Position?
  /// Whether the other branch has a step at this place.
  public var hasCounterpart = true
  public var otherLabel: String?
  /// From the other branch's state to the fork's; nil where a state is missing.
  public var difference: ValueDifference?

  public init(fork: Position, with branch: String) {
    self.fork = fork
    self.branch = branch
  }
}

/// The first place at which two branches are not the same.
public struct FirstDifference: Sendable, Hashable {
  /// The step of the branch that was asked for.
  public var step: Int
  /// What is not the same, in a few words.
  public var words: String
}
