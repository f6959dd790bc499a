/// A reducer that prints every action and what it changed.
public struct PrintChangesReducer<Base: Reducer>: Reducer {
  let base: Base
  let printer: ChangePrinter
  let isPrinted: @Sendable (Base.Action) -> Bool

  /// The base's work, and what it changed printed afterwards.
  public func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    guard isPrinted(action) else { return base.reduce(into: &state, action: action) }
    let before = state
    let effect = base.reduce(into: &state, action: action)
    printer.print(action: action, before: before, after: state)
    return effect
  }
}

extension Reducer {
  /// Prints every action that passes the filter, and the difference it made to the state. The
  /// difference is found and written in the background, in order.
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
