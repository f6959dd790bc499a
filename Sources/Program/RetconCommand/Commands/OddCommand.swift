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
      The session itself says what usually holds: sums that stay, places that are equal, lists without
      doubles, references to what is there, what an action makes of its payload, what it changes and
      what it undoes, requests with one answer each. The first step that breaks such a law is listed,
      the most surprising first, of each kind at most a tenth of the list.

      Of what happened less than eight times, little is known. An odd step may be right.
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
