import SessionLog
import TextCanvas
import ValueTree

/// `retcon info`: what a session is, in a few lines.
struct InfoCommand: Command {
  static let declaration = CommandDeclaration(
    name: "info", usage: "FILE", summary: "say what a session holds, and what is wrong with it",
    options: [OptionDeclaration("json", help: "as one JSON object")])

  let session: SessionArgument
  let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    session = try SessionArgument(arguments, command: "info")
    isJSON = arguments.has("json")
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let reader = try session.open()
    let facts = try self.facts(reader)
    if isJSON {
      context.output.line(Value.object(ValueObject(facts)).text())
      return .yes
    }
    let width = facts.map(\.key.count).max() ?? 0
    for (key, value) in facts {
      let name = key + String(repeating: " ", count: width - key.count)
      for text in texts(value) { context.output.line("\(name)  \(SafeText.line(text))") }
    }
    return .yes
  }

  private func facts(_ reader: SessionReader) throws -> [ValueObject.Element] {
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
    return facts
  }

  private func duration(_ reader: SessionReader) throws -> String? {
    guard let end = try reader.step(reader.steps.upperBound).time else { return nil }
    let time = end - (reader.header.firstTime ?? .zero)
    let seconds = Int(time.components.seconds)
    return "\(seconds / 60) min \(seconds % 60) s"
  }

  private func list(_ texts: [String]) -> Value? {
    guard !texts.isEmpty else { return .none }
    return .array(ValueArray(texts.map { .string($0) }))
  }

  private func texts(_ value: Value) -> [String] {
    switch value {
    case .string(let text): [text]
    case .array(let array): array.flatMap(texts)
    default: [value.text()]
    }
  }
}
