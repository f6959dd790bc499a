import Platform

/// Where a command writes a file: a path, or `-` for standard output.
struct OutputFile: Sendable {
  let name: String

  var isStandardOutput: Bool { name == "-" }

  /// What messages call it.
  var shownName: String { isStandardOutput ? "standard output" : name }

  /// Has a file written at its path. For standard output it is written in a private folder first, so that
  /// nothing of one that fails is sent.
  func write<Result>(
    in context: CommandContext, _ work: (_ path: String) async throws -> Result
  ) async throws -> Result {
    guard isStandardOutput else { return try await work(name) }
    let folder = try FileSystem.temporaryFolder(in: context.environment)
    defer { FileSystem.removeFolder(folder) }
    let path = "\(folder)/output"
    let result = try await work(path)
    try context.output.file(path)
    return result
  }
}
