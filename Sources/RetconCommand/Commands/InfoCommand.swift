import Debugger
import SessionFile
import SessionWords
import TextCanvas
import ValueTree

/// `retcon info`: what a session is, in a few lines.
struct InfoCommand: Command {
  static let declaration = CommandDeclaration(
    name: "info", usage: "FILE", summary: "say what a session holds, and what is wrong with it",
    discussion: """
      Every line is read and every patch applied, so that what is wrong is found; of a file above
      256 MB as much as that, unless --all is given. Exit status 2 says that there is no answer.
      """,
    options: [
      OptionDeclaration("json", help: "as one JSON object"),
      OptionDeclaration("all", help: "read all of a large file"),
      OptionDeclaration("quick", help: "do not look for damage beyond what opening finds"),
      OptionDeclaration(
        "check", letter: "c",
        help: "read all of it; exit status 1 when anything is missing, left out or damaged"),
    ])

  let session: SessionArgument
  let isJSON: Bool
  let isCheck: Bool
  let looks: Looks

  /// How much of the file is read.
  enum Looks { case little, enough, everywhere }

  /// More than this takes longer than one likes to wait.
  private static let enough = 256 << 20

  init(_ arguments: ParsedArguments) throws {
    session = try SessionArgument(arguments, command: "info")
    isJSON = arguments.has("json")
    isCheck = arguments.has("check")
    guard !isCheck || !arguments.has("quick") else {
      throw UsageError(
        what: "--check reads all of a file, and --quick nothing", next: "Give one of them")
    }
    looks =
      arguments.has("quick") ? .little : arguments.has("all") || isCheck ? .everywhere : .enough
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let reader = try session.open()
    var census = SessionCensus()
    let examined = try examine(reader, &census, context)
    let facts = SessionFacts(reader, census, examined: examined)
    if isJSON {
      context.output.json(.object(ValueObject(try facts.members)))
    } else {
      for line in try facts.lines { context.output.line(SafeText.line(line)) }
    }
    return isCheck && !facts.isWhole ? .no : .yes
  }

  /// Looks for damage. Answers how much of the file was looked at, in words, where that is not all.
  private func examine(
    _ reader: SessionReader, _ census: inout SessionCensus, _ context: CommandContext
  ) throws -> String? {
    guard looks != .little else { return "nothing: --quick was given" }
    let most = looks == .everywhere ? Int.max : Self.enough
    let size = reader.size
    let line = ProgressLine(output: context.output, name: reader.fileName)
    defer { line.clear() }
    var shown = -1
    do {
      try reader.examine(&census) { share in
        guard share * Double(size) <= Double(most) else { throw LookedEnough() }
        let percent = Int(share * 100)
        if percent > shown { line.show(done: percent, of: 100) }
        shown = max(shown, percent)
      }
      return nil
    } catch is LookedEnough {
      return "the first \(most >> 20) MB of \(grouped(size >> 20)) MB; --all looks at the rest"
    }
  }

  private struct LookedEnough: Error {}
}
