import Platform
import SessionFile
import SessionWords

/// `retcon mcp`: answers an agent's questions over standard input and output.
struct McpCommand: Command {
  static let declaration = CommandDeclaration(
    name: "mcp", usage: "[FILE…] [OPTIONS]",
    summary: "answer an agent's questions (Model Context Protocol)",
    discussion: """
      A server over standard input and output, for the version 2026-07-28 of the protocol and those since
      2024-11-05. With files it answers about these only. It writes nothing but forks that an agent gives
      a name, beside the session. A host is started for what only a reducer knows. With --redact… the agent
      sees copies from which parts are taken out, as retcon trim does it, without the marks and forks beside
      them, and no fork is kept.
      """,
    options: RedactionWords.declarations + HostOptions.declarations)

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    _ = try HostOptions(given)
    let words = RedactionWords(given)
    let copies = words.isEmpty ? nil : RedactedCopies(try words.redaction, in: context.environment)
    let host = HostOptions.declarations.flatMap { option in
      given.all(option.name).map { "--\(option.name)=\($0)" }
    }
    let server = AgentServer(
      context: context, files: given.positionals, host: host, copies: copies)
    let (lines, queue) = AsyncStream<String>.makeStream()
    // What is to be stopped is said while it is done.
    _ = try SystemThread.start {
      while let line = readLine() { queue.yield(line) }
      queue.finish()
    }
    await server.serve(lines) { context.output.line($0) }
    return .yes
  }
}

/// Sessions as an agent may see them: copies without what was to be taken out, for as long as it asks.
/// Forks run on them as well, so nothing of what is hidden comes back through the reducer.
final class RedactedCopies: Sendable {
  private let redaction: Redaction
  private let workshop: Workshop
  private let copies = Locked<[String: String]>([:])

  init(_ redaction: Redaction, in environment: [String: String]) {
    self.redaction = redaction
    workshop = Workshop(environment)
  }

  /// The copy of a file, made when it is asked about first.
  func path(of file: String) throws -> String {
    try copies.withLock { copies in
      if let known = copies[file] { return known }
      let reader = try SessionArgument(file: file).open()
      let path = try workshop.path(file.split(separator: "/").last.map(String.init) ?? "session")
      var trimmer = SessionTrimmer(reader)
      trimmer.redaction = redaction
      try trimmer.trim(reader.steps, to: path)
      copies[file] = path
      return path
    }
  }

  /// What lies beside a session, and not beside its copy: notes and edits may say what is hidden.
  func unseen(ofCopyAt path: String) -> String {
    guard let file = copies.withLock({ $0.first { $0.value == path }?.key }) else { return "" }
    let beside = Sidecar(session: file).contents
    return "This server hides parts of the session, and with them what lies beside it: "
      + "\(counted(beside.marks.count, "mark")), \(counted(beside.branches.count, "fork")).\n"
  }

  /// What is said of a copy is said of the file.
  func named(_ text: String) -> String {
    copies.withLock { $0.reduce(text) { $0.replacing($1.value, with: $1.key) } }
  }
}
