import Debugger
import HostProtocol
import SessionLog
import TextCanvas
import ValueTree

/// `retcon verify`: re-runs recorded sessions through today's reducer and compares.
struct VerifyCommand: Command {
  static let declaration = CommandDeclaration(
    name: "verify", usage: "FILE … (--host COMMAND | --reducer FILE.js)",
    summary: "run sessions again and say where the reducer differs",
    discussion: """
      Every step is run again with the values that were recorded for it. The first difference is
      shown with what was recorded and what the re-run did. Exit status 1 says that one differs, and
      2 that not all could be looked at.
      """,
    options: HostOptions.declarations + [
      OptionDeclaration("all", letter: "a", help: "show every difference, not only the first"),
      OptionDeclaration(
        "allow-unused-reads", help: "recorded values that nobody asks for are no difference"),
      OptionDeclaration(
        "allow-missing-reads", help: "values that the session does not hold are no difference"),
      OptionDeclaration("json", help: "one JSON object a session"),
    ])

  let sessions: [SessionArgument]
  let host: HostOptions
  let options: VerifyOptions
  let showsAll: Bool
  let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    guard !arguments.positionals.isEmpty else {
      throw UsageError(what: "verify needs a file", next: "Write retcon verify FILE --host COMMAND")
    }
    host = try HostOptions(arguments)
    sessions = arguments.positionals.map { SessionArgument(file: $0) }
    showsAll = arguments.has("all")
    var options: VerifyOptions = showsAll ? .all : VerifyOptions()
    options.allowsUnusedReads = arguments.has("allow-unused-reads")
    options.allowsMissingReads = arguments.has("allow-missing-reads")
    self.options = options
    isJSON = arguments.has("json")
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let workshop = Workshop(context.environment)
    guard
      let host = try host.connection(in: context, workshop, for: sessions.first?.position.file)
    else {
      throw UsageError(
        what: "verify needs the app's reducer, and no host is named",
        next: "Write --reducer FILE.js for a Redux app, else --host COMMAND")
    }
    defer { host.end() }
    var tally = Tally()
    for session in sessions {
      let verdict = await verdict(on: session, host, workshop, context)
      tally.add(verdict)
      show(verdict, of: session.position.file, context)
    }
    if sessions.count > 1, !isJSON { context.output.line(tally.sentence) }
    return tally.exitCode
  }

  private func verdict(
    on session: SessionArgument, _ host: HostConnection, _ workshop: Workshop,
    _ context: CommandContext
  ) async -> Verdict {
    let file = session.position.file
    let progress = ProgressLine(output: context.output, name: file)
    defer { progress.clear() }
    do {
      let local = try LocalFile(file, in: context.environment)
      defer { withExtendedLifetime(local) {} }
      let hosted = try HostedSession(local.path, in: workshop)
      let reader = hosted.reader
      var loading = try await host.load(hosted.path, as: reader)
      if loading.grade == .impossible, let reason = loading.sentence {
        return .trouble("\(file): \(reason).")
      }
      var report = try await host.verify(reader, options) {
        progress.show(done: $0, of: $1)
      }
      // An app may have gone on recording in the meantime.
      let count = reader.stepCount
      _ = try reader.refresh()
      let steps = count...max(count, reader.stepCount)
      var gaps = Gaps(report, loading, steps, first: reader.steps.lowerBound)
      if hosted.needsStates { gaps.hasNoStates() }
      if gaps.areUnsaid { report.isPartial = true }
      // The report tells them, too.
      loading.remarks.removeAll { report.remarks.contains($0) }
      return .report(report, gaps, loading)
    } catch {
      return .trouble("\(file): \(sentence(for: error))")
    }
  }

  private func show(_ verdict: Verdict, of file: String, _ context: CommandContext) {
    switch verdict {
    case .report(let report, let gaps, let loading) where isJSON:
      var members: [ValueObject.Element] = [("file", .string(file))]
      if case .object(let object) = report.value { members += object.map { $0 } }
      if loading.grade != .fine { members.append(("grade", .string(loading.grade.rawValue))) }
      if !gaps.sentences.isEmpty {
        members.append(("notLookedAt", .array(ValueArray(gaps.sentences.map(Value.string)))))
      }
      context.output.json(.object(ValueObject(members)))
    case .report(let report, let gaps, let loading):
      for line in text(of: report, file).split(separator: "\n", omittingEmptySubsequences: false) {
        context.output.line(SafeText.line(String(line).clipped(to: 2_000)))
      }
      for words in gaps.sentences + [loading.sentence].compactMap(\.self) {
        context.output.line(SafeText.line("\(file): \(words)."))
      }
    case .trouble(let words):
      context.output.talk("\(context.program): \(SafeText.line(words.clipped(to: 2_000)))\n")
    }
  }

  private func text(of report: VerifyReport, _ file: String) -> String {
    guard !showsAll, report.divergences.count > Self.shownDivergences else {
      return report.text(title: file)
    }
    var shown = report
    shown.divergences = Array(report.divergences.prefix(Self.shownDivergences))
    let rest = report.divergences.count - shown.divergences.count
    return shown.text(title: file)
      + "\n\nand \(counted(rest, "difference")) more; --all shows them"
  }

  private static let shownDivergences = 10
}

/// What of a session was not looked at, by the debugger's own count of its steps.
private struct Gaps {
  fileprivate(set) var sentences: [String] = []
  /// The report itself does not tell of them.
  fileprivate(set) var areUnsaid = false

  /// `steps` are how many there were before and after: an app may still be recording. `first` is the
  /// step that the session starts with.
  init(_ report: VerifyReport, _ loading: LoadReport, _ steps: ClosedRange<Int>, first: Int) {
    // Where it differs, the rest need not have been looked at.
    guard report.isEqual else { return }
    // A step that never ended is not run with the others.
    let last = report.unfinished.map { $0.step - 1 } ?? first + loading.steps
    let passed = report.unchecked.filter { $0.steps.lowerBound <= last }
      .reduce(0) { $0 + min($1.steps.upperBound, last) - $1.steps.lowerBound + 1 }
    if !steps.contains(loading.steps) {
      sentences.append(
        "the host loaded \(grouped(loading.steps)) of \(counted(steps.lowerBound, "step"))")
    } else if report.steps + passed != last - first {
      sentences.append(
        "the host ran \(grouped(report.steps)) of \(counted(last - first, "step")) again")
    } else if report.isPartial {
      sentences.append("the host says that it did not look at all of it")
    }
    areUnsaid = !sentences.isEmpty
    if passed > 0 {
      sentences.append("\(counted(passed, "step")) could not be run again")
    }
  }
}

extension Gaps {
  fileprivate mutating func hasNoStates() {
    areUnsaid = true
    sentences.append("the file holds no states, so nothing was compared but two runs of each step")
  }
}

/// What re-running one session came to.
private enum Verdict {
  case report(VerifyReport, Gaps, LoadReport)
  case trouble(String)
}

/// How many sessions came to what.
private struct Tally {
  private var equal = 0
  private var differing = 0
  private var partly = 0
  private var troubled = 0

  mutating func add(_ verdict: Verdict) {
    switch verdict {
    case .report(let report, let gaps, _):
      if !report.isEqual {
        differing += 1
      } else if gaps.sentences.isEmpty {
        equal += 1
      } else {
        partly += 1
      }
    case .trouble: troubled += 1
    }
  }

  /// Trouble weighs more than a difference: then not all is known.
  var exitCode: ExitCode {
    if troubled + partly > 0 { .trouble } else if differing > 0 { .no } else { .yes }
  }

  var sentence: String {
    var parts = ["\(equal) as recorded", "\(differing) differ"]
    if partly > 0 { parts.append("\(partly) not looked at in full") }
    if troubled > 0 { parts.append("\(troubled) could not be run") }
    return "\(equal + differing + partly + troubled) sessions: " + parts.joined(separator: ", ")
      + "."
  }
}
