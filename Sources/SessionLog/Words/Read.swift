import ValueTree

/// A value that a dependency gave to a reducer or an effect.
public struct Read: Sendable, Hashable {
  public var key: String
  /// What the dependency was asked with, one value for each argument; nil for one that takes none, and
  /// where nobody recorded them.
  public var arguments: [Value]?
  public var outcome: Outcome

  /// What the dependency returned, or the error that it threw.
  public enum Outcome: Sendable, Hashable {
    case value(Value)
    case failure(Value)
  }

  public init(key: String, arguments: [Value]? = nil, outcome: Outcome) {
    self.key = key
    self.arguments = arguments
    self.outcome = outcome
  }

  public init(key: String, arguments: [Value]? = nil, value: Value) {
    self.init(key: key, arguments: arguments, outcome: .value(value))
  }
}
