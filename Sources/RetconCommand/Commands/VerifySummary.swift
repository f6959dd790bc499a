import Debugger
import HostProtocol
import Platform
import SessionWords
import TextCanvas
import ValueTree

struct VerifySummary {
  let context: CommandContext
  let command: VerifyCommand
  private var waiting: [Int: (verdict: SessionVerdict?, line: Value)] = [:]
  private var shown = 0
  private var tally: VerifyTally
  private var junit = JUnitReport()
  private var sarif = SARIFReport()
  private var github = GitHubReport()

  init(_ context: CommandContext, _ command: VerifyCommand) {
    self.context = context
    self.command = command
    tally = VerifyTally(hostWords: command.hostWords)
  }

  var isWhole: Bool { shown == command.sessions.count }

  /// Without a verdict, an earlier run wrote the line.
  mutating func tellInOrder(_ verdict: SessionVerdict?, _ line: Value, at index: Int) {
    waiting[index] = (verdict, line)
    if command.sessions.count > 1, context.output.messagesAreTerminal {
      context.output.messages("\r\u{1B}[K")
    }
    while let next = waiting.removeValue(forKey: shown) {
      let file = command.sessions[shown].position.file
      tally.add(next.line)
      show(next.verdict, next.line, file)
      shown += 1
    }
    if !isWhole, context.output.messagesAreTerminal {
      context.output.messages("\r\(shown + waiting.count) of \(command.sessions.count) sessions")
    }
  }

  private mutating func show(_ verdict: SessionVerdict?, _ line: Value, _ file: String) {
    guard let verdict else {
      if command.format == .json { context.output.json(line) }
      return
    }
    let lines = lines(verdict, file)
    switch (command.format, verdict) {
    case (.junit, _): junit.add(verdict, of: file, lines.joined(separator: "\n"))
    case (.sarif, _): sarif.add(VerifyFinding.all(in: verdict, of: file))
    case (.github, _):
      context.output.data(github.add(VerifyFinding.all(in: verdict, of: file)))
    case (let format, .trouble(let words)):
      if format == .json { context.output.json(line) }
      context.output.messages("\(context.program): \(SafeText.line(words.clipped(to: 2_000)))\n")
    case (.json, _): context.output.json(line)
    case (.text, .report):
      for line in lines { context.output.line(line) }
    }
  }

  private func lines(_ verdict: SessionVerdict, _ file: String) -> [String] {
    guard case .report(let report, let gaps, let loading) = verdict else {
      if case .trouble(let words) = verdict { return [SafeText.line(words)] }
      return []
    }
    let text = text(of: report, file).split(separator: "\n", omittingEmptySubsequences: false)
    return text.map { SafeText.line(String($0).clipped(to: 2_000)) }
      + (gaps.sentences + [loading.sentence].compactMap(\.self)).map {
        SafeText.line("\(file): \($0).")
      }
  }

  private func text(of report: VerifyReport, _ file: String) -> String {
    guard !command.showsAll, report.divergences.count > Self.shownDivergences else {
      return report.text(title: file)
    }
    var shown = report
    shown.divergences = Array(report.divergences.prefix(Self.shownDivergences))
    let rest = report.divergences.count - shown.divergences.count
    return shown.text(title: file)
      + "\n\nand \(counted(rest, "difference")) more; --all shows them"
  }

  private static let shownDivergences = 10

  func end() -> ExitCode {
    switch command.format {
    case .junit: context.output.data(junit.text)
    case .json:
      if let shard = command.list?.shard {
        context.output.json([
          "shard": [Value(shard.number), Value(shard.count)],
          "sessions": Value(command.sessions.count),
        ])
      }
    case .sarif: context.output.data(sarif.text)
    case .github: tellSummary()
    case .text where command.sessions.count > 1:
      for line in tally.lines { context.show(line) }
    default: break
    }
    return tally.exitCode
  }
}

extension VerifySummary {
  /// Adds to the job's summary, which GitHub Actions keeps in a file.
  private func tellSummary() {
    for line in tally.lines { context.tell(line) }
    guard let path = context.environment["GITHUB_STEP_SUMMARY"] else { return }
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    defer { if file >= 0 { close(file) } }
    guard file >= 0,
      (try? FileSystem.write(github.summary(tally.lines.joined(separator: " ")), to: file)) != nil
    else { return context.warn(["cannot write the summary to \(path): \(errorText(errno))."]) }
  }
}

struct JUnitReport: Sendable {
  private var cases = ""
  private var (tests, failures, errors) = (0, 0, 0)

  mutating func add(_ verdict: SessionVerdict, of file: String, _ text: String) {
    tests += 1
    cases += "  <testcase classname=\"retcon.verify\" name=\"\(Self.escaped(file))\""
    let kind: String
    switch verdict {
    case .report(let report, let gaps, _) where report.isEqual && gaps.sentences.isEmpty:
      cases += "/>\n"
      return
    case .report(let report, _, _) where !report.isEqual:
      failures += 1
      kind = "failure"
    default:
      errors += 1
      kind = "error"
    }
    let first = text.prefix { $0 != "\n" }
    cases += ">\n    <\(kind) message=\"\(Self.escaped(String(first)))\">"
    cases += "\(Self.escaped(text))</\(kind)>\n  </testcase>\n"
  }

  var text: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuite name="retcon verify" tests="\(tests)" failures="\(failures)" errors="\(errors)">
    \(cases)</testsuite>

    """
  }

  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map {
      ReportPage.escaped(SafeText.line(String($0)))
    }.joined(separator: "\n")
  }
}

enum SessionVerdict: Sendable {
  case report(VerifyReport, VerifyGaps, LoadReport)
  case trouble(String)

  /// Words that name the file once: an error of reading names it itself.
  static func trouble(_ words: String, with file: String) -> SessionVerdict {
    let isNamed = words.hasPrefix("\(file):") || words.hasPrefix("\(file),")
    return .trouble(isNamed ? words : "\(file): \(words)")
  }

  /// What `--format json` prints, `--resume` keeps, and `merge` reads.
  func line(of file: String) -> Value {
    switch self {
    case .trouble(let words): return ["file": .string(file), "error": .string(words)]
    case .report(let report, let gaps, let loading):
      var members: ValueObject = ["file": .string(file), "equal": .bool(report.isEqual)]
      if !report.isEqual {
        let (what, step) = report.cause
        members["why"] = .string(what)
        members["at"] = Value(step)
      }
      members.add(report.value)
      if loading.grade != .fine { members["grade"] = .string(loading.grade.rawValue) }
      if !gaps.sentences.isEmpty {
        members["notLookedAt"] = .list(gaps.sentences, Value.string)
      }
      return .object(members)
    }
  }
}

/// The unchecked parts of a session, by the debugger's own count.
struct VerifyGaps: Sendable {
  private(set) var sentences: [String] = []
  private(set) var areUnsaid = false

  /// `steps` is the count before and after, because an app may still be recording. `first` is the
  /// session's first step. A sampled recording has every tenth state, or so, by its header.
  init(
    _ report: VerifyReport, _ loading: LoadReport, _ steps: ClosedRange<Int>, first: Int,
    isSampled: Bool = false, lostLines: Int = 0, cut: String? = nil
  ) {
    if lostLines > 0 { sentences.append("\(counted(lostLines, "line")) of it cannot be read") }
    // After a difference the rest need not be checked.
    guard report.isEqual else { return }
    // A step that never ended is not run with the others.
    let last = report.unfinished.map { $0.step - 1 } ?? first + loading.steps
    func count(_ steps: [UncheckedSteps]) -> Int {
      steps.filter { $0.steps.lowerBound <= last }
        .reduce(0) { $0 + min($1.steps.upperBound, last) - $1.steps.lowerBound + 1 }
    }
    let passed = count(report.unchecked)
    if !steps.contains(loading.steps) {
      sentences.append(
        "the host loaded \(grouped(loading.steps)) of \(counted(steps.lowerBound, "step"))")
    } else if report.steps + passed != last - first {
      sentences.append(
        "the host ran \(grouped(report.steps)) of \(counted(last - first, "step")) again")
    } else if report.isPartial {
      sentences.append("the host says that it did not check everything")
    }
    if report.uncompared > 0, !isSampled || report.uncompared == report.steps {
      sentences.append(
        report.uncompared < report.steps
          ? "\(counted(report.uncompared, "step")) without a recorded state could not be compared"
          : "the file holds no states, so only two runs of each step were compared")
    }
    if last == first { sentences.append("it has no step that could be compared") }
    if let cut { sentences.append(cut) }
    areUnsaid = !sentences.isEmpty
    let redacted = count(report.unchecked.filter(\.isRedacted))
    if redacted > 0 {
      sentences.append(
        "\(counted(redacted, "step")) with redacted values could not be compared in all places")
    }
    let lost = count(
      report.unchecked.filter { $0.reason != UncheckedSteps.interrupted && !$0.isRedacted })
    if lost > 0 { sentences.append("\(counted(lost, "step")) could not be run again") }
  }
}

/// Counts the lines of `verify --format json`, from this run or from others.
struct VerifyTally: Sendable {
  /// The options for another command that name the host.
  let hostWords: [String]
  private var equal = 0
  private var differing = 0
  private var partly = 0
  private var troubled = 0
  private var causes: [(what: String, places: [String])] = []

  init(hostWords: [String]) { self.hostWords = hostWords }

  mutating func add(_ line: Value) {
    if line["error"] != nil {
      troubled += 1
    } else if line["equal"] != true {
      differing += 1
      note(line["why"]?.string ?? "", "\(line["file"]?.string ?? "")@\(line["at"]?.text() ?? "0")")
    } else if line["notLookedAt"] == nil {
      equal += 1
    } else {
      partly += 1
    }
  }

  private mutating func note(_ what: String, _ place: String) {
    if let index = causes.firstIndex(where: { $0.what == what }) {
      causes[index].places.append(place)
    } else {
      causes.append((what, [place]))
    }
  }

  /// The command that shows a step beside the recorded one.
  static func sideBySide(_ place: String, _ hostWords: [String]) -> String {
    let words = ["retcon", place, "--again"] + hostWords
    return "Side by side: \(words.map(ShellWord.quoted).joined(separator: " "))"
  }

  /// Trouble outranks a difference, because the result is then incomplete.
  var exitCode: ExitCode {
    if troubled + partly > 0 { .trouble } else if differing > 0 { .no } else { .yes }
  }

  var lines: [String] {
    var parts = ["\(grouped(equal)) as recorded", "\(grouped(differing)) differ"]
    if partly > 0 { parts.append("\(grouped(partly)) only partly checked") }
    if troubled > 0 { parts.append("\(grouped(troubled)) could not be run") }
    let count = equal + differing + partly + troubled
    let sentence = "\(counted(count, "session")): " + parts.joined(separator: ", ")
    guard differing > 1 else { return [sentence + "."] }
    return [sentence + "; \(counted(causes.count, "cause"))."]
      + causes.enumerated().map { index, cause in
        "  (\(index + 1)) \(counted(cause.places.count, "session")), "
          + "\(cause.what): \(cause.places[0])"
      } + [Self.sideBySide(causes[0].places[0], hostWords)]
  }
}

extension VerifyReport {
  /// The first difference and its step, in words that are equal for the same mistake. Its place in
  /// a list does not matter.
  fileprivate var cause: (what: String, step: Int) {
    guard let first = divergences.first else {
      let step = undecodable.first
      return ("\(step?.label ?? "an action"): does not decode", step?.step ?? 0)
    }
    let path = Pointer(
      tokens: first.path.tokens.map { token in
        !token.isEmpty && token.allSatisfy(\.isWholeNumber) ? "*" : token
      })
    let label = first.label.isEmpty ? "" : first.label + ": "
    let thrown = first.kind == .crash ? first.hint.map { ": \(Self.exception($0))" } ?? "" : ""
    return (label + first.kind.rawValue + (path.isRoot ? "" : " at \(path)") + thrown, first.step)
  }

  /// The type and the line of an error of JavaScript, since its message may name the session's own
  /// values; other words as they are.
  private static func exception(_ words: String) -> String {
    guard let match = words.wholeMatch(of: /(?s)([\w$]+): .*?( at [^\n]*:\d+:\d+\)?)/) else {
      return words
    }
    return String(match.1 + match.2)
  }
}
