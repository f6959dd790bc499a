import Debugger
import SessionLog
import TextCanvas
import ValueTree

/// `retcon info`: what a session is, in a few lines.
struct InfoCommand: Command {
  static let declaration = CommandDeclaration(
    name: "info", usage: "FILE", summary: "say what a session holds, and what is wrong with it",
    discussion: """
      Every line is read and every patch applied, so that what is wrong is found; of a file above
      256 MB as much as that, unless --all is given.
      """,
    options: [
      OptionDeclaration("json", help: "as one JSON object"),
      OptionDeclaration("all", help: "read all of a large file"),
      OptionDeclaration("quick", help: "do not look for damage beyond what opening finds"),
    ])

  let session: SessionArgument
  let isJSON: Bool
  let looks: Looks

  /// How much of the file is read.
  enum Looks { case little, enough, everywhere }

  /// More than this takes longer than one likes to wait.
  private static let enough = 256 << 20

  init(_ arguments: ParsedArguments) throws {
    session = try SessionArgument(arguments, command: "info")
    isJSON = arguments.has("json")
    looks = arguments.has("quick") ? .little : arguments.has("all") ? .everywhere : .enough
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let reader = try session.open()
    let examined = try examine(reader, context)
    let facts = try self.facts(reader, examined)
    if isJSON {
      context.output.line(Value.object(ValueObject(facts)).text())
      return .yes
    }
    let width = facts.map(\.key.count).max() ?? 0
    for (key, value) in facts {
      for (index, text) in texts(value).enumerated() {
        let name = index == 0 ? key : ""
        let space = String(repeating: " ", count: width - name.count + 2)
        context.output.line(name + space + SafeText.line(text))
      }
    }
    return .yes
  }

  /// Looks for damage. Answers how much of the file was looked at, in words, where that is not all.
  private func examine(_ reader: SessionReader, _ context: CommandContext) throws -> String? {
    guard looks != .little else { return "nothing: --quick was given" }
    let most = looks == .everywhere ? Int.max : Self.enough
    let size = reader.size
    let line = ProgressLine(output: context.output, name: reader.fileName)
    defer { line.clear() }
    var shown = -1
    do {
      try reader.examine { share in
        guard share * Double(size) <= Double(most) else { throw LookedEnough() }
        let percent = Int(share * 100)
        if percent > shown { line.show(done: percent, of: 100) }
        shown = max(shown, percent)
      }
      return nil
    } catch is LookedEnough {
      return "the first \(most >> 20) MB of \(grouped(size >> 20)) MB; --all looks at the rest"
    }
  }

  private struct LookedEnough: Error {}

  private func facts(
    _ reader: SessionReader, _ examined: String?
  ) throws -> [ValueObject.Element] {
    let header = reader.header
    var facts: [ValueObject.Element] = [("file", .string(reader.path))]
    func add(_ key: String, _ value: Value?) { if let value { facts.append((key, value)) } }
    add("app", header.app.map { .string($0.name + ($0.version.map { " \($0)" } ?? "")) })
    add("from", header.origin.map { .string($0.format) })
    add("started", header.started.map { .string($0) })
    add("steps", .number(Number(reader.stepCount)))
    if header.firstStep > 0 { add("first", .number(Number(header.firstStep + 1))) }
    add("duration", try duration(reader).map { .string($0) })
    if case .browse(let reason) = header.capability { add("browse only", .string(reason)) }
    add("on tape", list(reader.tape))
    add("redacted", list(header.redacted))
    add("notices", list(reader.notices.map(\.sentence)))
    add("examined", examined.map { .string($0) })
    return facts
  }

  /// From the first time that is known to the last one.
  private func duration(_ reader: SessionReader) throws -> String? {
    func time(_ steps: some Sequence<Int>) throws -> Duration? {
      for step in steps { if let time = try reader.step(step).time { return time } }
      return nil
    }
    let first = try reader.header.firstTime ?? time(reader.steps.prefix(Self.lookedAtForTime))
    let last = try time(reader.steps.suffix(Self.lookedAtForTime).reversed())
    guard let first, let last else { return nil }
    return last < first ? "unknown: the times go down" : (last - first).longText
  }

  private static let lookedAtForTime = 1_000

  private func list(_ texts: [String]) -> Value? {
    guard !texts.isEmpty else { return .none }
    return .array(ValueArray(texts.map { .string($0) }))
  }

  private func texts(_ value: Value) -> [String] {
    switch value {
    case .string(let text): [text]
    case .array(let array): array.flatMap(texts)
    case .number: [Int(value.text()).map(grouped) ?? value.text()]
    default: [value.text()]
    }
  }
}
