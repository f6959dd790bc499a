import SessionFile
import SessionWords
import ValueTree

extension ReplaySetup {
  /// Runs a recorded session again and compares everything.
  ///
  /// ```swift
  /// let report = try await ReplaySetup(AppFeature()).verify(SessionReader(path: "cart.retcon"))
  /// if !report.isEqual { print(report.text(title: "cart.retcon")) }
  /// ```
  ///
  /// It ends early when the task is cancelled, with an error that says so.
  public func verify(
    _ session: SessionReader, _ options: VerifyOptions = VerifyOptions(),
    progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }
  ) async throws -> VerifyReport {
    try SessionReplay(session, self).verify(options, control: RunControl(progress: progress))
  }

  /// Runs a branch of a session: the scripts from the one that leaves the recording down to its own.
  /// `onStep` is given its steps in order.
  public func run(
    _ scripts: [Script], of session: SessionReader,
    progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in },
    onStep: @escaping @Sendable (BranchStep) -> Void
  ) async throws -> BranchReport {
    try SessionReplay(session, self).run(
      scripts, control: RunControl(progress: progress), onStep: onStep)
  }
}
