import HostProtocol
import SessionLog
import TextCanvas
import ValueTree

/// `retcon verify`: re-runs recorded sessions through today's reducer and compares.
struct VerifyCommand: Command {
  static let declaration = CommandDeclaration(
    name: "verify", usage: "FILE … --host COMMAND",
    summary: "run sessions again and say where the reducer differs",
    discussion: """
      Every step is run again with the values that were recorded for it. The first difference is
      shown with what was recorded and what the re-run did. Exit status 1 says that one differs.
      """,
    options: [
      SessionArgument.hostOption,
      OptionDeclaration("all", letter: "a", help: "show every difference, not only the first"),
      OptionDeclaration(
        "allow-unused-reads", help: "recorded values that nobody asks for are no difference"),
      OptionDeclaration(
        "allow-missing-reads", help: "values that the session does not hold are no difference"),
      OptionDeclaration("json", help: "one JSON object a session"),
    ])

  let sessions: [SessionArgument]
  let options: VerifyOptions
  let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    guard !arguments.positionals.isEmpty else {
      throw UsageError(what: "verify needs a file", next: "Write retcon verify FILE --host COMMAND")
    }
    let host = try arguments.value("host").map { try HostCommand(option: $0, from: "--host") }
    sessions = arguments.positionals.map { SessionArgument(file: $0, host: host) }
    var options: VerifyOptions = arguments.has("all") ? .all : VerifyOptions()
    options.allowsUnusedReads = arguments.has("allow-unused-reads")
    options.allowsMissingReads = arguments.has("allow-missing-reads")
    self.options = options
    isJSON = arguments.has("json")
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    guard let host = try sessions.first?.connection(in: context) else {
      throw UsageError(
        what: "verify needs the app's reducer, and no host is named",
        next: "Write --host COMMAND, where COMMAND starts a program that calls ReducerHost.serve")
    }
    defer { host.close() }
    var tally = Tally()
    for session in sessions {
      let verdict = await verdict(on: session.position.file, host, context)
      tally.add(verdict)
      show(verdict, of: session.position.file, context)
    }
    if sessions.count > 1, !isJSON { context.output.line(tally.sentence) }
    return tally.exitCode
  }

  private func verdict(
    on file: String, _ host: HostConnection, _ context: CommandContext
  ) async -> Verdict {
    let progress = ProgressLine(output: context.output, name: file)
    defer { progress.clear() }
    do {
      let loading = try await host.load(file)
      if loading.grade == .impossible, let reason = loading.sentence {
        return .trouble("\(file): \(reason).")
      }
      return .report(try await host.verify(options) { progress.show(done: $0, of: $1) })
    } catch {
      return .trouble("\(file): \(sentence(for: error))")
    }
  }

  private func show(_ verdict: Verdict, of file: String, _ context: CommandContext) {
    switch verdict {
    case .report(let report) where isJSON:
      var members: [ValueObject.Element] = [("file", .string(file))]
      if case .object(let object) = report.protocolValue { members += object.map { $0 } }
      context.output.line(Value.object(ValueObject(members)).text())
    case .report(let report):
      for line in report.text(title: file).split(separator: "\n", omittingEmptySubsequences: false)
      {
        context.output.line(SafeText.line(String(line)))
      }
    case .trouble(let words):
      context.output.talk("\(context.program): \(SafeText.line(words))\n")
    }
  }
}

/// What re-running one session came to.
private enum Verdict {
  case report(VerifyReport)
  case trouble(String)
}

/// How many sessions came to what.
private struct Tally {
  private var equal = 0
  private var differing = 0
  private var troubled = 0

  mutating func add(_ verdict: Verdict) {
    switch verdict {
    case .report(let report): if report.isEqual { equal += 1 } else { differing += 1 }
    case .trouble: troubled += 1
    }
  }

  /// Trouble weighs more than a difference: then not all is known.
  var exitCode: ExitCode {
    if troubled > 0 { .trouble } else if differing > 0 { .no } else { .yes }
  }

  var sentence: String {
    var parts = ["\(equal) as recorded", "\(differing) differ"]
    if troubled > 0 { parts.append("\(troubled) could not be run") }
    return "\(equal + differing + troubled) sessions: " + parts.joined(separator: ", ") + "."
  }
}
