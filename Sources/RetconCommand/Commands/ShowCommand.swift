import Debugger
import TextCanvas
import TimeTravel
import ValueTree

/// `retcon show`: all that is known of one step, as the panes of the debugger show it.
struct ShowCommand: Command {
  static let declaration = CommandDeclaration(
    name: "show", usage: "FILE@[BRANCH/]STEP", summary: "show all that is known of one step",
    discussion: """
      The action and what sent it, back to what the person did; what it changed; what dependencies gave;
      the effects around it. Without a step it is the last one. --pane chooses one of the panes.
      """,
    options: [
      OptionDeclaration(
        "pane", letter: "p", value: "NAME",
        help: "only this: " + panes.map { $0.rawValue.lowercased() }.joined(separator: ", "))
    ] + Asking.hosted)

  private static let panes = Pane.allCases.filter { $0 != .watch }

  let asking: Asking
  let panes: [Pane]

  init(_ arguments: ParsedArguments) throws {
    asking = try Asking(arguments, Self.declaration)
    guard let name = arguments.value("pane") else {
      panes = [.action, .diff, .effects, .reads]
      return
    }
    guard let pane = Self.panes.first(where: { $0.rawValue.lowercased() == name.lowercased() })
    else {
      throw UsageError(
        what: "there is no pane \(name)",
        next: "There are " + Self.panes.map { $0.rawValue.lowercased() }.joined(separator: ", "))
    }
    panes = [pane]
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context) { session in
      let position = session.here
      let moment = try await session.open.moment(at: position)
      if asking.isJSON {
        context.output.json(try value(of: moment, session))
        return .yes
      }
      for (index, pane) in panes.enumerated() {
        if panes.count > 1 {
          context.output.line((index == 0 ? "" : "\n") + "\(pane.rawValue)")
        }
        for line in pane.lines(of: moment, width: 100) { context.output.line(line) }
        guard pane == .action else { continue }
        for line in try session.open.causes(of: position).lines.dropFirst() {
          context.show("  " + line)
        }
      }
      return .yes
    }
  }

  private func value(of moment: Moment, _ session: AskedSession) throws -> Value {
    var words = try session.open.words(at: moment.position)
    words["causes"] = .array(
      ValueArray(try session.open.causes(of: moment.position).map(\.value)))
    if let old = moment.previousState, let new = moment.state {
      words["changes"] = Patch(from: old, to: new).value
    }
    words["effects"] = .array(ValueArray(moment.effects.map(\.value)))
    if let trouble = moment.trouble { words["trouble"] = .string(trouble) }
    return .object(words)
  }
}

/// `retcon state`: the state after a step, or a part of it, as JSON.
struct StateCommand: Command {
  static let declaration = CommandDeclaration(
    name: "state", usage: "FILE@[BRANCH/]STEP [PLACE]",
    summary: "print the state after a step, or a part of it",
    discussion: """
      PLACE is a pointer (/cart/items/3) or a path (cart.items[3]). Without a step it is the last one.
      Exit status 1 says that nothing is there.
      """,
    options: [OptionDeclaration("json", help: "on one line")] + Asking.hosted.dropFirst())

  let asking: Asking
  let place: PlaceArgument

  init(_ arguments: ParsedArguments) throws {
    let hasPlace = arguments.positionals.count > 1
    asking = try Asking(arguments, Self.declaration, behind: hasPlace ? ["a place"] : [])
    place = try PlaceArgument(asking.words.first ?? "")
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context, for: .states) { session in
      let position = session.at(place.step ?? session.here.step)
      let state = try await session.state(at: position)
      guard let value = state[place.pointer] else {
        context.deny(
          "nothing is at \(place.pointer) after step \(position.text)",
          meant: place.pointer.nearest(in: state))
        return .no
      }
      try session.tellWorth(of: position, context)
      if asking.isJSON {
        context.output.json(value)
      } else {
        context.output.line(SafeText.json(value.text(.pretty)))
      }
      return .yes
    }
  }
}
