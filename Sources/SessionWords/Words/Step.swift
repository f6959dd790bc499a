import ValueTree

/// One action run through the reducer. Step 0 is the initial state and has no action.
public struct Step: Sendable, Hashable {
  /// Counted from 1; 0 is the initial state.
  public var number: Int
  /// Since the start of the session; nil where the recording carried no times.
  public var time: Duration?
  /// The short name of the action.
  public var label: String
  /// The action, encoded.
  public var action: Value
  /// What sent it.
  public var cause: Cause
  /// What dependencies gave to the reducer in this step, per key in order.
  public var reads: [Read]
  /// A step that was skipped when it was recorded: it stays, and its state is the one before.
  public var isSkipped: Bool
  /// What went wrong in the reducer, as recorded by another tool.
  public var error: String?
  /// Where in the source the action was sent from, a line for each call, as another tool tells it.
  public var stack: String?
  /// What the step is worth, in the export of a branch.
  public var standing: Standing?
  /// Why the recording does not tell this step, in a sentence; nil when all is well.
  public var damage: String?
  /// The app stopped inside its reducer: the action is known, what came of it is not.
  public var isUnfinished = false

  /// Only what a step must have; the rest is as if nothing special happened.
  public init(
    number: Int, time: Duration? = nil, label: String, action: Value, cause: Cause = .user,
    reads: [Read] = [], isSkipped: Bool = false, error: String? = nil,
    standing: Standing? = nil, damage: String? = nil
  ) {
    self.number = number
    self.time = time
    self.label = label
    self.action = action
    self.cause = cause
    self.reads = reads
    self.isSkipped = isSkipped
    self.error = error
    self.standing = standing
    self.damage = damage
  }
}

/// What sent an action.
public enum Cause: Sendable, Hashable {
  /// The user, or anything else outside the store.
  case user
  /// An emission of the effect with this number.
  case effect(Int)
  /// A synchronous `send` that the reducer returned at this step: reducer output, always computed anew.
  case output(of: Int)
}

/// A note that the app itself wrote into its log.
public struct Signpost: Sendable, Hashable {
  /// What the app has to say.
  public var text: String
  /// The step that is the newest one when it is written.
  public var step: Int
  /// Since the start of the session; nil where the recording carried no times.
  public var time: Duration?
  /// What it has to show, encoded.
  public var value: Value?

  /// A note after this step.
  public init(_ text: String, step: Int, time: Duration? = nil, value: Value? = nil) {
    self.text = text
    self.step = step
    self.time = time
    self.value = value
  }
}
