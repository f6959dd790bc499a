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
      the first failure, else at the last step. A rule that is broken is a failure. With a host, a step
      that differs today is one, too: the page shows it beside the recorded one. The forks beside the
      session are in it. Redact what must not leave your machine.
      Several sessions, or folders of them, become a page each and an index, failing ones first. Of those
      that differ today, each finding has one page, for its shortest session.
      --markdown is a comment for a pull request. With a rule and a host it has the smallest session.
      """,
    options: [
      Option(
        "output", letter: "o", value: "NEW",
        help: "the page (- for standard output), or the folder, to write"),
      Option("force", letter: "f", help: "write over what exists"),
      Option("rule", value: "CONDITION", help: "must hold; may be repeated"),
      Option("markdown", help: "a comment for a pull request (to standard output without -o)"),
    ] + RedactionWords.declarations + Asking.placed)

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
    guard output == "-" else {
      // A page appears under its name at once, so a pipe will not do.
      let written = try await write(asking, to: output ?? "", in: context)
      context.tell("\(output ?? "") is written. \(written.summary)")
      return .yes
    }
    let written = try await OutputFile(name: "-").write(in: context) { path in
      try await write(asking, to: path, in: context)
    }
    context.tell(written.summary)
    return .yes
  }

  /// The differences of today, if a host can tell.
  func findings(of files: [String], in context: CommandContext) async throws -> Findings? {
    guard asking.host.isNamed(in: context.environment) || context.ownHost != nil else { return nil }
    var command = VerifyCommand(files.map(SessionArgument.init(file:)), host: asking.host)
    command.hostWords = hostWords
    return try await command.findings(in: context, without: redaction)
  }

  /// Without a finding of an earlier run, the host is asked here.
  func write(
    _ asking: Asking, to path: String, in context: CommandContext, known: Findings? = nil
  ) async throws -> SessionReport.Written {
    let hasForks = !Sidecar(session: asking.position.file).contents.branches.isEmpty
    let isHosted = asking.host.isNamed(in: context.environment) || context.ownHost != nil
    let session: QueriedSession
    do {
      session = try await asking.session(
        in: context, for: hasForks || isHosted ? .forking(isKept: !isHosted) : .looking)
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
    report.made = [commit, "Retcon \(version)"].compactMap(\.self)
    let file = asking.position.file == "-" ? session.hostedPath : asking.position.file
    if let findings = try await verified(known, file, in: context) {
      let finding = findings.finding(of: file)
      report.isVerified = finding == nil
      if let finding { try await add(finding, to: &report, session, file) }
    }
    return try await report.write(to: path)
  }

  private func verified(
    _ known: Findings?, _ file: String, in context: CommandContext
  ) async throws -> Findings? {
    if let known { known } else { try await findings(of: [file], in: context) }
  }

  /// Puts today's run beside the recording, from the step before the one that differs.
  private func add(
    _ finding: Finding, to report: inout SessionReport, _ session: QueriedSession, _ file: String
  ) async throws {
    guard finding.severity == .differs else {
      report.made.append(finding.words)
      return
    }
    let step = finding.sessions.first { $0.file == file }?.at ?? 0
    guard session.reader.steps.contains(step) else { return }
    report.finding = ReportedFailure(
      position: Position(step: step),
      label: try session.open.step(at: Position(step: step)).step.label,
      words: "differs today: " + finding.wordsOfStep)
    do {
      let fork = try session.open.addFork(
        BranchID("today"), Script(leavesAt: step - 1, edits: []))
      try await session.open.runWithParents(fork.id)
      guard session.open.branch(fork.id)?.steps.contains(step) == true else {
        throw Trouble("today's reducer does not get to step \(grouped(step))")
      }
      report.position = report.position ?? Position(branch: fork.id, step: step)
      if let reason = try await session.reason(for: finding, at: step) {
        let words = report.text(". \(reason)")
        report.finding?.words += words
      }
    } catch {
      try Task.checkCancellation()
      let words = "Today's step is not shown beside the recorded one: \(error)"
      report.notices.append(words)
      session.context.warn([report.text(words)])
    }
  }

  /// The commit of the reducer's folder.
  private var commit: String? {
    guard let file = asking.host.reducer?.file ?? asking.host.command?.program,
      file.contains("/") || asking.host.reducer != nil,
      let said = try? Subprocess.output(
        of: ["git", "rev-parse", "--short", "HEAD"], in: folderAbove(file), showsErrors: false),
      said.status == 0
    else { return nil }
    return "reducer at commit " + said.text.filter { !$0.isWhitespace }
  }

  private func writeMarkdown(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context, for: .forking(isKept: false)) { session in
      for rule in rules { try await session.warn(aboutPlacesIn: rule.condition) }
      var comment = MarkdownReport(
        session: session, rules: rules, redaction: redaction, hostWords: hostWords)
      let file = asking.position.file == "-" ? session.hostedPath : asking.position.file
      let findings = try await findings(of: [file], in: context)
      comment.finding = findings?.finding(of: file)
      comment.isVerified = findings != nil && comment.finding == nil
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
