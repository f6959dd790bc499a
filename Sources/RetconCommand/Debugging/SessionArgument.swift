import HostProtocol
import SessionLog
import TimeTravel

/// The file that a command is about, the place in it, and the host that was named for it.
struct SessionArgument: Sendable {
  var position: FilePosition
  var host: HostCommand?

  static let hostOption = OptionDeclaration(
    "host", value: "COMMAND", help: "the program that holds the app's reducer (or $RETCON_HOST)")

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
    host = try arguments.value("host").map { try HostCommand(option: $0, from: "--host") }
  }

  init(file: String, host: HostCommand? = nil) {
    position = FilePosition(file: file)
    self.host = host
  }

  /// Opens the file, whatever its format.
  func open(progress: (Double) throws -> Void = { _ in }) throws -> SessionReader {
    try SessionOpener.standard.open(position.file, progress: progress)
  }

  /// Fails for a file that cannot be opened at all, before a terminal is taken over for it.
  func check() throws {
    guard FileSystem.exists(position.file) else {
      throw SessionError(.missing, path: position.file)
    }
  }

  /// The host of the command line, else that of the environment, else the program itself where it
  /// is an app's own debugger. A session never names one.
  func connection(in context: CommandContext) throws -> HostConnection? {
    if let host { return HostConnection(host) }
    if let words = context.environment["RETCON_HOST"], !words.isEmpty {
      return HostConnection(try HostCommand(option: words, from: "RETCON_HOST"))
    }
    return context.ownHost.map { HostConnection($0) }
  }
}

extension HostCommand {
  init(option words: String, from place: String) throws {
    guard let command = HostCommand(words: words) else {
      throw UsageError(
        what: "\(place) is no command: a quote stays open, or there is no word in it",
        next: "Write \(place) as you would type the command")
    }
    self = command
  }
}
