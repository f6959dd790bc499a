import StoreCore

/// What a `send` of a ``TestStore`` set going: its effects, and the effects of the actions that
/// these send.
public struct TestStoreTask: Sendable {
  let task: StoreTask?
  let wait: @Sendable (_ timeout: Duration, _ root: Int) async -> [String]
  let settle: @Sendable () async -> Void
  let report: @Sendable (_ message: String, _ place: SourcePlace) -> Void

  /// Waits until nothing of it runs any more. What still does when the time is up fails here, and
  /// says which clock it sleeps on.
  public nonisolated(nonsending) func finish(
    timeout: Duration = .seconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) async {
    guard let root = task?.root else { return }
    let running = await wait(timeout, root)
    guard !running.isEmpty else { return }
    report(
      "After \(timeout) this has not ended:\n\n"
        + running.map { "• \($0)" }.joined(separator: "\n"), SourcePlace(fileID, filePath, line))
  }

  /// Cancels all of it, and returns when what it does about that is done.
  public nonisolated(nonsending) func cancel() async {
    task?.cancel()
    await settle()
  }
}
