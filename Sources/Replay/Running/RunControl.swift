/// How somebody watches a run and stops it.
package struct RunControl: Sendable {
  /// Asked between two steps.
  package var isCancelled: @Sendable () -> Bool
  /// Told now and then.
  package var progress: @Sendable (_ done: Int, _ of: Int) -> Void
  /// Told before each step.
  package var stepBegins: @Sendable (_ step: Int) -> Void

  package init(
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled },
    progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in },
    stepBegins: @escaping @Sendable (_ step: Int) -> Void = { _ in }
  ) {
    self.isCancelled = isCancelled
    self.progress = progress
    self.stepBegins = stepBegins
  }
}
