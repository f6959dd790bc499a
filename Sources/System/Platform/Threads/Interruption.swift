/// Lets long work notice that its caller no longer waits: it checks between small pieces.
///
/// ```swift
/// let state = try await Interruption.heeding { try session.state(after: 90_000) }
/// ```
///
/// Only work started in this way stops early. Other callers of the same functions, such as an app's
/// own cancelled tasks, get complete results.
package struct Interruption: Sendable {
  @TaskLocal private static var current: Interruption?
  private let isAsked: @Sendable () -> Bool

  package struct Stopped: Error {}

  /// Whether the work can be stopped: check once before checking often.
  package static var isHeeded: Bool { current != nil }

  /// Whether the work should stop. Observers count the checks.
  package static var isAsked: Bool { current?.isAsked() ?? false }

  package static func check() throws(Stopped) {
    if isAsked { throw Stopped() }
  }

  /// Runs work that stops when `isAsked` says so, by default when its task is cancelled.
  package static func heeding<Result>(
    _ isAsked: @escaping @Sendable () -> Bool = { Task.isCancelled },
    _ work: () async throws -> Result
  ) async rethrows -> Result {
    try await $current.withValue(Interruption(isAsked: isAsked), operation: work)
  }

  package static func heeding<Result>(
    _ isAsked: @escaping @Sendable () -> Bool = { Task.isCancelled }, _ work: () throws -> Result
  ) rethrows -> Result {
    try $current.withValue(Interruption(isAsked: isAsked), operation: work)
  }
}
