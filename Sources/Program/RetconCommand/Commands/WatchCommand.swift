import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

struct WatchCommand: Command {
  static let declaration = CommandDeclaration(
    name: "watch", usage: "FILE … PLACE…", summary: "print parts of the state where they change",
    discussion: """
      PLACE is a pointer (/cart/total), a path (cart.total), or the value of a function of your own
      (selectors.mjs#total). There is a line for the first step and for each at which one of the
      values is another. Exit status 2: no state has a value, but some states are unknown.
      """,
    options: [
      Asking.range("at these steps"),
      Option("all", letter: "a", help: "a line for every step"),
    ] + Asking.hosted + SessionList.options)

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    var asking = try Asking(given, declaration, behind: 1...Int.max, "a place")
    let typed = try asking.places(asking.words)
    return try await asking.ask(in: context, for: .states) { session in
      var pointers: [Pointer] = []
      for place in typed {
        pointers.append(try await session.open.resolved(place, of: session.branch.id))
      }
      let steps = try session.steps
      let (summary, untoldStart) = (session.open.summary, session.open.untoldStart)
      var (last, isFound, isRedacted, unknown) = ([Value?]??.none, false, false, 0)
      try await session.open.visit(pointers, in: steps, of: session.branch.id) { step, state in
        let values = state.map { state in pointers.map { state[$0] } }
        if values == nil, step != untoldStart { unknown += 1 }
        isFound = isFound || values?.contains { $0 != nil } == true
        defer { last = .some(values) }
        if given.has("all") || last != .some(values) {
          try show(values, of: pointers, at: step, session)
          isRedacted = isRedacted || values?.contains(where: summary.isRedacted(in:)) == true
        }
        return true
      }
      if isRedacted { context.tell(RecordingSummary.redactedCaveat) }
      if unknown > 0 { context.warn([QueriedSession.words(for: unknown, without: "state")]) }
      if !isFound,
        let state = try await session.open.knownState(at: session.at(steps.upperBound))
      {
        for place in pointers {
          let words = session.open.sentence(
            forNoValueAt: place, from: steps.lowerBound, upTo: session.at(steps.upperBound),
            areAllKnown: unknown == 0)
          context.deny(words, meant: place.nearest(in: state))
        }
      }
      return isFound ? .yes : unknown > 0 ? .trouble : .no
    }
  }

  private static func show(
    _ values: [Value?]?, of places: [Pointer], at step: Int, _ session: QueriedSession
  ) throws {
    let label = try session.open.step(at: session.at(step)).step.label
    let members = values.map { zip(places, $0).map { (key: "\($0)", value: $1 ?? .null) } }
    let texts =
      values?.map { $0.map { ValuePreview.text($0, limit: 60) } ?? "not there" }
      ?? places.map { _ in "unknown" }
    session.show(
      ["\(step)  " + texts.joined(separator: "  ") + "  \(label)"],
      json: [
        "step": Value(step), "label": .string(label),
        "values": members.map { .object(ValueObject($0)) } ?? .null,
      ])
  }
}
