import Debugger
import SessionWords
import TextCanvas
import ValueTree

/// Shows verdicts in the order of the sessions, whichever comes first, and sums them up.
struct VerifySummary {
  let context: CommandContext
  let command: VerifyCommand
  private var waiting: [Int: SessionVerdict] = [:]
  private var shown = 0
  private var tally = VerifyTally()
  private var junit = JUnitReport()

  init(_ context: CommandContext, _ command: VerifyCommand) {
    self.context = context
    self.command = command
  }

  var isWhole: Bool { shown == command.sessions.count }

  mutating func take(_ verdict: SessionVerdict, at index: Int) {
    waiting[index] = verdict
    if command.sessions.count > 1, context.output.talkIsTerminal {
      context.output.talk("\r\u{1B}[K")
    }
    while let next = waiting.removeValue(forKey: shown) {
      let file = command.sessions[shown].position.file
      tally.add(next, of: file)
      show(next, file)
      shown += 1
    }
    if !isWhole, context.output.talkIsTerminal {
      context.output.talk("\r\(shown + waiting.count) of \(command.sessions.count) sessions")
    }
  }

  private mutating func show(_ verdict: SessionVerdict, _ file: String) {
    let lines = lines(verdict, file)
    switch (command.format, verdict) {
    case (.junit, _): junit.add(verdict, of: file, lines.joined(separator: "\n"))
    case (let format, .trouble(let words)):
      if format == .json { context.output.json(["file": .string(file), "error": .string(words)]) }
      context.output.talk("\(context.program): \(SafeText.line(words.clipped(to: 2_000)))\n")
    case (.json, .report(let report, let gaps, let loading)):
      var members: [ValueObject.Element] = [
        ("file", .string(file)), ("equal", .bool(report.isEqual)),
      ]
      if case .object(let object) = report.value { members += object.map { $0 } }
      if loading.grade != .fine { members.append(("grade", .string(loading.grade.rawValue))) }
      if !gaps.sentences.isEmpty {
        members.append(("notLookedAt", .array(ValueArray(gaps.sentences.map(Value.string)))))
      }
      context.output.json(.object(ValueObject(members)))
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
    case .text where command.sessions.count > 1:
      for line in tally.lines { context.output.line(SafeText.line(line)) }
    default: break
    }
    return tally.exitCode
  }
}

/// The verdicts as JUnit writes them, for servers that run tests.
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
      SafeText.line(String($0)).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }.joined(separator: "\n")
  }
}
