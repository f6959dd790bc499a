import Platform

/// A reducer that prints every action and its changes.
public struct PrintChangesReducer<Base: Reducer>: Reducer {
  let base: Base
  let printer: ChangePrinter
  let isPrinted: @Sendable (Base.Action) -> Bool

  /// Runs the base, then prints its changes.
  public func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    guard isPrinted(action) else { return base.reduce(into: &state, action: action) }
    let before = state
    let effect = base.reduce(into: &state, action: action)
    printer.print(action: action, before: before, after: state)
    return effect
  }
}

extension Reducer {
  /// Prints each action that passes the filter, and its changes to the state. Works in the
  /// background, in order.
  ///
  /// ```swift
  /// Store(initialState: Counter.State()) {
  ///   Counter().printChanges { action in action != .timerTicked }
  /// }
  /// ```
  public func printChanges(
    _ printer: ChangePrinter = .standardError,
    filter isPrinted: @escaping @Sendable (Action) -> Bool = { _ in true }
  ) -> PrintChangesReducer<Self> {
    PrintChangesReducer(base: self, printer: printer, isPrinted: isPrinted)
  }
}

/// Prints actions and their changes, in the background and in order.
public struct ChangePrinter: Sendable {
  private let queue = SerialEffectExecutor()
  private let write: @Sendable (String) -> Void

  /// Creates a printer that passes each text to a closure.
  public init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

  /// Writes to standard error.
  public static let standardError = ChangePrinter { WholeTransfer.write($0, to: 2) }

  func print<State: Sendable, Action: Sendable>(action: Action, before: State, after: State) {
    Task.detached(executorPreference: queue) { [write] in
      let action = Dump.lines(action).map { "  " + $0 }.joined(separator: "\n")
      let difference =
        DifferenceText.of(expected: before, actual: after) ?? "  (no state changes)"
      write("received action:\n\(action)\n\(difference)\n\n")
    }
  }

  /// Returns when everything is written.
  public func finish() async { await queue.settle() }
}
