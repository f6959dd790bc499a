/// How work that takes long learns that nobody waits for it any more: it looks now and then, between
/// small pieces.
///
/// ```swift
/// let state = try await Interruption.heeding { try session.state(after: 90_000) }
/// ```
///
/// Only work that is started in this way stops early. Whatever else calls the same functions, an app's
/// own cancelled tasks included, gets whole answers.
package struct Interruption: Sendable {
  @TaskLocal private static var current: Interruption?
  private let isAsked: @Sendable () -> Bool

  /// What a function throws that was stopped.
  package struct Stopped: Error {}

  /// Whether anybody may stop the work: what looks often asks this once.
  package static var isHeeded: Bool { current != nil }

  /// Whether the work is to stop. Every look counts for who watches it.
  package static var isAsked: Bool { current?.isAsked() ?? false }

  package static func check() throws(Stopped) {
    if isAsked { throw Stopped() }
  }

  /// Does some work that stops when `isAsked` says so, by default when its task is cancelled.
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
