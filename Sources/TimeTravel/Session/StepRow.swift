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
