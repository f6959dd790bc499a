/// Where a step's stacks get ids from when none are recorded for it (rule 8).
enum StackIDs: Sendable {
  /// From their own counts, which are as they were recorded.
  case certain
  /// From their own counts, which may be others than the recorded ones.
  case doubtful
  /// From a range that no recording uses, so that no recorded action means them.
  case apart

  /// The key that they have on tape.
  static let key = "stackID"

  /// A recording without them on tape is of an older version, or no stack made any.
  init(areOnTape: Bool, isInserted: Bool, isEdited: Bool) {
    if areOnTape || isInserted {
      self = .apart
    } else {
      self = isEdited ? .doubtful : .certain
    }
  }

  /// The state before is another than the recorded one.
  mutating func doubt() { if self == .certain { self = .doubtful } }
}
