import SessionLog
import ValueTree

/// A step as a list shows it: small, whatever its action holds.
public struct StepRow: Sendable, Hashable {
  public var number: Int
  public var time: Duration?
  public var label: String
  /// The beginning of the action's payload, on one line.
  public var payload: String
  public var cause: Cause
  public var isSkipped: Bool
  public var error: String?
  public var standing: Standing?

  public init(_ step: Step, standing: Standing? = nil) {
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
  public var isError: Bool { error != nil || standing?.outcome.isError == true }
}

extension Standing.Outcome {
  /// Whether the branch could not go on here as it should.
  public var isError: Bool { self == .crashed || self == .timedOut || self == .undecodable }
}
