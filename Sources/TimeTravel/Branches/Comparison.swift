import SessionLog
import ValueTree

/// The states of a fork and its parent at the same place.
public struct Comparison: Sendable, Hashable {
  public var fork: Position
  /// The step that the fork's step descends from; nil for one that was inserted.
  public var parent: Position?
  public var parentLabel: String?
  /// From the parent's state to the fork's; nil where a state is missing.
  public var difference: ValueDifference?
}
