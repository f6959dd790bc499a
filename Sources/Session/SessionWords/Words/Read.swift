import ValueTree

/// A value that a dependency gave to a reducer or an effect.
public struct Read: Sendable, Hashable {
  /// The name of the recorded dependency.
  public var key: String
  /// The arguments; nil if it takes none, or if not recorded.
  public var arguments: [Value]?
  /// The result.
  public var outcome: Outcome
  /// Whether the caller had been cancelled, so that the result says nothing about the service.
  public var isCancelled: Bool

  /// The returned value, or the thrown error.
  public enum Outcome: Sendable, Hashable {
    /// The encoded value.
    case value(Value)
    /// The encoded error.
    case failure(Value)

    package var content: Value {
      switch self {
      case .value(let value), .failure(let value): value
      }
    }

    package var isError: Bool { if case .failure = self { true } else { false } }

    package var isCancellation: Bool {
      if case .failure(let error) = self {
        error["type"] == "Swift.CancellationError"
      } else {
        false
      }
    }
  }

  /// Creates a read.
  public init(
    key: String, arguments: [Value]? = nil, outcome: Outcome, isCancelled: Bool = false
  ) {
    self.key = key
    self.arguments = arguments
    self.outcome = outcome
    self.isCancelled = isCancelled || outcome.isCancellation
  }

  /// Creates a read with a value.
  public init(key: String, arguments: [Value]? = nil, value: Value) {
    self.init(key: key, arguments: arguments, outcome: .value(value))
  }
}

/// A read outside of steps: inside an effect, or without a known owner.
public struct OutsideRead: Sendable, Hashable {
  /// The read.
  public var read: Read
  /// The effect; nil for a detached task or a callback.
  public var effect: EffectID?
  /// The newest step at this time.
  public var step: Int
  /// The time since the session's start, if recorded.
  public var time: Duration?
  /// The duration of the answer, if recorded.
  public var took: Duration?

  /// Creates a read of an effect, or without an owner.
  public init(
    _ read: Read, effect: EffectID?, step: Int, time: Duration? = nil, took: Duration? = nil
  ) {
    self.read = read
    self.effect = effect
    self.step = step
    self.time = time
    self.took = took
  }
}
