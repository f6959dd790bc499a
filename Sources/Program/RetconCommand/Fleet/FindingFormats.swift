import Debugger
import Platform
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

/// The forms in which findings are written.
enum FindingFormat: String, CaseIterable, Sendable {
  case text, json, junit, sarif, github, markdown

  static let option = Option(
    "format", value: "FORMAT", choices: allCases.map(\.rawValue),
    help: "text, json (one object a line), junit, sarif, github or markdown")

  static let options = [
    option, Option("json", help: "the same as --format json"),
    Option("sessions", help: "list the sessions of each finding"),
    Option(
      "base", value: "FILE",
      help: "an earlier answer with --json: say which findings are new; only these fail"),
  ]

  init(_ given: ParsedArguments) throws(UsageError) {
    let word = given.value("format") ?? (given.has("json") ? "json" : "text")
    guard let format = Self(rawValue: word) else {
      throw UsageError(
        what: "there is no format \(word)",
        next: "Write --format " + Self.allCases.map(\.rawValue).joined(separator: ", "))
    }
    self = format
  }
}

extension Findings {
  func write(as format: FindingFormat, withSessions: Bool = false, in context: CommandContext) {
    switch format {
    case .text: for line in lines(withSessions: withSessions) { context.show(line) }
    case .json: for finding in all { context.output.json(finding.row(hostWords)) }
    case .junit: context.output.data(junit)
    case .sarif: context.output.data(sarif)
    case .markdown: context.output.data(markdown)
    case .github:
      context.output.data(annotations)
      context.tell(sentence)
      guard let path = context.environment["GITHUB_STEP_SUMMARY"] else { return }
      let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
      defer { if file >= 0 { close(file) } }
      guard file >= 0, (try? FileSystem.write(markdown, to: file)) != nil else {
        return context.warn(["cannot write the summary to \(path): \(errorText(errno))."])
      }
    }
  }

  /// A test case for each session and for each finding. Only a finding fails, with its sessions.
  private var junit: String {
    let all = all.filter { !$0.sessions.isEmpty }
    let numbers = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.words, $0 + 1) })
    var cases = ""
    for (file, words) in sessions {
      cases += "  <testcase classname=\"retcon.verify\" name=\"\(Self.escaped(file))\""
      let number = words.flatMap { numbers[$0] }
      cases +=
        number.map { number in
          "><skipped message=\"(\(number)) \(Self.escaped(words ?? ""))\"/></testcase>\n"
        } ?? "/>\n"
    }
    for finding in all {
      let kind = finding.severity == .differs ? "failure" : "error"
      let lines =
        [finding.sentence] + commands(finding) + ["\(finding.count):"]
        + finding.sessions.map(\.position)
      cases += """
          <testcase classname="retcon.finding" name="\(Self.escaped(finding.words))">
            <\(kind) message="\(Self.escaped(finding.title))">\
        \(lines.map(Self.escaped).joined(separator: "\n"))</\(kind)>
          </testcase>

        """
    }
    let errors = all.count { $0.severity != .differs }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuite name="retcon verify" tests="\(sessions.count + all.count)" \
      failures="\(all.count - errors)" errors="\(errors)" \
      skipped="\(sessions.count { $0.words != nil })">
      \(cases)</testsuite>

      """
  }

  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map {
      ReportPage.escaped(SafeText.line(String($0)))
    }.joined(separator: "\n")
  }

  private func commands(_ finding: Finding) -> [String] { finding.commands(hostWords) }

  /// SARIF 2.1.0, which code hosts show beside the lines of the source.
  private var sarif: String {
    func rule(_ finding: Finding) -> String { finding.kind.replacing(" ", with: "-") }
    var rules: [String] = []
    let results = all.map { finding in
      if !finding.sessions.isEmpty, !rules.contains(rule(finding)) { rules.append(rule(finding)) }
      var result: ValueObject = [
        "level": finding.severity == .notChecked || finding.standing == .gone ? "note" : "error",
        "message": ["text": .string(SafeText.line(finding.sentence))],
        "fingerprints": ["retcon/v1": .string(finding.fingerprint)],
      ]
      if let standing = finding.standing {
        result["baselineState"] =
          switch standing {
          case .known: "unchanged"
          case .new: "new"
          case .gone: "absent"
          }
      }
      guard !finding.sessions.isEmpty else { return Value.object(result) }
      let file = finding.source?.file ?? finding.shortest.file
      var place: ValueObject = [
        "artifactLocation": [
          "uri": .string((file.hasPrefix("/") ? "file://" : "") + Link.encoded(file))
        ]
      ]
      if let source = finding.source { place["region"] = ["startLine": Value(source.line)] }
      result.add([
        "ruleId": .string(rule(finding)), "occurrenceCount": Value(finding.sessions.count),
        "locations": [["physicalLocation": .object(place)]],
      ])
      return .object(result)
    }
    let driver: Value = [
      "name": "retcon", "version": .string(version),
      "rules": .list(rules) { ["id": .string($0)] },
    ]
    let log: Value = [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": [["tool": ["driver": driver], "results": .array(ValueArray(results))]],
    ]
    return log.text(.pretty) + "\n"
  }

  /// Annotations of GitHub Actions, which shows no more than ten of a step.
  private var annotations: String {
    func escaped(_ text: String, inProperty: Bool = false) -> String {
      // As GitHub reads them: a file's name may have a line feed.
      let escapes: [Unicode.Scalar: String] = ["%": "%25", "\n": "%0A", "\r": "%0D"]
      let text = SafeText.line(text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined())
      return inProperty ? text.replacing(":", with: "%3A").replacing(",", with: "%2C") : text
    }
    return all.filter { !$0.sessions.isEmpty }.prefix(10).map { finding in
      let file = escaped(finding.source?.file ?? finding.shortest.file, inProperty: true)
      let line = finding.source.map { ",line=\($0.line)" } ?? ""
      let isError = finding.severity != .notChecked && finding.standing != .known
      return "::\(isError ? "error" : "warning") file=\(file)\(line),title=retcon verify::"
        + "\(escaped(finding.sentence))\n"
    }.joined()
  }

  /// A summary of a job, or a comment of a pull request.
  private var markdown: String {
    let rows = all.enumerated().map { index, finding in
      let place = finding.sessions.isEmpty ? "" : Markdown.code(finding.shortest.position)
      return "| \(index + 1) | \(Markdown.cell(finding.title)) | \(finding.sessions.count) "
        + "| \(place) | \(Markdown.cell(finding.detail)) |\n"
    }
    let look = all.first.flatMap { commands($0).first }.map { "\nLook: \(Markdown.code($0))\n" }
    return "### retcon verify\n\n\(Markdown.cell(sentence))\n"
      + (rows.isEmpty
        ? ""
        : "\n| | finding | sessions | the shortest | what differs |\n"
          + "| --- | --- | --- | --- | --- |\n\(rows.joined())\(look ?? "")")
  }
}

/// Text that Markdown takes for nothing but text.
enum Markdown {
  static func code(_ text: String) -> String {
    let text = SafeText.line(text).replacing("|", with: "¦")
    let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: longest + 1)
    let space = longest > 0 || text.isEmpty ? " " : ""
    return fence + space + text + space + fence
  }

  /// Words with those signs escaped that could mean something inside a line. Without what would
  /// follow it, a bracket means nothing.
  static func cell(_ text: String) -> String {
    let text = SafeText.line(text).map { "\\`*_<#|~&@".contains($0) ? "\\\($0)" : String($0) }
    return text.joined().replacing("](", with: "]\\(").replacing("][", with: "]\\[")
      .replacing("\\< ", with: "< ")
  }
}
