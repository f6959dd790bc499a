/// Runs `operation` where the dependencies are changed.
public func withDependencies<Result>(
  _ change: (inout DependencyValues) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
  var values = DependencyValues.current
  try values.prepare(change)
  return try values.run(operation)
}

/// Runs `operation` where the dependencies are changed.
public func withDependencies<Result>(
  isolation: isolated (any Actor)? = #isolation,
  _ change: (inout DependencyValues) throws -> Void, operation: () async throws -> Result
) async rethrows -> Result {
  var values = DependencyValues.current
  try values.prepare(change)
  return try await values.run(operation)
}
