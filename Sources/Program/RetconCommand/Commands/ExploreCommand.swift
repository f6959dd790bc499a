import ForkSearch
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

struct ExploreCommand: TypedCommand {
  let asking: Asking
  let options: SearchOptions
  var reversals = 3
  var findsAll = false
  var name: String?

  private static let seconds = 60

  static let declaration = CommandDeclaration(
    name: "explore", usage: "FILE[@STEP] --rule CONDITION (--host COMMAND | --reducer FILE.js)",
    summary: "try other orders of what was in flight",
    discussion: """
      From STEP on, answers come earlier or later, before or after the user's actions, never, or as
      they came another time. Causes stay before their effects. Orders with the same result are
      tried once, the nearest to the recording first. Each finding has a name and the fewest actions
      that break the rule. Exit status 1: something breaks it. 2: the search found nothing, and
      stopped before it tried all, nothing could come in another order, or only a guess breaks the
      rule.
      """,
    options: SearchOptions.declarations(seconds: seconds) + [
      Option("reversals", value: "N", help: "the number of pairs to reverse at once (3)"),
      Option("all", letter: "a", help: "continue after a finding"),
      Option("name", value: "NAME", help: "keep what is found as forks: NAME, NAME 2 and so on"),
    ] + Asking.hosted)

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context, for: .forking(isKept: name != nil)) { session in
      let search = try await options.exploration(session)
      let start = session.step ?? session.branch.steps.lowerBound
      let found = try await options.searching(search, session) { trials in
        try await Explorer(search.base, search.goal, trials, from: start)
          .explore(reversals: reversals, all: findsAll)
      }
      if let name {
        for (index, hit) in found.hits.enumerated() {
          let name = index == 0 ? name : "\(name) \(index + 1)"
          try session.saveFork(name, hit.shortest, note: hit.name)
        }
      }
      session.show(found.hits.flatMap(\.lines) + [found.sentence], json: found.value)
      guard found.hits.isEmpty else { return .no }
      return found.stopped == nil && found.tried > 0 && found.assumed == 0 ? .yes : .trouble
    }
  }
}

extension ExploreCommand {
  init(_ given: ParsedArguments) throws {
    let asking = try Asking(given, Self.declaration)
    self.init(
      asking: asking, options: try SearchOptions(given, of: asking, seconds: Self.seconds),
      reversals: try given.count("reversals") ?? 3, findsAll: given.has("all"),
      name: given.value("name"))
  }
}

extension Exploration {
  fileprivate var value: Value {
    [
      "hits": .list(hits, \.value), "tried": Value(tried), "runs": Value(runs),
      "events": Value(events), "reversals": Value(reversals), "guesses": Value(assumed),
      "stopped": stopped.map { .string("\($0)") } ?? .null,
      "otherFailures": .list(otherFailures, Value.string),
    ]
  }
}

extension Exploration.Hit {
  fileprivate var lines: [String] {
    let actions = minimum?.actions.map { "  \($0.step) \($0.label)" } ?? []
    return ["✗ \(name)"] + actions + ["  \(verdict.standingWords)"]
  }

  fileprivate var value: Value {
    [
      "name": .string(name), "known": .bool(verdict.isKnown),
      "assumptions": .list(verdict.assumptions) { .string($0.sentence) },
      "actions": minimum.map { .list($0.actions) { Value($0.step) } } ?? .null,
      "script": shortest.value,
    ]
  }
}
