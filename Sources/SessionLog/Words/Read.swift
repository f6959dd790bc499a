import ValueTree

/// A value that a dependency gave to a reducer or an effect.
public struct Read: Sendable, Hashable {
  public var key: String
  public var outcome: Outcome

  /// What the dependency returned, or the error that it threw.
  public enum Outcome: Sendable, Hashable {
    case value(Value)
    case failure(Value)
  }

  public init(key: String, outcome: Outcome) {
    self.key = key
    self.outcome = outcome
  }

  public init(key: String, value: Value) { self.init(key: key, outcome: .value(value)) }
}
