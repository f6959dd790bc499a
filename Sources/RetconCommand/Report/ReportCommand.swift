import Debugger
import Platform
import SessionFile
import SessionWords
import TextCanvas
import TimeTravel

struct ReportCommand: TypedCommand {
  static let declaration = CommandDeclaration(
    name: "report", usage: "FILE[@BRANCH/STEP] -o NEW.html | DIR … -o FOLDER | FILE --markdown",
    summary: "write a session as a web page for people without a terminal",
    discussion: """
      The page is one file: it needs no server and asks for nothing. It opens at the given step, else at
      the first failure, else at the last step. A rule that is broken is a failure. With a host, the forks
      beside the session are in it, too. Redact what must not leave your machine.
      Several sessions, or folders of them, become a page each and an index, failing ones first.
      --markdown is a comment for a pull request. With a rule and a host it has the smallest session.
      """,
    options: [
      Option("output", letter: "o", value: "NEW", help: "the page, or the folder, to write"),
      Option("force", letter: "f", help: "write over what exists"),
      Option("rule", value: "CONDITION", help: "must hold; may be repeated"),
      Option("markdown", help: "a comment for a pull request (to standard output without -o)"),
    ] + RedactionWords.declarations + Asking.hosted.filter { $0.name != "json" })

  let asking: Asking
  let files: [String]
  let output: String?
  let rules: [StepQuestion]
  let redaction: Redaction
  let isForced: Bool
  let isMarkdown: Bool
  let hostWords: [String]

  init(_ given: ParsedArguments) throws {
    var asking = try Asking(given, Self.declaration, behind: 0...100_000)
    files = given.positionals
    rules = try given.all("rule").map { [asking] in try asking.question($0) }
    isMarkdown = given.has("markdown")
    output = given.value("output")
    redaction = try RedactionWords(given).redaction
    asking.host.redaction = redaction
    self.asking = asking
    isForced = given.has("force")
    hostWords = HostOptions.words(given)
    guard output != nil || isMarkdown else {
      throw UsageError(what: "report needs a file to write", next: "Write -o NEW.html")
    }
    guard !isMarkdown || files.count == 1 else {
      throw UsageError(what: "--markdown is about one session", next: "Name one")
    }
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    try await context.redacting(redaction) { try await report(in: context) }
  }

  private func report(in context: CommandContext) async throws -> ExitCode {
    guard !isMarkdown else { return try await writeMarkdown(in: context) }
    let isFolder = fileStatus(of: asking.position.file, following: true).map(\.isFolder) ?? false
    if files.count > 1 || isFolder {
      return try await ReportIndex(command: self, context: context).run()
    }
    let written = try await write(asking, to: output ?? "", in: context)
    context.tell("\(output ?? "") is written. \(written.summary)")
    return .yes
  }

  func write(
    _ asking: Asking, to path: String, in context: CommandContext
  ) async throws -> SessionReport.Written {
    let hasForks = !Sidecar(session: asking.position.file).contents.branches.isEmpty
    let session: QueriedSession
    do {
      session = try await asking.session(
        in: context, for: hasForks ? .forking(isKept: true) : .looking)
    } catch  where hasForks {
      // The recording needs no host.
      session = try await asking.session(in: context, for: .looking)
    }
    defer { session.end() }
    let progress = ProgressLine(output: context.output, name: path)
    defer { progress.clear() }
    for rule in rules { try await session.warn(aboutPlacesIn: rule.condition) }
    var report = SessionReport(session.open)
    report.redaction = redaction
    report.rules = rules
    report.replaces = isForced
    report.onRun = { progress.show($0.runningWords) }
    if asking.position.step != nil || !asking.position.isOnMain {
      report.position = session.here
    }
    return try await report.write(to: path)
  }

  private func writeMarkdown(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context, for: .forking(isKept: false)) { session in
      for rule in rules { try await session.warn(aboutPlacesIn: rule.condition) }
      let comment = MarkdownReport(
        session: session, rules: rules, redaction: redaction, hostWords: hostWords)
      let text = try await comment.text()
      guard let output, output != "-" else {
        context.output.data(text)
        return .yes
      }
      if isForced { try session.reader.checkIsAnother(output, madeFrom: asking.position.file) }
      try FileSystem.write(text, to: output, replacing: isForced)
      return .yes
    }
  }
}
