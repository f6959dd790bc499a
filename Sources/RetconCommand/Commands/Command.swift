/// One of the words that can follow `retcon`.
protocol Command: Sendable {
  static var declaration: CommandDeclaration { get }

  init(_ arguments: ParsedArguments) throws
  func run(in context: CommandContext) async throws -> ExitCode
}

/// How a command is called, for understanding it and for its help.
struct CommandDeclaration: Sendable {
  var name: String
  /// What follows the name, as in the help: `FILE[@STEP]`.
  var usage: String
  var summary: String
  /// More than one line, for the command's own help.
  var discussion: String = ""
  var options: [OptionDeclaration] = []
  var isHidden = false
}

/// Exit statuses as in grep and diff.
enum ExitCode: Int32, Sendable {
  case yes = 0
  /// Diverged, differs, not found.
  case no = 1
  case trouble = 2
}
