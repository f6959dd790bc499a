import HostProtocol
import Platform
import SessionFile
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

struct VerifyCommand: TypedCommand {
  static let declaration = CommandDeclaration(
    name: "verify", usage: "FILE … (--host COMMAND | --reducer FILE.js)",
    summary: "run sessions again and say where the reducer differs",
    discussion: """
      Runs every step again with its recorded values. You see the first difference: what was
      recorded, and what the reducer does today. Of several sessions you see the findings: one for each
      cause, with its shortest session and the commands to go on. Exit status 1: one differs; with
      --base, one finding is new. 2: not everything could be compared. With --resume, a run that was
      killed continues; what has changed runs again. With --ignore, each step runs once, so values
      that differ in each run are not searched. With --rule, you see where what the rule asks about
      differs first, or where a function first gives another answer.
      """,
    options: HostOptions.declarations + SessionList.options + [
      Option("all", letter: "a", help: "show every finding, not only the first difference"),
      Option("ignore", value: "PLACE", help: "leave out what differs here; may be repeated"),
      Option("rule", value: "CONDITION", help: "must hold after every step; may be repeated"),
      Option("jobs", letter: "j", value: "N", help: "the number of hosts at a time (1)"),
      Option(
        "resume", value: "FILE", help: "keep each result in FILE, and use those that are there"),
      Option("twice", help: "run in two processes, which must agree"),
      Option(
        "allow-unused-reads", help: "ignore recorded values that the reducer does not ask for"),
      Option(
        "allow-missing-reads", help: "ignore values that the session does not hold"),
      Option(
        "exit-skip", value: "STATUS",
        help: "exit with STATUS instead of 2; 125 makes git bisect skip the commit"),
    ] + FindingFormat.options)

  let sessions: [SessionArgument]
  var list: SessionList?
  var resumed: String?
  let host: HostOptions
  var hostWords: [String] = []
  var options = VerifyOptions()
  var rules: [StepQuestion] = []
  var ignored: [Pointer] = []
  var showsAll = false
  var format = FindingFormat.text
  var base: String?
  var showsSessions = false
  var jobs = 1
  var isTwice = false
  var skipStatus: ExitCode?

  init(_ sessions: [SessionArgument], host: HostOptions) {
    (self.sessions, self.host) = (sessions, host)
  }

  init(_ given: ParsedArguments) throws {
    guard !given.positionals.isEmpty || given.has("files-from") else {
      throw UsageError(what: "verify needs a file", next: "Write retcon verify FILE --host COMMAND")
    }
    host = try HostOptions(given)
    hostWords = HostOptions.words(given)
    let list = try SessionList(given, named: given.positionals)
    (sessions, self.list) = (list.files.map { SessionArgument(file: $0) }, list)
    showsAll = given.has("all")
    if showsAll { options = .all }
    options.allowsUnusedReads = given.has("allow-unused-reads")
    options.allowsMissingReads = given.has("allow-missing-reads")
    rules = try given.all("rule").map { try StepQuestion($0) }
    ignored = try given.all("ignore").map { try Pointer(typed: $0) }
    if !ignored.isEmpty { options.checksDeterminism = false }
    if !ignored.isEmpty || !rules.isEmpty {
      (options.limit, options.placesOfStep) = (VerifyReport.most, VerifyReport.placesKnown)
    }
    isTwice = given.has("twice")
    format = try FindingFormat(given)
    (base, showsSessions) = (given.value("base"), given.has("sessions"))
    resumed = given.value("resume")
    let jobs = given.value("jobs") ?? "1"
    guard let count = Int(jobs), (1...256).contains(count) else {
      throw UsageError(what: "--jobs is \(jobs), and has to be from 1 to 256", next: "Write -j 4")
    }
    self.jobs = count
    skipStatus = try given.number("exit-skip", upTo: 127, such: 125).map { ExitCode(rawValue: $0) }
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    guard let skipStatus else { return try await verify(in: context) }
    do {
      let status = try await verify(in: context)
      return status == .trouble ? skipStatus : status
    } catch {
      context.warn([sentence(for: error)])
      return skipStatus
    }
  }

  private func verify(in context: CommandContext) async throws -> ExitCode {
    var context = context
    context.environment = list?.environment(context.environment) ?? context.environment
    let workFolder = WorkFolder(context.environment)
    defer { withExtendedLifetime(workFolder) {} }
    var summary = try VerifySummary(context, self)
    let results = try resumed.map { try KeptResults($0, of: host, asked, context.environment) }
    let waiting = sessions.indices.filter { index in
      guard let line = results?.line(for: sessions[index].position.file) else { return true }
      summary.showInOrder(nil, line, at: index)
      return false
    }
    if let resumed, waiting.count < sessions.count {
      let kept = grouped(sessions.count - waiting.count)
      let rest = waiting.isEmpty ? ": nothing was run." : "."
      context.warn(["\(kept) of \(counted(sessions.count, "result")) kept in \(resumed)\(rest)"])
    }
    try await runSessions(waiting, in: context, workFolder) { index, verdict, line, stamps in
      try results?.save(line, by: stamps.keys)
      summary.showInOrder(verdict, line, at: index)
    }
    return summary.end()
  }

  /// The differences of today, without the hidden parts.
  func findings(in context: CommandContext, without redaction: Redaction) async throws -> Findings {
    let workFolder = WorkFolder(context.environment)
    defer { withExtendedLifetime(workFolder) {} }
    var lines = [Value](repeating: .null, count: sessions.count)
    try await runSessions(Array(sessions.indices), in: context, workFolder, without: redaction) {
      index, _, line, _ in lines[index] = line
    }
    var findings = try Findings(hostWords: hostWords)
    for line in lines { findings.add(line) }
    return findings
  }

  private func runSessions(
    _ waiting: [Int], in context: CommandContext, _ workFolder: WorkFolder,
    without redaction: Redaction = Redaction(),
    tell: (Int, SessionVerdict, Value, _ stamps: [String: String]) throws -> Void
  ) async throws {
    var hosts: [HostConnection] = []
    defer { for host in hosts { host.end() } }
    var options = host
    options.runsWhole = sessions.count == 1
    for _ in 0..<min(jobs, waiting.count) {
      guard
        let host = try options.connection(
          in: context, workFolder, for: sessions.first?.position.file)
      else {
        throw UsageError(
          what: "verify needs the app's reducer, and no host is named",
          next: "Write --reducer FILE.js for a Redux app, else --host COMMAND")
      }
      hosts.append(host)
    }
    let next = Locked(waiting[...])
    try await withThrowingTaskGroup { group in
      let (verdicts, speaker) = AsyncStream.makeStream(
        of: (Int, SessionVerdict, stamps: [String: String]).self)
      var handlers: HandlerLines?
      for host in hosts {
        group.addTask {
          while let index = next.withLock({ $0.popFirst() }) {
            let found = await verdict(on: sessions[index], host, workFolder, context)
            speaker.yield((index, found.verdict, found.stamps))
          }
        }
      }
      var told = verdicts.makeAsyncIterator()
      let progress =
        waiting.count > 1 ? ProgressLine(output: context.output, name: "verify") : nil
      for (place, _) in waiting.enumerated() {
        // A cancelled run has not seen all sessions.
        guard let (index, found, stamps) = await told.next() else { throw CancellationError() }
        let verdict = found.redacted(by: Redactor(redaction))
        let files = handlers ?? HandlerLines(stamps.keys)
        if !stamps.isEmpty { handlers = files }
        let line = verdict.line(of: sessions[index].position.file, files)
        progress?.clear()
        try tell(index, verdict, line, stamps)
        progress?.show(done: place + 1, of: waiting.count)
      }
      progress?.clear()
    }
  }

  /// A kept result counts only for the same options.
  private var asked: String {
    ([options.value.text()] + (isTwice ? ["twice"] : []) + (showsAll ? ["all"] : [])
      + rules.map(\.condition.text) + ignored.map { "ignore \($0)" })
      .joined(separator: " ")
  }

  /// With the stamps of the files that the host has loaded.
  private func verdict(
    on session: SessionArgument, _ shared: HostConnection, _ workFolder: WorkFolder,
    _ context: CommandContext
  ) async -> (verdict: SessionVerdict, stamps: [String: String]) {
    do {
      let local = try LocalFile(session.position.file, in: context.environment)
      defer { withExtendedLifetime(local) {} }
      let hosted = try local.read { try HostedSession($0, in: WorkFolder(context.environment)) }
      // A host that runs an app whole has heard of its session when it starts.
      let isOwn = hosted.reader.header.world != nil && sessions.count > 1
      let own = try isOwn ? self.host.connection(in: context, workFolder, for: local.path) : nil
      defer { own?.end() }
      let host = own ?? shared
      return (await verdict(on: hosted, session.position.file, host, context), host.stamps)
    } catch {
      return (.trouble(sentence(for: error), with: session.position.file), shared.stamps)
    }
  }

  private func verdict(
    on hosted: HostedSession, _ file: String, _ host: HostConnection, _ context: CommandContext
  ) async -> SessionVerdict {
    let progress = sessions.count == 1 ? ProgressLine(output: context.output, name: file) : nil
    defer { progress?.clear() }
    do {
      let first = try await report(on: hosted, file, host, progress, context)
      guard isTwice, case .report(var report, let gaps, let loading) = first else { return first }
      let isUnknown = report.isEqual && report.uncompared > 0
      let steps = isUnknown ? try await computed(of: hosted, host) : []
      host.restart()
      guard
        case .report(var second, _, _) = try await self.report(
          on: hosted, file, host, progress, context)
      else { return first }
      if isUnknown, second.isEqual {
        let again = try await computed(of: hosted, host)
        if let (one, other) = zip(steps, again).first(where: { $0.patch != $1.patch }) {
          second.divergences.append(
            Divergence(
              step: one.step.number, label: one.step.label, kind: .nondeterministic,
              recorded: one.patch, rerun: other.patch, cause: one.step.cause))
        }
      }
      guard second.divergences != report.divergences else { return first }
      if report.isEqual { report = second }
      report.remarks.append(
        "a second run, in another process, gave a different result: "
          + "the reducer depends on something that was not recorded")
      return .report(report, gaps, loading)
    } catch {
      return .trouble(sentence(for: error), with: file)
    }
  }

  /// The steps with what the reducer changes in them, where no recorded state tells it.
  private func computed(
    of hosted: HostedSession, _ host: HostConnection
  ) async throws -> [BranchStep] {
    try await host.steps(of: .main, from: hosted.reader.steps.lowerBound + 1).told
  }

  private func report(
    on hosted: HostedSession, _ file: String, _ host: HostConnection, _ progress: ProgressLine?,
    _ context: CommandContext
  ) async throws -> SessionVerdict {
    let reader = hosted.reader
    var loading = try await host.load(hosted.path, as: reader)
    if loading.grade == .impossible, let reason = loading.sentence {
      return .trouble("\(reason).", with: file)
    }
    var report = try await host.verify(reader, options) { progress?.show(done: $0, of: $1) }
    report.omit(ignored)
    if !report.isEqual, !ignored.isEmpty || !rules.isEmpty {
      report.reportFirst(of: rules)
      let functions = rules.filter { !$0.code.isEmpty }
      try await reportFirstAnswers(of: functions, in: hosted, on: host, context, &report)
      report.limitPlaces(all: showsAll)
    }
    if report.isEqual { try await check(rules, in: hosted, on: host, context, &report) }
    let count = reader.stepCount
    _ = try reader.refresh()
    let steps = count...max(count, reader.stepCount)
    var isSampled = false
    if case .every = reader.header.states { isSampled = true }
    let (last, end) = (reader.steps.upperBound, reader.toldEnd ?? 0)
    if report.isEqual, report.unfinished == nil, !reader.isFinished, !reader.isBeingRecorded {
      report.remarks.append("the recording stops after step \(last): what came after is missing")
    }
    // Whether its middleware came again.
    if reader.header.world != nil { report.remarks += loading.notes }
    // A kill is not a mistake of the recording: the lines before it count.
    let isTornOff = reader.isTornOff
    let gaps = VerifyGaps(
      report, loading, steps, first: reader.steps.lowerBound, isSampled: isSampled,
      lostLines: reader.lostLineCount - (isTornOff ? 1 : 0),
      cut: end <= last
        ? nil
        : "the recording ended with step \(end), and the file with step \(last): "
          + "the rest is missing")
    if gaps.areUnsaid || isTornOff { report.isPartial = true }
    loading.remarks.removeAll { report.remarks.contains($0) }
    return .report(report, gaps, loading)
  }
}
