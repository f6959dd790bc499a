import ForkSearch
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

struct WhyCommand: TypedCommand {
  let asking: Asking
  let options: SearchOptions
  let place: Pointer?
  var name: String?

  static let declaration = CommandDeclaration(
    name: "why", usage: "FILE@[BRANCH/]STEP [PLACE] (--host COMMAND | --reducer FILE.js)",
    summary: "say why it happens, and test each cause",
    discussion: """
      Asks why a place of the state has its value after the step, or, with --until, --rule or
      --crash, why that happens. It skips each link of the chain of causes alone and runs the rest
      again. A link is then necessary, contributing, or not tested, with the reason. The last lines
      say how late it could still have been avoided: for a step, the share of changed forks from
      there in which it still happens.
      """,
    options: SearchOptions.declarations + [
      Option("name", value: "NAME", help: "keep the nearest session without it as a fork")
    ] + Asking.hosted)

  func run(in context: CommandContext) async throws -> ExitCode {
    guard options.wanted == nil || place == nil else {
      throw UsageError(
        what: "why takes a place or a condition, not both",
        next: "Leave out the place")
    }
    return try await asking.ask(in: context, for: .forking(isKept: name != nil)) { session in
      let search =
        options.wanted == nil
        ? try await options.search(session, forEndAt: place) : try await options.search(session)
      let reason = try await options.searching(search, session) { trials in
        try await Reasoner(search.base, search.goal, trials, looks: search) {
          if !session.isJSON { context.show($0) }
        }.reason()
      }
      if let name, let avoided = reason.avoided {
        try session.saveFork(name, avoided.script, note: avoided.words)
      }
      let rest = reason.finished.filter { !$0.isTold }.map(reason.line)
      session.show(rest + reason.sentences, json: reason.value)
      return .yes
    }
  }
}

extension WhyCommand {
  init(_ given: ParsedArguments) throws {
    let asking = try Asking(given, Self.declaration, behind: 0...1)
    self.init(
      asking: asking, options: try SearchOptions(given, of: asking),
      place: try asking.words.first.map { try Pointer(typed: $0) },
      name: given.value("name"))
  }
}

extension SearchOptions {
  /// Explains the value of the named place, else of the one that the step changed.
  fileprivate func search(
    _ session: QueriedSession, forEndAt place: Pointer?
  ) async throws -> HostTrials {
    let here = session.here
    let state = try await session.state(at: here)
    var pointer = place
    if pointer == nil, here.step > session.branch.steps.lowerBound {
      let before = try await session.state(at: session.at(here.step - 1))
      let changed = ValueDifference(from: before, to: state).changes.map(\.path.text)
      guard changed.count == 1, let only = changed.first else {
        throw UsageError(
          what: "step \(here.step) changes "
            + (changed.isEmpty ? "nothing" : changed.prefix(8).joined(separator: ", ")),
          next: "Name a place, or say what happens with --until or --rule")
      }
      pointer = try Pointer(typed: only)
    }
    if let place = pointer {
      pointer = try await session.open.resolved(place, of: session.branch.id)
    }
    if let place = pointer, state[place] == nil {
      let was = try await session.open.history(of: place, at: here, limit: 1)
      guard !was.periods.isEmpty else {
        throw UsageError(
          what: session.open.sentence(
            forNoValueAt: place, upTo: here, areAllKnown: was.isWhole),
          next: place.nearest(in: state).map { "Did you mean \($0)?" }
            ?? "retcon state shows the places")
      }
    }
    let found = try await session.open.goal(endingWith: pointer ?? [], at: here)
    return try await search(session, upTo: found.step, found.goal)
  }
}

extension Reason {
  fileprivate var value: Value {
    [
      "links": .list(links) {
        [
          "step": Value($0.step), "label": .string($0.label),
          "parent": $0.parent.map { Value($0) } ?? .null, "mark": .string($0.mark.words),
        ]
      },
      "avoided": avoided.map { ["without": Value($0.step), "script": $0.script.value] } ?? .null,
      "curve": .list(curve) {
        ["after": Value($0.after), "happened": Value($0.happened), "tried": Value($0.tried)]
      },
      "jump": curve.jump.map { ["from": Value($0.from.after), "to": Value($0.to.after)] } ?? .null,
      "sealedAt": sealed.map { Value($0.after) } ?? .null,
      "runs": Value(runs), "known": .bool(verdict.isKnown),
      "stopped": stopped.map { .string("\($0)") } ?? .null,
    ]
  }
}
