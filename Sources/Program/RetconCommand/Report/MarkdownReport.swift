import Debugger
import ForkSearch
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

/// A comment for a pull request: what fails, since when, who set it, and how to look at it.
struct MarkdownReport {
  let session: QueriedSession
  let rules: [StepQuestion]
  let redaction: Redaction
  /// A session without states is empty without its host.
  let hostWords: [String]
  /// The difference of today; nil without one, or if no host was asked.
  var finding: Finding?
  var isVerified = false

  func text() async throws -> String {
    var report = SessionReport(session.open)
    report.redaction = redaction
    report.rules = rules
    let (shown, failures, unchecked) = try await report.redacted(
      to: try session.workFolder.path("redacted.retcon"))
    let asked = session.branch.isMain ? session.step : nil
    let step =
      asked ?? different ?? failures.first?.position.step ?? session.reader.steps.upperBound
    let label = try shown.step(at: Position(step: step)).step.label
    let title = Markdown.cell(report.text(session.open.summary.name))
    let smallest = try await smallest()
    let verdicts = [smallest?.verdict, verdict(failures, step)].compactMap(\.self)
    var lines = ["### \(title): step \(step) \(Markdown.code(label))", ""]
    lines += [verdicts.joined(separator: ". "), ""]
    if let finding, step == different,
      let reason = try await session.reason(for: finding, at: step)
    {
      lines += [Markdown.cell(report.text(reason)), ""]
    }
    for words in unchecked { lines += [Markdown.cell(words), ""] }
    // The wrong value, and who set it; then how it came to that.
    let settings = try await settings(at: step, in: shown)
    let difference = try await difference(at: step, in: shown)
    lines += settings.isEmpty ? [] : settings + [""]
    let isKnown = difference.first.map { "-+".contains($0.prefix(1)) } ?? false
    lines += isKnown ? [Markdown.block(difference.prefix(60), "diff"), ""] : difference + [""]
    lines += try shown.causes(of: Position(step: step)).lines.map { "- \(Markdown.code($0))" }
    if let smallest { lines += ["", smallest.block] }
    let place = "\(report.text(session.file))@\(session.open.text(of: session.at(step)))"
    let words = ["retcon", place] + hostWords.map(report.text)
    let command = words.map(ShellWord.quoted).joined(separator: " ")
    lines += ["", "Look at it: \(Markdown.code(command))", ""]
    return lines.joined(separator: "\n")
  }

  private var different: Int? {
    finding.flatMap { $0.severity == .differs ? $0.shortest.at : nil }
  }

  /// The difference of today, else the change of the step.
  private func difference(at step: Int, in shown: OpenSession) async throws -> [String] {
    if let finding, step == different {
      return ["- recorded", "+ today"]
        + finding.places.flatMap { Self.lines($0.place, $0.recorded, $0.today) }
    }
    let moment = try await shown.moment(at: Position(step: step))
    guard let state = moment.state else { return ["The state is unknown."] }
    guard let before = moment.previousState else { return ["The session starts here."] }
    let changes = Difference(from: before, to: state, matching: .shown).changes
    return changes.isEmpty
      ? ["Nothing was changed."]
      : changes.flatMap { Self.lines("\($0.path)", $0.old, $0.new) }
  }

  private static func lines(_ place: String, _ old: Value?, _ new: Value?) -> [String] {
    [("-", old), ("+", new)].compactMap { sign, value in
      value.map { "\(sign) \(SafeText.line(place)): \(ValuePreview.text($0, limit: 200))" }
    }
  }

  private func verdict(_ failures: [ReportedFailure], _ step: Int) -> String {
    let here = failures.first { $0.position.step == step }
    let differs =
      different == step ? finding.map { "✗ differs today: \(Markdown.cell($0.wordsOfStep))" } : nil
    let words =
      differs ?? here.map { "✗ \(Markdown.cell($0.words))" }
      ?? (failures.isEmpty && finding == nil
        ? ReportFacts.noFailure(isVerified) : "This step has no failure.")
    let others = failures.count { $0.position.step != step }
    return words + (others > 0 ? " (\(counted(others, "more failure")))" : "")
  }

  /// The values that the rules ask about, and the steps that set them.
  private func settings(at step: Int, in shown: OpenSession) async throws -> [String] {
    var lines: [String] = []
    guard try await shown.knownState(at: Position(step: step)) != nil else { return [] }
    for place in rules.flatMap({ $0.condition.paths(in: "state") ?? [] }) {
      let history = try await shown.history(of: place, at: Position(step: step), limit: 1)
      guard let period = history.periods.last(where: { $0.steps.contains(step) }), period.isKnown
      else { continue }
      let since = period.steps.lowerBound
      let value = period.value.map { ValuePreview.text($0, limit: 100) } ?? "not there"
      let setter = try shown.step(at: Position(step: since)).step.label
      // The report hides changes between redacted values.
      let isSeen = !shown.summary.isRedacted(in: period.value)
      lines.append(
        "- \(Markdown.code("\(place)")) is \(Markdown.code(value))"
          + (isSeen ? " since step \(since) \(Markdown.code(setter))" : ""))
    }
    return lines
  }

  /// The smallest session that breaks the first rule: how small it is, and a folded block.
  private func smallest() async throws -> (verdict: String, block: String)? {
    guard session.host != nil, let rule = rules.first else { return nil }
    let options = try SearchOptions(until: ["!(\(rule.condition.text))"])
    guard let search = try? await options.search(session) else { return nil }
    let minimum = try await options.searching(search, session) { trials in
      try await Minimizer(search.base, search.goal, trials).minimum()
    }
    let kept = try session.saveFork("the smallest", minimum.script, note: minimum.note)
    for await _ in try session.open.runFork(kept) {}
    let redactor = Redactor(redaction)
    let steps = (session.open.branch(kept)?.steps ?? 0...0).dropFirst().prefix(50)
    let actions = try steps.map { number in
      let step = try session.open.step(at: Position(branch: kept, step: number)).step
      let action = ValuePreview.text(redactor.value(step.action, .action), limit: 200)
      return "\(redactor.text(step.label, .label))  \(action)"
    }
    let summary = "The smallest session: \(Markdown.cell(minimum.sentence))"
    let words = "<details><summary>\(summary)</summary>"
    return (
      (minimum.actions.count == 1 ? "This " : "These ") + minimum.note,
      words + "\n\n" + Markdown.block(actions[...], "text") + "\n\n</details>"
    )
  }
}

extension Markdown {
  /// Lines in a fence that none of them can end.
  static func block(_ lines: ArraySlice<String>, _ language: String) -> String {
    let longest = lines.flatMap { $0.split { $0 != "`" }.map(\.count) }.max() ?? 0
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return ([fence + language] + lines + [fence]).joined(separator: "\n")
  }
}
