import Debugger
import TextCanvas
import TimeTravel
import ValueTree

/// `retcon diff`: what is different between two states.
struct DiffCommand: Command {
  static let declaration = CommandDeclaration(
    name: "diff", usage: "FILE@[BRANCH/]STEP [FILE@[BRANCH/]STEP]",
    summary: "say what is different between two states",
    discussion: """
      With one position: what its step changed. A position without a file (@12, @fork 1/30) is one of
      the first file. Exit status 0 says that nothing is different, and 1 that something is.
      """,
    options: [
      OptionDeclaration("json", help: "one JSON object, with the changes as RFC 6902 operations"),
      OptionDeclaration(
        "at", value: "PLACE", help: "only there: a pointer or a path into the state"),
    ] + Asking.hosted.dropFirst())

  let asking: Asking
  let other: FilePosition?
  let place: PlaceArgument

  init(_ arguments: ParsedArguments) throws {
    let names = arguments.positionals.count > 1 ? ["a second position"] : []
    asking = try Asking(arguments, Self.declaration, behind: names)
    let file = asking.position.file
    other = try asking.words.first.map { word in
      try FilePosition(word.hasPrefix("@") ? file + word : word)
    }
    place = try PlaceArgument(arguments.value("at") ?? "")
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context, for: .states) { session in
      let here = session.here
      try session.tellWorth(of: here, context)
      guard let other else {
        guard here.step > session.branch.steps.lowerBound else {
          throw UsageError(
            what: "step \(here.text) is the first, and nothing is before it",
            next: "Name two positions")
        }
        let before = try await session.state(at: session.at(here.step - 1))
        return show(before, try await session.state(at: here), context)
      }
      let first = try await session.state(at: here)
      let second = try await AskedSession(other, asking.host, in: context, for: .states)
      defer { second.end() }
      try second.tellWorth(of: second.here, context)
      return show(first, try await second.state(at: second.here), context)
    }
  }

  private func show(_ old: Value, _ new: Value, _ context: CommandContext) -> ExitCode {
    let (before, after) = (old[place.pointer], new[place.pointer])
    guard before != nil || after != nil else {
      context.deny(
        "nothing is at \(place.pointer) in either state",
        meant: place.pointer.nearest(in: new) ?? place.pointer.nearest(in: old))
      return .trouble
    }
    let isEqual = before == after
    if asking.isJSON {
      var changes: Value = [["op": "remove", "path": ""]]
      if let after {
        changes =
          before.map { Patch(from: $0, to: after).value } ?? [
            ["op": "add", "path": "", "value": after]
          ]
      }
      context.output.json([
        "equal": .bool(isEqual), "at": .string("\(place.pointer)"),
        "changes": isEqual ? [] : changes,
      ])
    } else if !isEqual {
      let lines = ValueDifference(from: before ?? .null, to: after ?? .null).lines(width: 100)
      for line in lines { context.output.line(line) }
    }
    return isEqual ? .yes : .no
  }
}
