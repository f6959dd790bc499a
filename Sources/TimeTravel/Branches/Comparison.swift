import ValueTree

/// The states of a fork and another branch at the same place.
package struct Comparison: Sendable, Hashable {
  package var fork: Position
  /// The branch that it is compared with.
  package var branch: String
  /// Whether both have this very step.
  package var isShared = false
  /// The other branch's step at this place, or where it has none, the last one before it.
  package var other: Position?
  /// Whether the other branch has a step at this place.
  package var hasCounterpart = true
  package var otherLabel: String?
  /// From the other branch's state to the fork's; nil where a state is missing.
  package var difference: ValueDifference?

  package init(fork: Position, with branch: String) {
    self.fork = fork
    self.branch = branch
  }
}

/// The first place at which two branches are not the same.
package struct FirstDifference: Sendable, Hashable {
  /// The step of the branch that was asked for.
  package var step: Int
  /// What is not the same, in a few words.
  package var words: String
}
