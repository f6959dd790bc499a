import HostProtocol
import Platform
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

/// Tells results in the order of the sessions.
struct VerifySummary {
  let context: CommandContext
  let command: VerifyCommand
  private var waiting: [Int: (verdict: SessionVerdict?, line: Value)] = [:]
  private var shown = 0
  private var findings: Findings

  init(_ context: CommandContext, _ command: VerifyCommand) throws {
    self.context = context
    self.command = command
    findings = try Findings(hostWords: command.hostWords, base: command.base)
  }

  private var isWhole: Bool { shown == command.sessions.count }

  /// Without a verdict, an earlier run wrote the line.
  mutating func showInOrder(_ verdict: SessionVerdict?, _ line: Value, at index: Int) {
    waiting[index] = (verdict, line)
    if command.sessions.count > 1, context.output.messagesAreTerminal {
      context.output.messages("\r\u{1B}[K")
    }
    while let next = waiting.removeValue(forKey: shown) {
      findings.add(next.line)
      show(next.verdict, next.line, command.sessions[shown].position.file)
      shown += 1
    }
    if !isWhole, context.output.messagesAreTerminal {
      context.output.messages("\r\(shown + waiting.count) of \(command.sessions.count) sessions")
    }
  }

  private func show(_ verdict: SessionVerdict?, _ line: Value, _ file: String) {
    if command.format == .json { context.output.json(line) }
    if case .trouble(let words)? = verdict, isAlone || command.format == .json {
      context.output.messages("\(context.program): \(SafeText.line(words.clipped(to: 2_000)))\n")
    }
    guard isAlone, command.format == .text,
      case .report(let report, let gaps, let loading)? = verdict
    else { return }
    for text in text(of: report, file).split(separator: "\n", omittingEmptySubsequences: false) {
      context.show(String(text).clipped(to: 2_000))
    }
    for words in gaps.sentences + [loading.sentence].compactMap(\.self) {
      context.show("\(file): \(words).")
    }
  }

  /// A single session is reported in full; of several, the findings.
  private var isAlone: Bool { command.sessions.count == 1 && command.base == nil }

  private func text(of report: VerifyReport, _ file: String) -> String {
    if command.showsAll {
      let (first, others) = report.byFinding
      return ([first.text(title: file)] + (others.isEmpty ? [] : [""] + others))
        .joined(separator: "\n")
    }
    guard report.divergences.count > Self.shownDivergences else {
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
    if !isAlone || command.format != .text {
      findings.write(as: command.format, withSessions: command.showsSessions, in: context)
    }
    if command.format == .json, let shard = command.list?.shard {
      context.output.json([
        "shard": [Value(shard.number), Value(shard.count)],
        "sessions": Value(command.sessions.count),
      ])
    }
    return findings.exitCode
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

  func redacted(by redactor: Redactor) -> Self {
    switch self {
    case .trouble(let words): .trouble(redactor.text(words, .message))
    case .report(let report, let gaps, let loading):
      .report(redactor.report(report), gaps, loading)
    }
  }

  /// The line that `--format json` prints, `--resume` keeps, and `merge` reads.
  func line(of file: String, _ handlers: HandlerLines) -> Value {
    switch self {
    case .trouble(let words):
      return [
        "file": .string(file), "error": .string(words),
        "finding": .string("not run: \(words.withoutFacts(of: file))"),
      ]
    case .report(let report, let gaps, let loading):
      var members: ValueObject = ["file": .string(file), "equal": .bool(report.isEqual)]
      if !report.isEqual {
        let (words, step, source) = report.cause
        members.add(["finding": .string(words), "at": Value(step)])
        if let source = source ?? handlers.line(of: report.divergences.first?.label) {
          members.add(["source": .string(source.file.fromHere), "line": Value(source.line)])
        }
      } else if !gaps.sentences.isEmpty {
        let words = gaps.sentences.joined(separator: "; ").withoutFacts(of: file)
        members["finding"] = .string("not checked: \(words)")
      }
      members.add(report.value.inTable)
      if loading.grade != .fine { members["grade"] = .string(loading.grade.rawValue) }
      if !gaps.sentences.isEmpty {
        members["notLookedAt"] = .list(gaps.sentences, Value.string)
      }
      return .object(members)
    }
  }
}

extension Value {
  /// A report whose differences hold the app's own values as JSON texts: each column of a table has
  /// one type.
  fileprivate var inTable: Value {
    guard case .object(var members) = self, case .array(let all)? = members["divergences"] else {
      return self
    }
    members["divergences"] = .list(all) { difference in
      guard case .object(var row) = difference else { return difference }
      for key in ["recorded", "rerun", "cause"] {
        row[key] = row[key].map { .string($0.text()) }
      }
      return .object(row)
    }
    return .object(members)
  }
}

extension String {
  /// A sentence without the file's name and without numbers, which differ between sessions with
  /// one problem.
  func withoutFacts(of file: String = "") -> String {
    var words = self[...]
    for start in ["\(file): ", "\(file), "] where words.hasPrefix(start) {
      words = words.dropFirst(start.count)
    }
    let end = words.firstRange(of: " Did you mean ")?.lowerBound ?? words.endIndex
    let text = String(words[..<end].replacing(/[0-9][0-9,]*/, with: "#")).clipped(to: 300)
    return file.isEmpty ? text : text.replacing(file, with: "FILE")
  }
}

/// The lines of a reducer's files that name an action.
final class HandlerLines: Sendable {
  private let texts: [(file: String, text: String)]
  private let found = Locked<[String: SourceLine?]>([:])

  init(_ files: some Sequence<String>) {
    texts = files.sorted().compactMap { file in
      guard !file.contains("/node_modules/"),
        let text = try? FileSystem.text(of: file, limit: 1 << 20), !text.contains("\0")
      else { return nil }
      return (file, text)
    }
  }

  /// Where a file handles the action, else where it names its type.
  func line(of label: String?) -> SourceLine? {
    guard let label, !label.isEmpty else { return nil }
    return found.withLock { found in
      if let known = found[label] { return known }
      var signs = ["case '%'", "case \"%\"", "'%'", "\"%\"", "`%`"].map {
        $0.replacing("%", with: label)
      }
      // A slice names its actions `cart/added`, and has a member `added`.
      if let name = label.split(separator: "/").dropFirst().last {
        signs.insert(contentsOf: [" \(name)(", " \(name):"], at: 2)
      }
      let line = signs.lazy.flatMap { sign in
        self.texts.lazy.compactMap { file, text in
          text.firstRange(of: sign).map { place in
            SourceLine(file, text[..<place.lowerBound].count { $0.isNewline } + 1)
          }
        }
      }.first
      found[label] = line
      return line
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

extension VerifyReport {
  /// The first difference in words that are equal for the same mistake, its step, and the line of
  /// its error.
  fileprivate var cause: (words: String, step: Int, source: SourceLine?) {
    guard let first = divergences.first else {
      let step = undecodable.first
      let reason = step.map { ": " + $0.reason.withoutFacts() } ?? ""
      return ("\(step?.label ?? "an action"): does not decode\(reason)", step?.step ?? 0, nil)
    }
    let path = first.path.withoutPositions
    let label = first.label.isEmpty ? "" : first.label + ": "
    let place = path.isRoot ? "" : " at \(path)"
    let (more, source) = first.more
    return (label + first.kind.rawValue + place + more, first.step, source)
  }
}

extension Divergence {
  /// The type and the line of an error, since its message may hold the session's own values; else
  /// the dependencies that a read asks.
  fileprivate var more: (words: String, source: SourceLine?) {
    switch kind {
    case .crash, .hang:
      guard let hint else { return ("", nil) }
      let frame = hint.ranges(of: " at ").last.map { hint[$0.lowerBound...] }
      let source = frame.flatMap { SourceLine(in: String($0)) } ?? SourceLine(in: hint)
      guard let source, let type = hint.prefixMatch(of: /[\w$. ]+?(?=( \[\w+\])?:)/)?.output.0
      else { return (": " + hint.withoutFacts(), source) }
      return (": \(type) at \(source.text)", source)
    case .unusedRead, .missingRead:
      guard case .array(let keys)? = recorded ?? rerun else { return ("", nil) }
      return (": " + keys.compactMap(\.string).joined(separator: ", "), nil)
    case .rule: return (hint.map { ": \($0)" } ?? "", nil)
    default: return ("", nil)
    }
  }
}
