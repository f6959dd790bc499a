import Debugger
import HostProtocol
import SessionFile
import SessionWords
import TextCanvas
import TimeTravel

struct TrimCommand: Command {
  static let declaration = CommandDeclaration(
    name: "trim",
    usage:
      "FILE[@FORK] (--range FIRST..LAST | --keep CONDITION | --drop CONDITION | --mark) -o NEW",
    summary: "keep some steps of a session",
    discussion: """
      With a range, the new session starts with the state before FIRST and the effects that were
      pending there; its steps keep their numbers. --keep and --drop ask each step, --mark keeps
      marked steps. With a host, the kept actions run again, Retcon verifies the recording and the
      result, and names actions that lost their cause. Without one, each kept step has its recorded
      state, and the new session has no causes and no effects.
      """,
    options: [
      Option(
        "range", letter: "r", value: "FIRST..LAST",
        help: "the steps to keep; either end may be open"),
      Option("keep", value: "CONDITION", help: "the steps for which it holds"),
      Option("drop", value: "CONDITION", help: "all steps but those for which it holds"),
      Option("mark", help: "the steps that have a mark"),
      Option(
        "output", letter: "o", value: "NEW", help: "the file to write (- for standard output)"),
      Option("force", letter: "f", help: "keep a session that is NEW under its start time"),
    ] + RedactionWords.declarations + HostOptions.declarations)

  private enum Choice {
    case range(StepRange)
    case keep(StepQuestion)
    case drop(StepQuestion)
    case marked
  }

  private let asking: Asking
  private let choice: Choice
  private let output: OutputFile
  private let redaction: Redaction
  private let isForced: Bool

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    let command = try Self(given)
    return try await context.redacting(command.redaction) {
      switch command.choice {
      case .range(let range): try await command.cut(range, in: context)
      case .keep, .drop, .marked: try await command.choose(in: context)
      }
    }
  }

  private init(_ given: ParsedArguments) throws {
    asking = try Asking(given, Self.declaration)
    let ways: [Choice] = [
      try given.value("range").map { .range(try StepRange($0)) },
      try given.value("keep").map { [asking] in .keep(try asking.question($0)) },
      try given.value("drop").map { [asking] in .drop(try asking.question($0)) },
      given.has("mark") ? .marked : nil,
    ].compactMap(\.self)
    guard let choice = ways.first, ways.count == 1 else {
      throw UsageError(
        what: ways.isEmpty ? "trim needs a range" : "trim chooses steps in one way",
        next: ways.isEmpty
          ? "Write --range 800..812, --keep CONDITION, --drop CONDITION or --mark"
          : "Trim the result again")
    }
    self.choice = choice
    let position = asking.position
    let isRange = if case .range = choice { true } else { false }
    if !isRange, !position.isOnMain {
      throw UsageError(
        what: "--keep, --drop and --mark choose steps of a recording",
        next: "Write the fork first: "
          + "retcon trim \(position.file)@\(position.branch) --range .. -o NEW.retcon")
    }
    guard let output = given.value("output") else {
      throw UsageError(what: "trim needs a file to write", next: "Write -o NEW.retcon")
    }
    self.output = OutputFile(name: output)
    redaction = try RedactionWords(given).redaction
    isForced = given.has("force")
  }

  /// Neither --keep nor --drop chooses a step whose answer is unknown.
  private func chosen(
    of session: QueriedSession
  ) async throws -> (steps: Set<Int>, doubt: String?) {
    let steps = session.reader.steps
    var found: Set<Int> = []
    var doubt: String?
    switch choice {
    case .keep(let question), .drop(let question):
      try await session.warn(aboutPlacesIn: question.condition)
      let unknown = try await session.open.find(question, in: steps, of: .main) { step in
        found.insert(step)
        return true
      }
      let isDrop = if case .drop = choice { true } else { false }
      if isDrop { found = Set(steps).subtracting(found) }
      let words = session.unknownWords(unknown, of: question.condition)
      doubt = unknown > 0 ? words + ", and " + (isDrop ? "stayed" : "left") : nil
    case .marked:
      found = Set(session.open.marks.keys.filter { $0.branch == .main }.map(\.step))
      guard !found.isEmpty else {
        throw UsageError(
          what: "no step of \(asking.position.file) has a mark",
          next: "Make some: retcon mark \(asking.position.file)@12 NOTE")
      }
    case .range: break
    }
    found.remove(steps.lowerBound)
    guard !found.isEmpty else {
      throw Trouble(
        "no step of \(asking.position.file) would be left" + (doubt.map { ": \($0)" } ?? ""),
        next: "retcon find lists the steps for which a condition holds")
    }
    return (found, doubt)
  }

  private func cut(_ range: StepRange, in context: CommandContext) async throws -> ExitCode {
    guard asking.host.isNamed(in: context.environment) || !asking.position.isOnMain else {
      let reader = try SessionArgument(file: asking.position.file).open()
      if let notice = Sidecar(session: asking.position.file).notice { context.warn([notice]) }
      return try await cut(range, of: reader, nil, in: context)
    }
    return try await asking.ask(in: context, for: .forking(isKept: false)) { session in
      try await cut(
        range, of: session.branchReader(in: session.workFolder), session, in: context)
    }
  }

  private func cut(
    _ range: StepRange, of reader: SessionReader, _ session: QueriedSession?,
    in context: CommandContext
  ) async throws -> ExitCode {
    let wanted = try range.clamped(to: reader.steps, in: asking.position.file)
    let (written, broken) = try await write(reader, wanted, session?.host, in: context)
    let marks =
      if let session, !session.branch.isMain, !output.isStandardOutput {
        try session.open.copyMarks(
          along: session.branch.id, in: written.range, to: output.name, without: redaction
        ).words
      } else { try copyMarks { written.steps.contains($0) ? $0 : nil } }
    let steps = written.range
    let ends = [steps.lowerBound, steps.upperBound].map(grouped)
    let range = steps.count == 1 ? ends[0] : ends.joined(separator: " to ")
    context.tell(
      "\(output.shownName): \(counted(steps.count, "step")), \(range)\(marks)\(written.caveat)")
    return report(broken, context)
  }

  /// Copies the recording's marks to the new step numbers; returns the end of a sentence.
  private func copyMarks(_ number: (Int) -> Int?) throws -> String {
    guard !output.isStandardOutput else { return "" }
    let sidecar = Sidecar(session: asking.position.file)
    let marks = sidecar.contents.marks.compactMap { mark -> Mark? in
      guard mark.branch == BranchID.main.text, let number = number(mark.step) else { return nil }
      var copy = mark
      copy.step = number
      return copy
    }
    return try CopiedMarks(marks, to: output.name, without: redaction).words
  }

  private func report(_ broken: [String], _ context: CommandContext) -> ExitCode {
    for words in broken { context.output.messages(SafeText.lines(words) + "\n") }
    return broken.isEmpty ? .yes : .no
  }

  /// The whole session without secrets. Its patches tell where these went; those of some steps
  /// alone, and those of a new run, do not.
  private func redacted(
    _ session: QueriedSession
  ) throws -> (SessionReader, carried: Set<Redactor.Place>) {
    guard !redaction.isEmpty else { return (session.reader, []) }
    let path = try session.workFolder.path("redacted.retcon")
    var trimmer = SessionTrimmer(session.reader)
    trimmer.redaction = redaction
    let carried = try trimmer.trim(session.reader.steps, to: path).carried
    return (try SessionReader(path: path, shownAs: session.reader.path), carried)
  }

  /// `carried` is nil if the rules have found nothing yet.
  private func write(
    _ reader: SessionReader, _ steps: ClosedRange<Int>, _ host: HostConnection?,
    carried: Set<Redactor.Place>? = nil, in context: CommandContext
  ) async throws -> (SessionTrimmer.Written, broken: [String]) {
    var trimmer = SessionTrimmer(reader)
    (trimmer.redaction, trimmer.hidden) = (redaction, carried ?? [])
    trimmer.redaction.mustMatch = redaction.mustMatch && carried == nil
    trimmer.hidesErrors = host != nil && carried != nil && redaction.hidesWords
    return try await output.write(in: context) { [trimmer] path in
      if isForced { try reader.checkIsAnother(path, madeFrom: asking.position.file) }
      let written = try trimmer.trim(steps, to: path, replacing: isForced)
      guard let host else { return (written, []) }
      let reader = try SessionReader(path: path)
      try await host.load(path, as: reader)
      let report = Redactor(redaction).report(try await host.verify(reader, VerifyOptions()))
      return (written, report.isEqual ? [] : [report.text(title: "run again")])
    }
  }

  private func choose(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context, for: .forking(isKept: false)) { session in
      let (kept, doubt) = try await chosen(of: session)
      let (source, carried) = try redacted(session)
      let chosen = ChosenSteps(
        session: session, source: source, redaction: redaction, kept: kept)
      let path = try session.workFolder.path("kept.retcon")
      let (numbers, lost) =
        session.host == nil ? (try chosen.copy(to: path), []) : try await chosen.rerun(to: path)
      let reader = try SessionReader(path: path, shownAs: session.reader.path)
      let (_, broken) = try await write(
        reader, reader.steps, session.host, carried: session.host == nil ? [] : carried,
        in: context)
      let marks = try copyMarks { numbers[$0] }
      context.tell(
        "\(output.shownName): \(grouped(reader.stepCount)) of "
          + "\(counted(session.reader.stepCount, "step"))\(marks)")
      if let doubt { context.warn([doubt]) }
      let status = report(lost + broken, context)
      return status == .yes && doubt != nil ? .trouble : status
    }
  }
}

private struct ChosenSteps {
  let session: QueriedSession
  /// The session without secrets.
  let source: SessionReader
  let redaction: Redaction
  let kept: Set<Int>

  /// Copies the recorded states, although the remaining steps might have made others. Returns the
  /// new step numbers.
  func copy(to path: String) throws -> [Int: Int] {
    var header = source.header
    header.knowsCauses = false
    header.effects = []
    header.capability = .browse(because: "steps were left out")
    let writer = try SessionWriter(path: path, header: header)
    var numbers = [header.firstStep: header.firstStep]
    for (index, number) in kept.sorted().enumerated() {
      var step = try source.step(number)
      step.number = header.firstStep + index + 1
      numbers[number] = step.number
      step.cause = .user
      try writer.append(step, state: try? source.state(after: number))
    }
    try writer.finish()
    return numbers
  }

  /// Lets the reducer run these steps alone. Returns the new step numbers, and the changes in
  /// words.
  func rerun(to path: String) async throws -> (numbers: [Int: Int], lost: [String]) {
    let dropped = session.reader.steps.dropFirst().filter { !kept.contains($0) }
    let script = Script(
      leavesAt: (dropped.first ?? session.reader.steps.upperBound + 1) - 1,
      edits: dropped.map { .skip(step: $0) })
    let fork = try session.open.addFork("kept", script).id
    for await _ in try session.open.runFork(fork) {}
    try await session.open.export(fork, to: path)
    guard let branch = session.open.branch(fork), let host = session.host else { return ([:], []) }
    var numbers: [Int: Int] = [:]
    for step in branch.steps {
      let from = try session.open.step(at: Position(branch: fork, step: step)).descendsFrom
      if let from = from ?? (step <= script.leavesAt ? step : nil) { numbers[from] = step }
    }
    let redactor = Redactor(redaction)
    // Each by itself: inside a sentence, no rule looks behind the escapes of JSON.
    var words = (branch.report?.leftOut ?? []).filter { kept.contains($0.recordedStep) }
      .map {
        "without \($0.recordedStep) \(redactor.text($0.label, .label)): \($0.reason.rawValue)"
      }
    if case .ended = branch.progress {
      words.append(
        !redaction.isEmpty
          ? "the run ended early, and its words may tell what is redacted"
          : branch.outcomeWords(in: session.open.branches))
    }
    words = words.map { redactor.text($0, .message) }
    // Then the new states say less of the recording.
    let report = redactor.report(
      try await host.verify(session.reader, VerifyOptions()))
    if !report.isEqual { words.append(report.text(title: "the recording")) }
    return (numbers, words)
  }
}

extension RedactionWords {
  static let declarations = [
    Option("redact", value: "POINTER", help: "remove this place from every state"),
    Option(
      "redact-key", value: "KEY", help: "remove every value under exactly this key"),
    Option(
      "redact-key-any-case", value: "KEY", help: "the same for a key in upper or lower case"),
    Option(
      "redact-text", value: "PATTERN",
      help: "remove texts, numbers and keys that this regular expression finds"),
    Option("redact-missing-ok", help: "write even if one of these finds nothing"),
  ]

  init(_ given: ParsedArguments) {
    self.init()
    paths = given.all("redact")
    keys = given.all("redact-key")
    keysInAnyCase = given.all("redact-key-any-case")
    patterns = given.all("redact-text")
    mayMiss = given.has("redact-missing-ok")
  }
}

extension CommandContext {
  /// Does work whose failure must not tell what is redacted.
  func redacting(
    _ redaction: Redaction, _ work: () async throws -> ExitCode
  ) async throws -> ExitCode {
    do { return try await work() } catch  where !redaction.isEmpty && !Task.isCancelled {
      warn([sentence(for: error, without: redaction)])
      return .trouble
    }
  }
}

extension StepRange {
  /// The steps with actions in this range; the error names the existing ones.
  func clamped(to steps: ClosedRange<Int>, in file: String) throws -> ClosedRange<Int> {
    let all = min(steps.lowerBound + 1, steps.upperBound)...steps.upperBound
    let wanted = (first ?? all.lowerBound, last ?? all.upperBound)
    guard all.contains(wanted.0) || wanted.0 == steps.lowerBound, all.contains(wanted.1) else {
      let missing = all.contains(wanted.0) || wanted.0 == steps.lowerBound ? wanted.1 : wanted.0
      guard missing != steps.lowerBound else {
        throw UsageError(
          what: "step \(missing) is what the session starts with: it has no action",
          next: "Write a range that ends with \(all.lowerBound) or later")
      }
      throw SessionError(.noStep(missing, available: steps), path: file)
    }
    return max(wanted.0, all.lowerBound)...max(wanted.0, wanted.1)
  }
}
