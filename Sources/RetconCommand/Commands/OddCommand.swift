import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

struct OddCommand: TypedCommand {
  let asking: Asking
  var limit = 20

  static let declaration = CommandDeclaration(
    name: "odd", usage: "FILE[@BRANCH/]",
    summary: "list the steps that are unlike their kind",
    discussion: """
      Without a question: an action that left a place alone that it usually changes, or changed one
      that others usually change; a number that went back or fell below zero; a list that grew by
      another number than usual; a request without an answer, an answer without a request, two
      requests at once; the same action twice; an effect that took far longer than others.

      The most surprising comes first. What is usual, the session itself says: of an action that came
      less than five times, little is known. An odd step may be right.
      """,
    options: [
      Option("limit", letter: "n", value: "N", help: "the most to list (20)"),
      Asking.range("of these steps"),
    ] + Asking.hosted)

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context) { session in
      let steps =
        session.step == nil || asking.range != nil ? try session.steps : session.branch.steps
      let found = try await session.open.oddities(
        of: session.branch.id, in: steps, limit: limit)
      for oddity in found {
        session.show(
          ["\(oddity.step)  \(oddity.line)"],
          json: .line([
            "step": oddity.step, "label": oddity.label, "kind": oddity.kind.rawValue,
            "words": oddity.sentence, "surprise": Value.number(Number(oddity.surprise)),
            "others": oddity.others,
          ]))
      }
      if found.isEmpty { context.tell("No step is unlike its kind.") }
      return found.isEmpty ? .no : .yes
    }
  }
}

extension OddCommand {
  init(_ given: ParsedArguments) throws {
    self.init(asking: try Asking(given, Self.declaration), limit: try given.count("limit") ?? 20)
  }
}
