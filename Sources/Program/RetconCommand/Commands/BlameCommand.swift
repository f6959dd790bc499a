import TextCanvas
import TimeTravel
import ValueTree

struct BlameCommand: TypedCommand {
  let asking: Asking
  let place: Pointer
  var step: Int?
  var isLast = false
  var limit = 20

  static let declaration = CommandDeclaration(
    name: "blame", usage: "FILE[@[BRANCH/]STEP] PLACE[@STEP]",
    summary: "say which step set a part of the state",
    discussion: """
      PLACE is a pointer (/cart/items/3), a path (cart.items[3]), or the value of a function of your
      own (selectors.mjs#total). @STEP, or the last step, is
      where you ask from. Its value has the first block, then come those before and after it, the
      newest first. A block says how long the place had the value, the action that set it, and the
      chain of causes back to the user. An element of a list is followed as it moves, until it is
      removed.
      """,
    options: [
      Option("last", letter: "1", help: "only the value at that step"),
      Option(
        "limit", letter: "n", value: "N",
        help: "the number of values before and after the step (20)"),
    ] + Asking.hosted)

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context) { session in
      let here = session.at(step ?? session.here.step)
      let history = try await session.open.history(
        of: place, at: here, limit: isLast ? 1 : limit)
      guard !history.periods.isEmpty else {
        let state = try await session.state(at: here)
        let words = session.open.sentence(
          forNoValueAt: place, upTo: here, areAllKnown: history.isWhole)
        context.deny(words, meant: place.nearest(in: state))
        return .no
      }
      let asked = history.periods.filter { $0.steps.contains(here.step) }
      let others = history.periods.reversed().filter { !$0.steps.contains(here.step) }
      for period in asked + (isLast ? [] : others) { try Self.show(period, session) }
      for words in session.open.summary.caveats(of: history) { context.tell(words) }
      if !history.isWhole, !isLast {
        context.tell("There were more values. Ask at an earlier step, or raise --limit.")
      }
      return .yes
    }
  }

  private static func show(_ period: PlacePeriod, _ session: QueriedSession) throws {
    let first = period.steps.lowerBound
    let isStart = first == session.branch.steps.lowerBound
    let causes = isStart ? [] : try session.open.causes(of: session.at(first))
    let isOfFork = !session.branch.isMain
    if session.isJSON {
      let words = isOfFork ? try session.open.words(at: session.at(first)) : [:]
      return session.context.output.json(
        .line([
          "step": first, "until": period.steps.upperBound, "place": period.place,
          "value": period.value, "known": period.isKnown ? nil : Value.bool(false),
          "standing": words["standing"], "causes": Value.list(causes, \.value),
        ]))
    }
    var lines = try session.open.lines(of: period, on: session.branch.id)
    session.context.show(lines.removeFirst())
    if isOfFork { try session.context.show("  " + session.worth(of: session.at(first))) }
    for line in lines { session.context.show(line) }
  }
}

extension BlameCommand {
  init(_ given: ParsedArguments) throws {
    var asking = try Asking(given, Self.declaration, behind: 1...1, "a place")
    let (text, step) = TypedPlace.split(asking.words[0])
    let place = try asking.places([text])[0]
    self.init(
      asking: asking, place: place, step: step, isLast: given.has("last"),
      limit: try given.count("limit") ?? 20)
  }
}

extension CauseLink {
  var value: Value {
    .line(["step": step, "label": label, "cause": cause?.words(named: effect?.name)])
  }
}
