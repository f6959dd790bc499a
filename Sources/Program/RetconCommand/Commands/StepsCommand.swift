import Platform
import TextCanvas
import TimeTravel
import ValueTree

struct StepsCommand: TypedCommand {
  let asking: Asking
  let question: StepQuestion?

  static let declaration = CommandDeclaration(
    name: "steps", usage: "FILE[@BRANCH/STEP]", summary: "list the steps",
    discussion: """
      Each line has the number of the step, its time, what sent it, its label and the beginning of
      what the action carries. The sender is ⚡ for an effect, ↳ for the reducer, ⇢ for a source
      outside the app, ◦ for an unknown one, and nothing for the user.
      """,
    options: [
      Option("where", letter: "w", value: "CONDITION", help: "only those for which it holds"),
      Asking.range("only these"),
    ] + Asking.hosted + SessionList.options)

  func run(in context: CommandContext) async throws -> ExitCode {
    if let question {
      return try await FindCommand(asking: asking, question: question, only: nil).run(in: context)
    }
    return try await asking.ask(in: context) { session in
      let lines = StepLines(session)
      for step in try session.steps { try lines.show(step) }
      return .yes
    }
  }
}

extension StepsCommand {
  init(_ given: ParsedArguments) throws {
    let asking = try Asking(given, Self.declaration)
    self.init(asking: asking, question: try given.value("where").map { try asking.question($0) })
  }
}

struct StepLines: Sendable {
  private let session: QueriedSession
  private let digits: Int
  private let timeWidth: Int
  private let marks: [Position: String]
  private let branch: Branch

  init(_ session: QueriedSession, branch: Branch? = nil) {
    self.session = session
    self.branch = branch ?? session.branch
    let last = Position(branch: self.branch.id, step: self.branch.steps.upperBound)
    digits = String(last.step).count
    let time = (try? session.open.step(at: last))?.step.time
    timeWidth = max(6, time?.listText.count ?? 0)
    marks = session.open.marks
  }

  func show(_ number: Int) throws {
    try Interruption.check()
    let position = Position(branch: branch.id, step: number)
    if session.isJSON {
      var words = try session.open.words(at: position)
      if let note = marks[position] { words["mark"] = .string(note) }
      return session.context.output.json(.object(words))
    }
    guard let row = try session.open.rows(number...number, of: position.branch).first else {
      return
    }
    session.context.show(text(of: row, at: position))
  }

  private func text(of row: StepRow, at position: Position) -> String {
    var parts = [
      String(repeating: " ", count: digits - String(row.number).count) + String(row.number)
    ]
    if let time = row.time {
      let text = time.listText
      parts.append(String(repeating: " ", count: max(0, timeWidth - text.count)) + text)
    }
    if !branch.isMain || session.open.summary.wasBranch {
      parts.append(row.standing?.glyphs ?? "  ")
    }
    var label = row.label + (row.payload.isEmpty ? "" : " \(row.payload)")
    if row.isSkipped { label = "⊘ " + label }
    if let error = row.error { label = "\(row.isNotRun ? "" : "✗ ")\(label)  \(error)" }
    if let note = marks[position] { label += note.isEmpty ? "  ▲" : "  ▲ \(note)" }
    return parts.joined(separator: "  ") + "  " + row.cause.glyph + label
  }
}
