import Debugger
import TextCanvas
import TimeTravel
import ValueTree

struct DiffCommand: TypedCommand {
  let asking: Asking
  let other: FilePosition?
  let place: Pointer

  static let declaration = CommandDeclaration(
    name: "diff", usage: "FILE@[BRANCH/]STEP [FILE@[BRANCH/]STEP]",
    summary: "show the difference between two states",
    discussion: """
      With one position: what its step changed. A position without a file (@12, @fork 1/30) is one of
      the first file. Exit status 0: nothing is different. 1: something is. 2: only redacted values
      may be.
      """,
    options: [
      Option("json", help: "one JSON object, with the changes as RFC 6902 operations"),
      Option("at", value: "PLACE", help: "only here: a pointer, a path, or a function's value"),
      LineColors.option,
    ] + Asking.placed)

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context, for: .states) { session in
      let here = session.here
      try session.reportWorth(of: here)
      guard let other else {
        guard here.step > session.branch.steps.lowerBound else {
          throw UsageError(
            what: "step \(session.open.text(of: here)) is the first: there is no step before it",
            next: "Name two positions")
        }
        let before = try await session.state(at: session.at(here.step - 1))
        return Self.show(before, try await session.state(at: here), at: place, session)
      }
      let first = try await session.state(at: here)
      if other.file == asking.position.file, other.branch == asking.position.branch {
        // Standard input can be read only once.
        let branch = try await session.open.branchThatRan(other)
        let there = session.at(other.step ?? branch.steps.upperBound)
        try session.reportWorth(of: there)
        return Self.show(first, try await session.state(at: there), at: place, session)
      }
      var beside = asking
      beside.position = other
      return try await beside.ask(in: context, for: .states) { second in
        try second.reportWorth(of: second.here)
        return Self.show(first, try await second.state(at: second.here), at: place, second)
      }
    }
  }

  private static func show(
    _ old: Value, _ new: Value, at place: Pointer, _ session: QueriedSession
  ) -> ExitCode {
    let (before, after) = (old[place], new[place])
    guard before != nil || after != nil else {
      session.context.deny(
        "nothing is at \(place) in either state",
        meant: place.nearest(in: new) ?? place.nearest(in: old))
      return .trouble
    }
    let isEqual = before == after
    let summary = session.open.summary
    let isRedacted = summary.isRedacted(in: before) && summary.isRedacted(in: after)
    session.show(
      isEqual ? [] : ValueDifference(from: before ?? .null, to: after ?? .null).lines(width: 100),
      json: [
        "equal": isEqual && isRedacted ? .null : .bool(isEqual), "at": .string("\(place)"),
        "changes": isEqual ? [] : changes(before, after),
      ])
    if isRedacted { session.context.tell(RecordingSummary.redactedCaveat) }
    return !isEqual ? .no : isRedacted ? .trouble : .yes
  }

  private static func changes(_ before: Value?, _ after: Value?) -> Value {
    guard let after else { return [["op": "remove", "path": ""]] }
    guard let before else { return [["op": "add", "path": "", "value": after]] }
    return Patch(from: before, to: after, matching: .shown).value
  }
}

extension DiffCommand {
  init(_ given: ParsedArguments) throws {
    var asking = try Asking(given, Self.declaration, behind: 0...1)
    let place = try asking.places([given.value("at") ?? ""])[0]
    let other = try asking.words.first.map { word in
      try FilePosition(word.hasPrefix("@") ? asking.position.file + word : word)
    }
    self.init(
      asking: asking, other: other, place: place)
  }
}
