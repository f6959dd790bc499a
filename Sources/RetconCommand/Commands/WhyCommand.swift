import ForkSearch
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

/// `retcon why`: the chain of causes, each link tested.
struct WhyCommand: Command {
  static let declaration = CommandDeclaration(
    name: "why", usage: "FILE@[BRANCH/]STEP [PLACE] (--host COMMAND | --reducer FILE.js)",
    summary: "say why it happens, and test each cause",
    discussion: """
      Asks why a place of the state has its value after the step, or, with --until, --rule or --crash, why
      that happens. Each link of the chain of causes is left out alone and the rest run again: it is
      necessary, or contributing, or it says why it was not tested. Then comes how late it could still have
      been avoided: the share of variations from a step on in which it still happens.
      """,
    options: SearchOptions.declarations + [
      OptionDeclaration(
        "name", value: "NAME", help: "keep the nearest session without it as a fork")
    ] + Asking.hosted)

  let asking: Asking
  let options: SearchOptions
  let place: PlaceArgument?
  let name: String?

  init(_ arguments: ParsedArguments) throws {
    options = try SearchOptions(arguments)
    let hasPlace = arguments.positionals.count > 1
    asking = try Asking(arguments, Self.declaration, behind: hasPlace ? ["a place"] : [])
    place = try asking.words.first.map { try PlaceArgument($0) }
    name = arguments.value("name")
    guard options.wanted == nil || place == nil else {
      throw UsageError(
        what: "why is asked about a place or about what happens, not both",
        next: "Leave out \(asking.words[0])")
    }
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context, for: .forking(isKept: name != nil)) { session in
      let search =
        options.wanted == nil
        ? try await ending(session) : try await options.search(session)
      let progress = ProgressLine(output: context.output, name: asking.position.file)
      let trials = options.trials(search) { progress.show(counted($0, "run")) }
      let reasoner = Reasoner(search.base, search.goal, trials)
      let reason = try await Interrupt.heeding { try await reasoner.reason() }
      progress.clear()
      if let name, let avoided = reason.avoided {
        try session.keep(
          name, avoided.script, note: avoided.words, context.output)
      }
      show(reason, context)
      return .yes
    }
  }

  /// Why the place has this value: the one that was named, or the one that the step has changed.
  private func ending(_ session: AskedSession) async throws -> HostTrials {
    let here = session.here
    let state = try await session.state(at: here)
    var pointer = place?.pointer
    if pointer == nil, here.step > session.branch.steps.lowerBound {
      let before = try await session.state(at: session.at(here.step - 1))
      let changed = ValueDifference(from: before, to: state).changes.map(\.path.text)
      guard changed.count == 1, let only = changed.first else {
        throw UsageError(
          what: "step \(here.step) changes "
            + (changed.isEmpty
              ? "nothing"
              : changed.prefix(8)
                .joined(separator: ", ")),
          next: "Name a place, or say what happens with --until or --rule")
      }
      pointer = try PlaceArgument(only).pointer
    }
    return try await options.search(
      session, upTo: here.step, .ends(pointer ?? [], with: state[pointer ?? []]))
  }

  private func show(_ reason: Reason, _ context: CommandContext) {
    if asking.isJSON { return context.output.json(reason.value) }
    for line in reason.lines + reason.sentences { context.show(line) }
  }
}

extension Reason {
  fileprivate var value: Value {
    [
      "links": .array(
        ValueArray(
          links.map {
            [
              "step": .number(Number($0.step)), "label": .string($0.label),
              "parent": $0.parent.map { .number(Number($0)) } ?? .null,
              "mark": .string($0.mark.words),
            ]
          })),
      "avoided": avoided.map {
        ["without": .number(Number($0.step)), "script": $0.script.value]
      } ?? .null,
      "curve": .array(
        ValueArray(
          curve.map {
            [
              "after": .number(Number($0.after)), "happened": .number(Number($0.happened)),
              "tried": .number(Number($0.tried)),
            ]
          })),
      "jump": jump.map {
        ["from": .number(Number($0.from.after)), "to": .number(Number($0.to.after))]
      } ?? .null,
      "sealedAt": sealed.map { .number(Number($0.after)) } ?? .null,
      "runs": .number(Number(runs)), "known": .bool(verdict.isKnown),
      "stopped": stopped.map { .string("\($0)") } ?? .null,
    ]
  }
}
