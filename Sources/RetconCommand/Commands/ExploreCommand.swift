import ForkSearch
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

/// `retcon explore`: the orders in which answers could have come, and what breaks in them.
struct ExploreCommand: Command {
  static let declaration = CommandDeclaration(
    name: "explore", usage: "FILE[@STEP] --rule CONDITION (--host COMMAND | --reducer FILE.js)",
    summary: "try other orders of what was in flight",
    discussion: """
      From the step on, answers come earlier or later, before or after what the user did, or never, or are
      those that came another time. Causes stay before what they cause. Orders that cannot differ are tried
      once, those nearest to the recording first. What breaks the rule is told with its name and the fewest
      actions that it takes. Exit status 1 says that something does.
      """,
    options: SearchOptions.declarations + [
      OptionDeclaration("reversals", value: "N", help: "turn round so many pairs at once (3)"),
      OptionDeclaration("all", letter: "a", help: "go on where something was found"),
      OptionDeclaration(
        "name", value: "NAME", help: "keep what is found as forks: NAME, NAME 2 and so on"),
    ] + Asking.hosted)

  let asking: Asking
  let options: SearchOptions
  let reversals: Int
  let goesOn: Bool
  let name: String?

  init(_ arguments: ParsedArguments) throws {
    asking = try Asking(arguments, Self.declaration)
    options = try SearchOptions(arguments)
    reversals = try SearchOptions.number("reversals", arguments) ?? 3
    goesOn = arguments.has("all")
    name = arguments.value("name")
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context, for: .forking(isKept: name != nil)) { session in
      let search = try await options.exploration(session)
      let progress = ProgressLine(output: context.output, name: asking.position.file)
      let trials = options.trials(search) { progress.show(counted($0, "run")) }
      let explorer = Explorer(
        search.base, search.goal, trials, from: session.step ?? session.branch.steps.lowerBound)
      let found = try await Interrupt.heeding { [reversals, goesOn] in
        try await explorer.explore(reversals: reversals, all: goesOn)
      }
      progress.clear()
      for (index, hit) in found.hits.enumerated() {
        guard let name else { break }
        try session.keep(
          index == 0 ? name : "\(name) \(index + 1)", hit.shortest, note: hit.name, context.output)
      }
      show(found, context)
      return found.hits.isEmpty ? .yes : .no
    }
  }

  private func show(_ found: Exploration, _ context: CommandContext) {
    if asking.isJSON { return context.output.json(found.value) }
    for hit in found.hits {
      context.show("✗ \(hit.name)")
      if let minimum = hit.minimum {
        for action in minimum.actions {
          context.show("  \(action.step) \(action.label)")
        }
      }
      context.show("  \(hit.verdict.standingWords)")
    }
    context.show(found.sentence)
  }
}

extension Exploration {
  fileprivate var value: Value {
    [
      "hits": .array(
        ValueArray(
          hits.map { hit in
            [
              "name": .string(hit.name), "known": .bool(hit.verdict.isKnown),
              "assumptions": .array(
                ValueArray(hit.verdict.assumptions.map { .string($0.sentence) })),
              "actions": hit.minimum.map {
                .array(ValueArray($0.actions.map { .number(Number($0.step)) }))
              } ?? .null,
              "script": hit.shortest.value,
            ]
          })),
      "tried": .number(Number(tried)), "runs": .number(Number(runs)),
      "events": .number(Number(events)), "reversals": .number(Number(reversals)),
      "stopped": stopped.map { .string("\($0)") } ?? .null,
      "otherFailures": .array(ValueArray(otherFailures.map { .string($0.words) })),
    ]
  }
}
