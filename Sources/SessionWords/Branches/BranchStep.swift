import ValueTree

/// One step of a branch, as a re-run gave it.
public struct BranchStep: Sendable, Hashable {
  /// Numbered in the branch. Its reads are those that the re-run used.
  public var step: Step
  /// The recorded step whose action it is, edited or not; nil for one that was inserted.
  public var descendsFrom: Int?
  /// What the step is worth.
  public var standing: Standing
  /// What the re-run's effects did at this step, numbered as in the recording where they match. The
  /// first own step of a branch also has what they did between the step before and this one.
  public var effects: [EffectEvent]
  /// From the state before to the state after, as RFC 6902 operations; nil when nobody asked.
  public var patch: Value?
  /// What else is to be said, beside the assumptions of the standing: one sentence each, for people.
  public var remarks: [String]

  package init(
    step: Step, descendsFrom: Int? = nil, standing: Standing, effects: [EffectEvent] = [],
    patch: Value? = nil, remarks: [String] = []
  ) {
    self.step = step
    self.descendsFrom = descendsFrom
    self.standing = standing
    self.effects = effects
    self.patch = patch
    self.remarks = remarks
  }
}
