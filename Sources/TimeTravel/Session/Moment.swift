import SessionWords
import ValueTree

/// A step as a list shows it: small, whatever its action holds.
package struct StepRow: Sendable, Hashable {
  package var number: Int
  package var time: Duration?
  package var label: String
  /// The beginning of the action's payload, on one line.
  package var payload: String
  package var cause: Cause
  package var isSkipped: Bool
  package var error: String?
  package var standing: Standing?

  package init(_ step: Step, standing: Standing? = nil) {
    number = step.number
    time = step.time
    label = step.label
    payload = ValuePreview.payload(of: step.action, label: step.label, limit: 160)
    cause = step.cause
    isSkipped = step.isSkipped
    error = step.error ?? step.damage
    self.standing = standing
  }

  /// Whether something went wrong in it.
  package var isError: Bool { error != nil || standing?.outcome.isError == true }
}

extension Standing.Outcome {
  /// Whether the branch could not go on here as it should.
  package var isError: Bool { self == .crashed || self == .timedOut || self == .undecodable }
}

/// A place in time: a step of a branch.
package struct Position: Sendable, Hashable {
  package var branch: String
  package var step: Int

  package init(branch: String = Branch.main, step: Int) {
    self.branch = branch
    self.step = step
  }

  /// As commands take it: `813`, or `no coupon/813` on a fork.
  package var text: String { branch == Branch.main ? "\(step)" : "\(branch)/\(step)" }
}

/// All that is known about one step of a branch.
package struct Moment: Sendable {
  package var position: Position
  package var step: Step
  /// The run of the branch that it is from.
  package var run = 0
  /// The branch still ran when it was read: what becomes of its effects may not have been known.
  package var isEarly = false
  /// Nil on the recording itself.
  package var standing: Standing?
  /// What the step rests on and nobody knows, in the order in which it came in.
  package var assumptions: [Assumption] = []
  /// What else is to be said, one sentence each.
  package var remarks: [String] = []
  /// The state after the step; nil where none is known.
  package var state: Value?
  package var previousState: Value?
  /// What the step changed; nil where a state is missing.
  package var difference: ValueDifference?
  /// The step before which the previous state was, where that is another one than this.
  package var since: Int?
  /// Those it started, those it ended, the one that caused it, and those that were in flight.
  package var effects: [EffectSpan] = []
  /// Those of them that a fork has no answer for.
  package var unanswered: Set<Int> = []
  /// What dependencies gave to the effect that caused the step.
  package var effectReads: [Read] = []
  /// What stands beside it on the fork's parent.
  package var comparison: Comparison?
  /// Whether the recording tells what sent the step.
  package var knowsCause = true
  /// What to type to see a state where only the reducer can tell it.
  package var hostedCommand: String?
  /// Why a part is missing, in one sentence.
  package var trouble: String?

  /// Nothing is known of the difference where a state is missing.
  mutating func compareStates() {
    difference = previousState.flatMap { old in state.map { ValueDifference(from: old, to: $0) } }
  }

  /// What is left of a step that cannot be read.
  package static func unknown(at position: Position, because sentence: String) -> Moment {
    var moment = Moment(
      position: position, step: Step(number: position.step, label: "?", action: .null))
    moment.trouble = sentence
    return moment
  }
}
