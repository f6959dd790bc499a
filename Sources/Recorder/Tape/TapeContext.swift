import Platform
import SessionWords

/// The task-local through which tapes find their step, their effect, or the replay.
package enum TapeContext {
  @TaskLocal static var local: (any TapeSource)?

  /// What stands behind the tapes here; nil outside of steps and effects.
  package static var source: (any TapeSource)? { local }

  /// Runs `work` with a source behind all tapes in it.
  package static func with<Result>(
    _ source: (any TapeSource)?, _ work: () throws -> Result
  ) rethrows -> Result {
    try $local.withValue(source, operation: work)
  }

  /// Runs `work` with a source behind all tapes in it and in its child tasks.
  package static func with<Result>(
    isolation: isolated (any Actor)? = #isolation, _ source: (any TapeSource)?,
    _ work: () async throws -> Result
  ) async rethrows -> Result {
    try await $local.withValue(source, operation: work)
  }
}

/// Who wants to know which keys are put on tape.
package final class TapeNames: Sendable {
  @TaskLocal package static var current: TapeNames?

  private let names = Locked<Set<String>>([])

  package init() {}

  package var all: Set<String> { names.withLock { $0 } }

  func add(_ key: String) { names.withLock { _ = $0.insert(key) } }
}

/// Behind the tapes while a live dependency answers: what it reads from others is its own affair,
/// because a replay asks only the outer one.
final class SilentSource: TapeSource {
  static let shared = SilentSource()

  func answer(to question: TapeQuestion) -> TapeAnswer { .live }
  func keep(_ question: TapeQuestion, _ outcome: @escaping @Sendable () -> Read.Outcome) {}
}
