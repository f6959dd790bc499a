import Debugger
import TextCanvas
import TimeTravel
import ValueTree

/// `retcon watch`: how places of the state change from step to step.
struct WatchCommand: Command {
  static let declaration = CommandDeclaration(
    name: "watch", usage: "FILE PLACE…", summary: "print parts of the state where they change",
    discussion: """
      PLACE is a pointer (/cart/total) or a path (cart.total). There is a line for the first step and for
      each at which one of the values is another.
      """,
    options: [
      Asking.range("at these steps"),
      OptionDeclaration("all", letter: "a", help: "a line for every step"),
    ] + Asking.hosted)

  let asking: Asking
  let places: [PlaceArgument]
  let showsAll: Bool

  init(_ arguments: ParsedArguments) throws {
    asking = try Asking(arguments, Self.declaration, behind: ["a place…"])
    places = try asking.words.map { try PlaceArgument($0) }
    showsAll = arguments.has("all")
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context, for: .states) { session in
      let steps = try session.steps(asking.range)
      let pointers = places.map(\.pointer)
      var (last, isFound) = ([Value?]?.none, false)
      try await session.open.follow(pointers, in: steps, of: session.branch.name) { step, state in
        let values = pointers.map { state?[$0] }
        isFound = isFound || values.contains { $0 != nil }
        defer { last = values }
        if showsAll || last != values { try show(values, at: step, session, context) }
        return true
      }
      if !isFound, let state = try await session.open.state(at: session.at(steps.upperBound)) {
        for place in places {
          context.deny(
            "nothing ever was at \(place.pointer)", meant: place.pointer.nearest(in: state))
        }
      }
      return isFound ? .yes : .no
    }
  }

  private func show(
    _ values: [Value?], at step: Int, _ session: AskedSession, _ context: CommandContext
  ) throws {
    let label = try session.open.step(at: session.at(step)).step.label
    if asking.isJSON {
      let members = zip(places, values).map { place, value in
        (key: "\(place.pointer)", value: value ?? .null)
      }
      return context.output.json([
        "step": .number(Number(step)), "label": .string(label),
        "values": .object(ValueObject(members)),
      ])
    }
    let texts = values.map { $0.map { ValuePreview.text($0, limit: 60) } ?? "not there" }
    context.show("\(step)  " + texts.joined(separator: "  ") + "  \(label)")
  }
}
