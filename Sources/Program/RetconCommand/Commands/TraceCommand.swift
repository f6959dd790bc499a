import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

struct TraceCommand: TypedCommand {
  let asking: Asking
  let entity: Entity

  static let declaration = CommandDeclaration(
    name: "trace", usage: "FILE[@BRANCH/] 'ENTITY'",
    summary: "follow one thing through all actions: an order, a message, a user",
    discussion: """
      ENTITY is an id (4711), or a kind and an id ('order 4711') where several kinds share ids. A
      record with this id, or under it as a key, is the thing; a name that ends with “id” or “key”,
      or has the kind in it, refers to it.

      Each step that touches it, names it, or asks or answers about it is told, with what changes of
      it. An action that names it and changes nothing of it says so. An element of a list is followed
      by its id, so that it may move.
      """,
    options: [Asking.range("at these steps")] + Asking.hosted)

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context) { session in
      var count = 0
      let steps = try session.steps
      let branch = session.branch.id
      let (places, unknown) = try await session.open.trace(entity, in: steps, of: branch) {
        count += 1
        try Self.show($0, session)
      }
      guard count > 0 else {
        context.warn(["no step touches or names \(entity.words)."])
        return .no
      }
      let names = places.map(\.key).joined(separator: ", ")
      context.tell(
        places.isEmpty
          ? "After step \(grouped(steps.upperBound)) it is nowhere."
          : "After step \(grouped(steps.upperBound)) it is at \(SafeText.line(names)).")
      if unknown > 0 {
        context.tell("The state is not known after \(counted(unknown, "step")).")
      }
      return .yes
    }
  }

  private static func show(_ traced: TracedStep, _ session: QueriedSession) throws {
    let position = session.at(traced.step)
    if session.isJSON {
      var words = try session.open.words(at: position)
      words["parts"] = .list(traced.changes, \.value)
      words["asked"] = .list(traced.reads, \.words)
      return session.context.output.json(.object(words))
    }
    try StepLines(session).show(traced.step)
    for line in traced.lines { session.context.show("    " + line) }
  }
}

extension TraceCommand {
  init(_ given: ParsedArguments) throws {
    let asking = try Asking(given, Self.declaration, behind: 1...1, "an id, such as 'order 4711'")
    try self.init(asking: asking, named: asking.words[0])
  }

  init(asking: Asking, named words: String) throws(UsageError) {
    guard let entity = Entity(words) else {
      throw UsageError(
        what: "“\(words)” is not a kind and an id", next: "Write 'order 4711', or 4711")
    }
    self.init(asking: asking, entity: entity)
  }
}

extension TracedChange {
  fileprivate var value: Value {
    switch self {
    case .appears(let place, let value): ["place": .string(place), "new": value]
    case .leaves(let place, let value): ["place": .string(place), "old": value]
    case .moves(let old, let new): ["place": .string(new), "was": .string(old)]
    case .changes(let place, let old, let new):
      .line(["place": Value.string(place), "old": old, "new": new])
    }
  }
}
