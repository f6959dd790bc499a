/// Writes actions and the differences they make, in the background and in order.
public struct ChangePrinter: Sendable {
  private let queue = SerialEffectExecutor()
  private let write: @Sendable (String) -> Void

  /// Hands each text to this, in order.
  public init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

  /// Writes to standard error.
  public static let standardError = ChangePrinter { StandardError.write($0) }

  func print<State: Sendable, Action: Sendable>(action: Action, before: State, after: State) {
    Task.detached(executorPreference: queue) { [write] in
      write(ChangeText.of(action: action, before: before, after: after))
    }
  }

  /// Returns when all that was asked for is written.
  public func finish() async { await queue.settle() }
}

enum ChangeText {
  static func of(action: Any, before: Any, after: Any) -> String {
    let action = Dump.lines(action).map { "  " + $0 }.joined(separator: "\n")
    let difference = DifferenceText.of(expected: before, actual: after) ?? "  (no state changes)"
    return "received action:\n\(action)\n\(difference)\n\n"
  }
}
