import SessionLog
import ValueTree

/// All that is known about one step of a branch.
public struct Moment: Sendable {
  public var position: Position
  public var step: Step
  /// The run of the branch that it is from.
  public var run = 0
  /// Nil on the recording itself.
  public var standing: Standing?
  /// What the step rests on and nobody knows, in the order in which it came in.
  public var assumptions: [Assumption] = []
  /// What else is to be said, one sentence each.
  public var remarks: [String] = []
  /// The state after the step; nil where none is known.
  public var state: Value?
  public var previousState: Value?
  /// What the step changed; nil where a state is missing.
  public var difference: ValueDifference?
  /// Those it started, those it ended, the one that caused it, and those that were in flight.
  public var effects: [EffectSpan] = []
  /// Those of them that a fork has no answer for.
  public var unanswered: Set<Int> = []
  /// What dependencies gave to the effect that caused the step.
  public var effectReads: [Read] = []
  /// What stands beside it on the fork's parent.
  public var comparison: Comparison?
  /// Whether the recording tells what sent the step.
  public var knowsCause = true
  /// What to type to see a state where only the reducer can tell it.
  public var hostedCommand: String?
  /// Why a part is missing, in one sentence.
  public var trouble: String?

  public init(position: Position, step: Step) {
    self.position = position
    self.step = step
  }

  /// What is left of a step that cannot be read.
  public static func unknown(at position: Position, because sentence: String) -> Moment {
    var moment = Moment(
      position: position, step: Step(number: position.step, label: "?", action: .null))
    moment.trouble = sentence
    return moment
  }
}
