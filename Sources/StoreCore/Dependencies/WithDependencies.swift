/// Takes the dependencies that are in force here to code that runs later, from a callback or a thread
/// of its own.
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

/// Takes the dependencies that are in force here to code that runs later.
public func withEscapedDependencies<Result>(
  isolation: isolated (any Actor)? = #isolation,
  _ operation: (DependencyValues.Continuation) async throws -> Result
) async rethrows -> Result {
  try await operation(DependencyValues.Continuation(values: .ofEffects))
}

extension DependencyValues {
  /// Dependencies that were in force somewhere.
  public struct Continuation: Sendable {
    let values: DependencyValues

    /// Runs `operation` where they are in force again.
    public func yield<Result>(_ operation: () throws -> Result) rethrows -> Result {
      try values.run(operation)
    }

    /// Runs `operation` where they are in force again.
    public func yield<Result>(
      isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Result
    ) async rethrows -> Result {
      try await values.run(operation)
    }
  }
}

/// Runs `operation` where the dependencies are changed.
public func withDependencies<Result>(
  _ change: (inout DependencyValues) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
  var values = DependencyValues.current
  try values.replace(change)
  return try values.run(operation)
}

/// Runs `operation` where the dependencies are changed.
public func withDependencies<Result>(
  isolation: isolated (any Actor)? = #isolation,
  _ change: (inout DependencyValues) throws -> Void, operation: () async throws -> Result
) async rethrows -> Result {
  var values = DependencyValues.current
  try values.replace(change)
  return try await values.run(operation)
}
