import Platform
import SessionFile
import SessionImports
import SessionWords
import TimeTravel

/// The file that a command is about, and the place in it.
struct SessionArgument: Sendable {
  var position: FilePosition

  init(_ arguments: ParsedArguments, command: String) throws {
    guard let file = arguments.positionals.first else {
      throw UsageError(what: "\(command) needs a file", next: "Write retcon \(command) FILE")
    }
    guard arguments.positionals.count == 1 else {
      throw UsageError(
        what: "\(command) takes one file, and there is also \(arguments.positionals[1])",
        next: "Quote names that have spaces")
    }
    position = try FilePosition(file)
  }

  init(file: String) { position = FilePosition(file: file) }

  /// Opens the file, whatever its format.
  func open(progress: (Double) throws -> Void = { _ in }) throws -> SessionReader {
    let local = try LocalFile(position.file, in: currentEnvironment())
    defer { withExtendedLifetime(local) {} }
    return try SessionOpener.standard.open(
      local.path, as: local.shownName, progress: progress)
  }

  /// Fails for a file that cannot be opened at all, before a terminal is taken over for it.
  func check() throws {
    guard FileSystem.exists(position.file) || position.file == LocalFile.standardInput else {
      throw SessionError(.missing, path: position.file)
    }
  }
}
