import TimeTravel

/// The commands by name, and what happens when no name is given.
struct CommandTable: Sendable {
  var commands: [any Command.Type]

  static let standard = CommandTable(commands: [
    OpenCommand.self, DemoCommand.self, RecordCommand.self, InfoCommand.self, TrimCommand.self,
    ConvertCommand.self,
    StepsCommand.self, ShowCommand.self, StateCommand.self, DiffCommand.self, WatchCommand.self,
    BlameCommand.self, EffectsCommand.self, ReadsCommand.self, FindCommand.self,
    CheckCommand.self, TestCommand.self, ForkCommand.self, MinimizeCommand.self, WhyCommand.self,
    ExploreCommand.self, BranchesCommand.self, MarkCommand.self,
    VerifyCommand.self, HostToolCommand.self, McpCommand.self, SkillCommand.self,
    CompletionsCommand.self,
    ManCommand.self, ServeSampleCommand.self, ServeItselfCommand.self,
  ])

  func run(_ words: [String], in context: CommandContext) async throws -> ExitCode {
    guard let first = words.first else {
      context.output.talk(overview(context))
      return .trouble
    }
    switch first {
    case "--help", "-h", "help":
      return try help(words.dropFirst(), context)
    case "--version", "-V":
      context.output.line("retcon \(version)")
      return .yes
    default:
      if let command = command(named: first) {
        return try await run(command, Array(words.dropFirst()), in: context)
      }
      return try await run(try opener(for: first), words, in: context)
    }
  }

  private func run(_ command: any Command.Type, _ words: [String], in context: CommandContext)
    async throws -> ExitCode
  {
    let declaration = command.declaration
    let arguments = try ParsedArguments(
      words, for: declaration.options + [HelpText.helpOption])
    if arguments.has("help") {
      context.output.data(HelpText.help(for: declaration, program: context.program))
      return .yes
    }
    return try await command.init(arguments).run(in: context)
  }

  private func help(_ words: ArraySlice<String>, _ context: CommandContext) throws -> ExitCode {
    guard let name = words.first else {
      context.output.data(overview(context))
      return .yes
    }
    guard let command = command(named: name) else { throw unknown(name) }
    context.output.data(HelpText.help(for: command.declaration, program: context.program))
    return .yes
  }

  private func overview(_ context: CommandContext) -> String {
    HelpText.overview(of: commands.map { $0.declaration }, program: context.program)
  }

  private func command(named name: String) -> (any Command.Type)? {
    commands.first { $0.declaration.name == name }
  }

  /// `retcon FILE` opens it; a word that is neither a command nor looks like a file is a mistake.
  private func opener(for word: String) throws -> any Command.Type {
    let looksLikeFile = word.hasPrefix("-") || word.contains(".") || word.contains("/")
    guard looksLikeFile || FileSystem.exists(word) else { throw unknown(word) }
    return OpenCommand.self
  }

  private func unknown(_ word: String) -> UsageError {
    let names = commands.map { $0.declaration }.filter { !$0.isHidden }.map(\.name)
    return UsageError(
      what: "there is no command and no file named \(word)",
      next: suggestion(for: word, among: names).map { "Try \($0)" }
        ?? "retcon --help lists the commands")
  }
}

let version = "0.1.0"
