import Platform
import SessionFile
import SessionWords

struct McpCommand: Command {
  static let declaration = CommandDeclaration(
    name: "mcp", usage: "(FILE… | --any-file) [OPTIONS]",
    summary: "answer an agent's questions (Model Context Protocol)",
    discussion: """
      A server over standard input and output, for the version 2026-07-28 of the protocol and those
      since 2024-11-05. It answers about the files named here; with --any-file about every session
      that you can read. An agent cannot name a host, a reducer or a file to write, and of code only
      the functions of --rules. It writes only the forks that it names, beside the session.

      With --redact… the agent sees redacted copies, as retcon trim makes them, without marks and
      forks, and keeps no fork.
      """,
    options: [
      Option("any-file", help: "answer about every session, not only the files named here"),
      Option("rules", value: "FILE", help: "whose functions conditions may call: FILE#NAME"),
    ]
      + RedactionWords.declarations + HostOptions.declarations)

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    var host = try HostOptions(given)
    host.servesItself = false
    for file in given.all("rules") where file != RetconCommand.ownRules && !FileSystem.exists(file)
    {
      throw UsageError(what: "there is no file \(file)", next: "Name a file of functions")
    }
    host.consent = .files(given.all("rules"))
    let words = RedactionWords(given)
    let copies = words.isEmpty ? nil : RedactedCopies(try words.redaction, in: context.environment)
    guard !given.positionals.isEmpty || given.has("any-file") else {
      throw UsageError(
        what: "mcp needs the sessions that an agent may see",
        next: "Write retcon mcp FILE, or --any-file for all that you can read")
    }
    guard !given.positionals.contains(LocalFile.standardInput) else {
      throw UsageError(
        what: "an agent speaks through standard input, so no session can come from there",
        next: "Write the session to a file")
    }
    let files = AgentFiles(given.positionals, any: given.has("any-file"))
    let server = AgentServer(context: context, files: files, host: host, copies: copies)
    let input = AgentInput()
    if isatty(STDIN_FILENO) == 1 {
      context.tell("Waiting for an agent on standard input. Ctrl-C ends it.")
    }
    // Input is read at the same time, so a cancellation arrives during the work.
    _ = try SystemThread.start { input.read(from: STDIN_FILENO) }
    await server.serve(input) { context.output.line($0) }
    return .yes
  }
}

/// Redacted copies of sessions for an agent, while it asks. Forks run on the copies too, so the
/// reducer reveals nothing hidden.
final class RedactedCopies: Sendable {
  let redaction: Redaction
  private let workFolder: WorkFolder
  private let copies = Locked<[String: String]>([:])

  init(_ redaction: Redaction, in environment: [String: String]) {
    self.redaction = redaction
    workFolder = WorkFolder(environment)
  }

  func path(
    of file: String, _ host: HostOptions, in context: CommandContext
  ) async throws -> String {
    if let known = copies.withLock({ $0[file] }) { return known }
    let reader = try await reader(of: file, host, in: context)
    let path = try workFolder.path(file.split(separator: "/").last.map(String.init) ?? "session")
    var trimmer = SessionTrimmer(reader)
    trimmer.redaction = redaction
    // A rule may match in one file and not in another.
    trimmer.redaction.mustMatch = false
    try trimmer.trim(reader.steps, to: path)
    copies.withLock { $0[file] = path }
    return path
  }

  /// If a file has only actions, the host computes the states first: with redacted actions, it
  /// would compute others.
  private func reader(
    of file: String, _ host: HostOptions, in context: CommandContext
  ) async throws -> SessionReader {
    let local = try LocalFile(file, in: context.environment)
    defer { withExtendedLifetime(local) {} }
    var hosted = try HostedSession(local.path, in: workFolder, isHosted: false)
    guard hosted.needsStates, let host = try host.connection(in: context, workFolder, for: file)
    else { return try SessionArgument(file: file).open() }
    defer { host.end() }
    try hosted.convert()
    return try await hosted.withStates(of: host).reader
  }

  func caveat(of tool: AgentTool, _ path: String) -> String {
    switch tool.name {
    case "overview": unseen(ofCopyAt: path)
    case "fork", "verify":
      "Where values are hidden, the reducer got “\(Redaction.marker())” instead: "
        + "real results may differ.\n"
    default: ""
    }
  }

  /// The marks and forks beside the session. The copy has none of them, because notes and edits may
  /// reveal hidden parts.
  private func unseen(ofCopyAt path: String) -> String {
    guard let file = copies.withLock({ $0.first { $0.value == path }?.key }) else { return "" }
    let sidecar = Sidecar(session: file)
    if let notice = sidecar.notice { return notice + "\n" }
    let beside = sidecar.contents
    return "This server hides parts of the session, and with them what lies beside it: "
      + "\(counted(beside.marks.count, "mark")), \(counted(beside.branches.count, "fork")).\n"
  }

  func named(_ text: String) -> String {
    copies.withLock { $0.reduce(text) { $0.replacing($1.value, with: $1.key) } }
  }
}
