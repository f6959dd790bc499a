import Debugger
import SessionLog

/// `retcon trim`: writes some steps of a session as a session of their own.
struct TrimCommand: Command {
  static let declaration = CommandDeclaration(
    name: "trim", usage: "FILE --range FIRST..LAST -o NEW", summary: "keep some steps of a session",
    discussion: """
      The new session starts with the state before FIRST and the effects that were in flight there.
      Its steps keep their numbers.
      """,
    options: [
      OptionDeclaration(
        "range", letter: "r", value: "FIRST..LAST",
        help: "the steps to keep; either end may be open"),
      OptionDeclaration(
        "output", letter: "o", value: "NEW", help: "the file to write (- for standard output)"),
      OptionDeclaration(
        "redact", value: "POINTER", help: "leave out what stands there in every state"),
      OptionDeclaration(
        "redact-key", value: "KEY", help: "leave out what stands under this key, anywhere"),
      OptionDeclaration(
        "redact-text", value: "PATTERN",
        help: "leave out texts, numbers and keys with this regular expression"),
      OptionDeclaration(
        "force", letter: "f", help: "keep a session that is NEW under its start time"),
    ])

  let session: SessionArgument
  let range: StepRange
  let output: OutputFile
  let redaction: Redaction
  let isForced: Bool

  init(_ arguments: ParsedArguments) throws {
    session = try SessionArgument(arguments, command: "trim")
    guard let range = arguments.value("range") else {
      throw UsageError(what: "trim needs a range", next: "Write --range 800..812")
    }
    self.range = try StepRange(range)
    guard let output = arguments.value("output") else {
      throw UsageError(what: "trim needs a file to write", next: "Write -o NEW.retcon")
    }
    self.output = OutputFile(name: output)
    var words = RedactionWords()
    words.paths = arguments.all("redact")
    words.keys = arguments.all("redact-key")
    words.patterns = arguments.all("redact-text")
    redaction = try words.redaction
    isForced = arguments.has("force")
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let reader = try session.open()
    let steps = try range.clamped(to: reader.steps, in: session.position.file)
    var trimmer = SessionTrimmer(reader)
    trimmer.redaction = redaction
    // The state before the first step is what the new session starts with.
    let kept = max(reader.steps.lowerBound, steps.lowerBound - 1)...steps.upperBound
    try await output.write(in: context) { [trimmer] path in
      try trimmer.trim(kept, to: path, replacing: isForced)
    }
    let range =
      steps.count == 1 ? "\(steps.lowerBound)" : "\(steps.lowerBound) to \(steps.upperBound)"
    context.output.talk("\(output.shownName): \(counted(steps.count, "step")), \(range)\n")
    return .yes
  }
}

extension StepRange {
  /// The steps with actions of a session that lie in this range; an error names those there are.
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
