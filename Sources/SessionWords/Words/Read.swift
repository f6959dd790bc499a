import ValueTree

/// A value that a dependency gave to a reducer or an effect.
public struct Read: Sendable, Hashable {
  /// The name of the dependency on tape.
  public var key: String
  /// What the dependency was asked with, one value for each argument; nil for one that takes none, and
  /// where nobody recorded them.
  public var arguments: [Value]?
  /// What came back.
  public var outcome: Outcome
  /// Whoever asked had been cancelled when it came back, so it says nothing of the service.
  public var isCancelled: Bool

  /// What the dependency returned, or the error that it threw.
  public enum Outcome: Sendable, Hashable {
    /// What it returned, encoded.
    case value(Value)
    /// The error that it threw, encoded.
    case failure(Value)

    /// It says itself that whoever asked was cancelled.
    package var isCancellation: Bool {
      if case .failure(let error) = self {
        error["type"] == "Swift.CancellationError"
      } else {
        false
      }
    }
  }

  /// A read and what came back.
  public init(
    key: String, arguments: [Value]? = nil, outcome: Outcome, isCancelled: Bool = false
  ) {
    self.key = key
    self.arguments = arguments
    self.outcome = outcome
    self.isCancelled = isCancelled || outcome.isCancellation
  }

  /// A read that gave this value.
  public init(key: String, arguments: [Value]? = nil, value: Value) {
    self.init(key: key, arguments: arguments, outcome: .value(value))
  }
}

/// A read that was not made in a step: inside an effect, or where nobody owns it.
public struct OutsideRead: Sendable, Hashable {
  /// What was read.
  public var read: Read
  /// The effect that made it; nil for a detached task or a callback.
  public var effect: Int?
  /// The step that is the newest one when it is made.
  public var step: Int
  /// Since the start of the session; nil where the recording carried no times.
  public var time: Duration?
  /// How long the answer took; nil where that was not recorded.
  public var took: Duration?

  /// A read of this effect, or of nobody.
  public init(
    _ read: Read, effect: Int?, step: Int, time: Duration? = nil, took: Duration? = nil
  ) {
    self.read = read
    self.effect = effect
    self.step = step
    self.time = time
    self.took = took
  }
}
