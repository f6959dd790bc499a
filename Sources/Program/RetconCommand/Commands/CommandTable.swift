import CBuildInfo
import TimeTravel

struct CommandTable: Sendable {
  var commands: [any Command.Type]

  static let standard = CommandTable(commands: [
    OpenCommand.self, AttachCommand.self, ListenCommand.self, DemoCommand.self, RecordCommand.self,
    InfoCommand.self, TrimCommand.self,
    ConvertCommand.self, ReportCommand.self,
    StepsCommand.self, ShowCommand.self, StateCommand.self, DiffCommand.self, WatchCommand.self,
    BlameCommand.self, TraceCommand.self, OddCommand.self, EffectsCommand.self, ReadsCommand.self,
    FindCommand.self,
    CheckCommand.self, MergeCommand.self, BisectCommand.self, TestCommand.self, ForkCommand.self,
    MinimizeCommand.self, WhyCommand.self, ExploreCommand.self, BranchesCommand.self,
    MarkCommand.self, VerifyCommand.self, HostToolCommand.self, RecorderCommand.self,
    McpCommand.self, SkillCommand.self, CompletionsCommand.self, ManCommand.self,
    ServeSampleCommand.self, ServeItselfCommand.self, PageHostCommand.self,
  ])

  func run(_ words: [String], in context: CommandContext) async throws -> ExitCode {
    guard let first = words.first else {
      context.output.messages(overview(context))
      return .trouble
    }
    switch first {
    case "--help", "-h", "help":
      return try help(words.dropFirst(), context)
    case "--version", "-V":
      let commit = String(cString: build_commit())
      context.output.line("retcon \(version)" + (commit.isEmpty ? "" : " (\(commit))"))
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
    guard !declaration.isInteractive else {
      return try await SessionList.run(command, arguments, in: context)
    }
    var watched = context
    let watch = SilenceWatch(context.output)
    watched.output = watch.heard()
    watched.output.hasColors = try LineColors.areWanted(arguments.value("color"), in: context)
    watch.start()
    defer { watch.end() }
    return try await SessionList.run(command, arguments, in: watched)
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
    HelpText.overview(of: shown, program: context.program)
  }

  var shown: [CommandDeclaration] { commands.map { $0.declaration }.filter { !$0.isHidden } }

  private func command(named name: String) -> (any Command.Type)? {
    commands.first { $0.declaration.name == name }
  }

  private func opener(for word: String) throws -> any Command.Type {
    let looksLikeFile = word.hasPrefix("-") || word.contains(".") || word.contains("/")
    guard looksLikeFile || FileSystem.exists(word) else { throw unknown(word) }
    return OpenCommand.self
  }

  private func unknown(_ word: String) -> UsageError {
    let near = suggestion(for: word, among: shown.map(\.name)) ?? FileSystem.nearest(to: word)
    return UsageError(
      what: "there is no command and no file named \(word)",
      next: near.map { "Try \($0)" } ?? "retcon --help lists the commands")
  }
}

let version = "0.2.0"

protocol Command: Sendable {
  static var declaration: CommandDeclaration { get }

  /// Runs the command. Must report wrong words before doing anything.
  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode
}

/// A command that parses its words first. A tool for agents gives it the values instead.
protocol TypedCommand: Command {
  init(_ given: ParsedArguments) throws
  func run(in context: CommandContext) async throws -> ExitCode
}

extension TypedCommand {
  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    try await Self(given).run(in: context)
  }
}

struct CommandDeclaration: Sendable {
  var name: String
  /// The words behind the name, as in the help: `FILE[@STEP]`.
  var usage: String
  var summary: String
  var discussion: String = ""
  var options: [Option] = []
  var isHidden = false

  /// Whether it has the screen, or waits for others.
  var isInteractive: Bool {
    isHidden || ["open", "attach", "listen", "demo", "mcp"].contains(name)
  }
}

struct ExitCode: RawRepresentable, Hashable, Sendable {
  var rawValue: Int32

  static let yes = ExitCode(rawValue: 0)
  static let no = ExitCode(rawValue: 1)
  static let trouble = ExitCode(rawValue: 2)
}

enum HelpText {
  static func overview(of commands: [CommandDeclaration], program: String) -> String {
    let width = commands.map(\.name.count).max() ?? 0
    let lines = commands.map { "  \($0.name.padded(to: width))  \($0.summary)" }
    return """
      Retcon opens the recorded session of a reducer-driven app, goes to any step at once, and
      re-runs the reducer from there into a fork.

      Usage: \(program) FILE[@STEP]            open a session in the debugger
             \(program) COMMAND [OPTIONS] …    one of the commands below

      \(lines.joined(separator: "\n"))

      \(program) COMMAND --help tells more. Exit status: 0 yes, 1 no, 2 trouble.

      """
  }

  static func help(for command: CommandDeclaration, program: String) -> String {
    var text = """
      \(command.summary)

      Usage: \(program) \(command.name) \(command.usage)

      """
    if !command.discussion.isEmpty { text += "\n\(command.discussion)\n" }
    let options = command.options + [helpOption]
    let heads = options.map(head)
    let width = heads.map(\.count).max() ?? 0
    text += "\nOptions:\n"
    for (head, option) in zip(heads, options) {
      text += "  \(head.padded(to: width))  \(option.help)\n"
    }
    return text
  }

  static let helpOption = Option("help", letter: "h", help: "this text")

  private static func head(_ option: Option) -> String {
    let letter = option.letter.map { "-\($0), " } ?? "    "
    return letter + "--\(option.name)" + (option.value.map { " \($0)" } ?? "")
  }
}
