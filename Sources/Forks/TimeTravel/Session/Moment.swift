import SessionWords
import ValueTree

package struct StepRow: Sendable, Hashable {
  package var number: Int
  package var time: Duration?
  package var label: String
  package var payload: String
  package var parts: [ValuePreview.Part]
  package var cause: Cause
  package var isSkipped: Bool
  package var carriesFailure: Bool
  package var error: String?
  package var isLost: Bool
  /// Whether an earlier step failed, so that the reducer never ran this one.
  package var isNotRun: Bool
  package var standing: Standing?

  package init(_ step: Step, standing: Standing? = nil) {
    number = step.number
    time = step.time
    label = step.label
    payload = ValuePreview.payload(of: step.action, label: step.label, limit: 160)
    parts = ValuePreview.parts(of: step.action, label: step.label)
    cause = step.cause
    isSkipped = step.isSkipped
    carriesFailure = step.carriesFailure
    error = step.error ?? step.damage
    isLost = step.isLost
    isNotRun = step.isNotRun
    self.standing = standing
  }

  package var isError: Bool {
    error != nil && !isNotRun || carriesFailure || standing?.outcome.isError == true
  }
}

package struct Position: Sendable, Hashable {
  package var branch: BranchID
  package var step: Int

  package init(branch: BranchID = .main, step: Int) {
    self.branch = branch
    self.step = step
  }
}

package struct Moment: Sendable {
  package var position: Position
  package var step: Step
  package var run = 0
  /// Whether the branch was still running: its effects may have been unknown.
  package var isEarly = false
  package var standing: Standing?
  package var assumptions: [Assumption] = []
  package var remarks: [String] = []
  /// Whether no step is before it.
  package var isFirst = false
  package var state: Value?
  /// Whether a host computed the state of a recorded step.
  package var isComputed = false
  package var previousState: Value?
  package var difference: ValueDifference?
  package var since: Int?
  /// The effects it started or ended, its cause, and those in flight.
  package var effects: [EffectSpan] = []
  package var unanswered: Set<EffectID> = []
  package var effectReads: [Read] = []
  package var comparison: Comparison?
  package var outside = OutsideSender.user
  package var outsideChanges: [OutsideChange] = []
  /// Milliseconds since 1970.
  package var clock: Int64?
  /// The command to see a state that only the reducer can compute.
  package var hostedCommand: String?
  package var trouble: String?

  mutating func compareStates() {
    difference = previousState.flatMap { old in state.map { ValueDifference(from: old, to: $0) } }
  }

  package static func unknown(at position: Position, because sentence: String) -> Moment {
    var moment = Moment(
      position: position, step: Step(number: position.step, label: "?", action: .null))
    moment.trouble = sentence
    return moment
  }
}
