/// Carries the current dependencies into code that runs later, from a callback or its own thread.
///
/// ```swift
/// withEscapedDependencies { dependencies in
///   connection.onMessage { message in
///     dependencies.yield { handle(message) }
///   }
/// }
/// ```
public func withEscapedDependencies<Result>(
  _ operation: (DependencyValues.Continuation) throws -> Result
) rethrows -> Result {
  try operation(DependencyValues.Continuation(values: .ofEffects))
}

/// Carries the current dependencies into code that runs later.
public func withEscapedDependencies<Result>(
  isolation: isolated (any Actor)? = #isolation,
  _ operation: (DependencyValues.Continuation) async throws -> Result
) async rethrows -> Result {
  try await operation(DependencyValues.Continuation(values: .ofEffects))
}

extension DependencyValues {
  /// Captured dependencies.
  public struct Continuation: Sendable {
    let values: DependencyValues

    /// Runs `operation` with the captured dependencies.
    public func yield<Result>(_ operation: () throws -> Result) rethrows -> Result {
      try values.run(operation)
    }

    /// Runs `operation` with the captured dependencies.
    public func yield<Result>(
      isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Result
    ) async rethrows -> Result {
      try await values.run(operation)
    }
  }
}

/// Runs `operation` with changed dependencies.
public func withDependencies<Result>(
  _ change: (inout DependencyValues) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
  var values = DependencyValues.current
  try values.replace(change)
  return try values.run(operation)
}

/// Runs `operation` with changed dependencies.
public func withDependencies<Result>(
  isolation: isolated (any Actor)? = #isolation,
  _ change: (inout DependencyValues) throws -> Void, operation: () async throws -> Result
) async rethrows -> Result {
  var values = DependencyValues.current
  try values.replace(change)
  return try await values.run(operation)
}
