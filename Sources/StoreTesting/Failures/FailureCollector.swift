import Platform
import StoreCore

/// Keeps the failures that it is told about.
final class FailureCollector: Sendable {
  private let collected = Locked<[Failure]>([])

  var failures: [Failure] { collected.withLock { $0 } }

  var reporter: FailureReporter {
    FailureReporter { failure in self.collected.withLock { $0.append(failure) } }
  }
}

/// The failures that this library reports while `body` runs. They fail nothing.
///
/// ```swift
/// let failures = collectFailures { expectReflectivelyEqual(1, 2) }
/// #expect(failures.map(\.message) == ["…"])
/// ```
public func collectFailures(_ body: () throws -> Void) rethrows -> [Failure] {
  let collector = FailureCollector()
  try FailureReporter.$innermost.withValue(collector.reporter, operation: body)
  return collector.failures
}

/// The failures that this library reports while `body` runs. They fail nothing.
public func collectFailures(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async rethrows -> [Failure] {
  let collector = FailureCollector()
  try await FailureReporter.$innermost.withValue(collector.reporter, operation: body)
  return collector.failures
}
