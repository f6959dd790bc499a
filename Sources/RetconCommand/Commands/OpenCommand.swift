/// `retcon FILE`: opens a session in the debugger.
struct OpenCommand: Command {
  static let declaration = CommandDeclaration(
    name: "open", usage: "FILE[@STEP]", summary: "open a session in the debugger")

  init(_ arguments: ParsedArguments) throws {}

  func run(in context: CommandContext) async throws -> ExitStatus { .yes }
}
