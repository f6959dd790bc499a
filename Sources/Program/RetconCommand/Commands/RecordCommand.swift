import Platform
import Samples
import SessionFile
import SessionWords
import TimeTravel
import ValueTree

struct RecordCommand: Command {
  static let declaration = CommandDeclaration(
    name: "record", usage: "SAMPLE SCRIPT -o NEW", summary: "record a sample driven by a script",
    discussion: """
      SCRIPT (- for standard input) has a line for each thing that a person does: {"after": 0.5, "action":
      …}, in seconds since the one before, or the action alone. Time is a test clock's: the session is
      there at once, and the same every time. The samples: \
      \(Samples.all.map { $0.name }.joined(separator: ", ")).
      """,
    options: [
      Option(
        "output", letter: "o", value: "NEW", help: "the file to write (- for standard output)"),
      Option("seed", value: "N", help: "of the sample's random numbers (7)"),
    ])

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    guard given.positionals.count == 2, let output = given.value("output") else {
      throw UsageError(
        what: "record needs a sample, a script and a file to write",
        next: "Write retcon record \(CounterSample.name) SCRIPT.jsonl -o NEW.retcon")
    }
    let sample = try Samples.known(given.positionals[0])
    let script = given.positionals[1]
    let text = given.value("seed") ?? "7"
    guard let seed = UInt64(text) else {
      throw UsageError(
        what: "--seed is \(text), and has to be a whole number", next: "Write --seed 7")
    }
    let local = try LocalFile(script, in: context.environment, isSession: false)
    defer { withExtendedLifetime(local) {} }
    let lines = try FileSystem.text(of: local.path, most: 4 << 20).split(
      separator: "\n", omittingEmptySubsequences: false)
    let file = OutputFile(name: output)
    let count = try await file.write(in: context) { path in
      try await record(lines, of: script, by: sample, to: path, seed: seed)
      return try SessionReader(path: path).stepCount
    }
    context.tell("\(file.shownName): \(counted(count, "step"))")
    return .yes
  }

  private static func record<Recorded: Sample>(
    _ lines: [Substring], of script: String, by sample: Recorded.Type, to path: String, seed: UInt64
  ) async throws {
    var moves: [DemoMove<Recorded.App.Action>] = []
    for (index, line) in lines.enumerated() where line.contains(where: { $0 != " " }) {
      var value = Value.null
      do {
        value = try Value(parsing: String(line))
        let pause = Duration(decimalSeconds: value["after"]) ?? .milliseconds(500)
        let action = try ValueDecoder().decode(
          Recorded.App.Action.self, from: value["action"] ?? value)
        moves.append(DemoMove(after: pause, action))
      } catch {
        let near = sample.nearestAction(to: value["action"] ?? value)
        throw UsageError(
          what: "\(script), line \(index + 1): no action of \(sample.title)"
            + (near == nil ? ": \(error)" : ""),
          next: near.map { "Did you mean \($0)?" }
            ?? "retcon steps --json shows actions of a recorded demo")
      }
    }
    guard await sample.record(moves, to: path, seed: seed).path != nil else {
      throw UsageError(what: "nothing can be recorded in \(path)", next: "Name another file")
    }
  }
}

extension Sample {
  fileprivate static func nearestAction(to value: Value) -> String? {
    func name(_ value: Value?) -> String? {
      if case .object(let object)? = value { object.first?.key } else { nil }
    }
    let known = Set(demo().compactMap { name(try? ValueEncoder().encode($0.action)) })
    return name(value).flatMap {
      known.contains($0) ? nil : suggestion(for: $0, among: known.sorted())
    }
  }
}

extension Samples {
  static func known(_ name: String) throws(UsageError) -> any Sample.Type {
    if let sample = named(name) { return sample }
    throw UsageError(
      what: "there is no sample named \(name)",
      next: suggestion(for: name, among: all.map { $0.name }).map { "Try \($0)" }
        ?? "There are " + all.map { $0.name }.joined(separator: ", "))
  }
}
