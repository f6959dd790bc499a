import Debugger
import TextCanvas
import TimeTravel
import ValueTree

struct ShowCommand: TypedCommand {
  let asking: Asking
  var shown: [Pane] = [.action, .diff, .effects, .reads]

  static let declaration = CommandDeclaration(
    name: "show", usage: "FILE@[BRANCH/]STEP", summary: "show everything about one step",
    discussion: """
      The action and what sent it, back to what the person did; what it changed; what dependencies gave;
      the effects around it. Without a step it is the last one. --pane chooses one of the panes.
      """,
    options: [
      Option(
        "pane", letter: "p", value: "NAME", choices: panes.map { $0.rawValue.lowercased() },
        help: "only this: " + panes.map { $0.rawValue.lowercased() }.joined(separator: ", "))
    ] + Asking.hosted)

  private static let panes = Pane.allCases.filter { $0 != .watch }

  private static func pane(_ name: String) throws -> Pane {
    if let pane = panes.first(where: { $0.rawValue.lowercased() == name.lowercased() }) {
      return pane
    }
    throw UsageError(
      what: "there is no pane \(name)",
      next: "There are " + panes.map { $0.rawValue.lowercased() }.joined(separator: ", "))
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context) { session in
      let position = session.here
      let moment = try await session.open.moment(at: position)
      if session.isJSON {
        context.output.json(try Self.value(of: moment, session))
        return .yes
      }
      for (index, pane) in shown.enumerated() {
        if shown.count > 1 {
          context.output.line((index == 0 ? "" : "\n") + "\(pane.rawValue)")
        }
        for line in pane.lines(of: moment, in: session.open.branches, width: 100) {
          context.output.line(line)
        }
        guard pane == .action else { continue }
        for line in try session.open.causes(of: position).lines.dropFirst() {
          context.show("  " + line)
        }
      }
      return .yes
    }
  }

  private static func value(of moment: Moment, _ session: QueriedSession) throws -> Value {
    var words = try session.open.words(at: moment.position)
    words["causes"] = .list(try session.open.causes(of: moment.position), \.value)
    if let old = moment.previousState, let new = moment.state {
      words["changes"] = Patch(from: old, to: new, matching: .shown).value
    }
    words["effects"] = .list(moment.effects, \.value)
    if let trouble = moment.trouble { words["trouble"] = .string(trouble) }
    return .object(words)
  }
}

extension ShowCommand {
  init(_ given: ParsedArguments) throws {
    self.init(asking: try Asking(given, Self.declaration))
    if let name = given.value("pane") { shown = [try Self.pane(name)] }
  }
}

struct StateCommand: TypedCommand {
  let asking: Asking
  let place: Pointer

  static let declaration = CommandDeclaration(
    name: "state", usage: "FILE@[BRANCH/]STEP [PLACE]",
    summary: "print the state after a step, or a part of it",
    discussion: """
      PLACE is a pointer (/cart/items/3) or a path (cart.items[3]). Without a step it is the last one.
      Exit status 1 says that nothing is there, and 2 that the state is not known.
      """,
    options: [Option("json", help: "on one line"), LineColors.option] + Asking.placed)

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context, for: .states) { session in
      let position = session.here
      let state = try await session.state(at: position)
      guard let value = state[place.place(in: state) ?? place] else {
        context.deny(
          "nothing is at \(place) after step \(session.open.text(of: position))",
          meant: place.nearest(in: state))
        return .no
      }
      try session.reportWorth(of: position)
      if session.isJSON {
        context.output.json(value)
      } else {
        context.output.line(SafeText.json(value.text(.pretty)))
      }
      return .yes
    }
  }
}

extension StateCommand {
  init(_ given: ParsedArguments) throws {
    let asking = try Asking(given, Self.declaration, behind: 0...1)
    self.init(asking: asking, place: try Pointer(typed: asking.words.first ?? ""))
  }
}
