import ForkSearch
import Platform
import SessionFile
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

struct MinimizeCommand: TypedCommand {
  let asking: Asking
  let options: SearchOptions
  var values = Minimizer.Values.tried
  var name: String?
  var output: String?

  static let declaration = CommandDeclaration(
    name: "minimize", usage: "FILE --until CONDITION (--host COMMAND | --reducer FILE.js)",
    summary: "find the fewest actions that still cause it",
    discussion: """
      Runs the session again with fewer and fewer of the user's actions, as long as it still
      happens. Answers of effects come and go with the action that started them. Under each
      remaining action you read whether its payload and its place matter: simpler values are tried
      one at a time, and the recorded ones are kept. The last pass leaves out each action alone, so
      you need all that remain. Ctrl-C keeps the best so far.
      """,
    options: SearchOptions.declarations + [
      Option("as-recorded", help: "try no other payloads and reads"),
      Option("simplify", help: "keep the simplest payloads and reads that still cause it"),
      Option("name", value: "NAME", help: "keep it as a fork beside the session"),
      Option("output", letter: "o", value: "NEW", help: "write it as a session"),
    ] + Asking.hosted + SessionList.options)

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context, for: .forking(isKept: name != nil)) { session in
      let search = try await options.search(session)
      let left = Locked("")
      let minimum = try await options.searching(
        search, session, left: { left.withLock { $0 } }
      ) { trials in
        try await Minimizer(search.base, search.goal, trials) { kept, _ in
          let all = counted(search.base.userSteps.count, "action")
          left.withLock { $0 = ", \(grouped(kept.count)) of \(all) left" }
        }.minimum(values)
      }
      let kept = try session.saveFork(name ?? "the smallest", minimum.script, note: minimum.note)
      for await _ in try session.open.runFork(kept) {}
      let notes = try Self.show(minimum, session.open.branch(kept), session)
      if !session.isJSON, case .differs(let different) = search.goal {
        context.show(different.words)
      }
      for (step, note) in notes {
        _ = session.open.setMark(Position(branch: kept, step: step), note)
      }
      if let output {
        // The run that is written finds no trace of those before it.
        session.host?.restart()
        let last = try await session.open.export(
          kept, to: output, changed: search.goal.asRecorded)
        try await session.check(output, shows: search.goal)
        try Sidecar(session: output).update { contents in
          contents.marks += notes.map { Mark(step: $0.step, note: $0.note) }
        }
        context.tell("\(output): steps 0 to \(last)")
      }
      return .yes
    }
  }

  private static func show(
    _ minimum: Minimum, _ fork: Branch?, _ session: QueriedSession
  ) throws -> [(step: Int, note: String)] {
    var notes: [(Int, String)] = []
    if let fork {
      let lines = StepLines(session, branch: fork)
      var numbers: [Int: Int] = [:]
      let origins = try fork.steps.dropFirst().map { step in
        try session.open.step(at: Position(branch: fork.id, step: step)).descendsFrom ?? step
      }
      for (step, from) in zip(fork.steps.dropFirst(), origins) { numbers[from] = step }
      for (step, from) in zip(fork.steps.dropFirst(), origins) {
        if !session.isJSON { try lines.show(step) }
        guard let action = minimum.actions.first(where: { $0.step == from }) else { continue }
        notes.append((step, action.note { numbers[$0] ?? $0 }))
        for remark in action.remarks({ numbers[$0] ?? $0 }) where !session.isJSON {
          session.context.show("     \(remark)")
        }
      }
    }
    session.show([minimum.sentence] + minimum.remarks, json: minimum.value)
    return notes
  }
}

extension MinimizeCommand {
  init(_ given: ParsedArguments) throws {
    let asking = try Asking(given, Self.declaration)
    self.init(
      asking: asking, options: try SearchOptions(given, of: asking),
      values: given.has("simplify") ? .simplified : given.has("as-recorded") ? .untried : .tried,
      name: given.value("name"),
      output: given.value("output"))
  }
}

extension QueriedSession {
  /// Runs the exported session, and removes it if it does not show the problem.
  fileprivate func check(_ path: String, shows goal: Goal) async throws {
    guard let host else { return impossible("minimize runs with a host") }
    let written = try SessionReader(path: path)
    _ = try await host.load(path, as: written)
    let open = OpenSession(SessionRecording(written), host: host, code: code)
    if try await goal.happens(in: open, on: host) { return }
    FileSystem.remove(path)
    throw Trouble(
      "written as a session, the smallest one does not show it", place: path,
      next: "Nothing was kept there. Keep it as a fork: --name NAME")
  }
}

extension Minimum {
  fileprivate var value: Value {
    [
      "actions": .list(actions, \.value), "of": Value(userSteps), "runs": Value(runs),
      "minimal": .bool(isMinimal), "stopped": stopped.map { .string("\($0)") } ?? .null,
      "known": .bool(verdict.isKnown), "guesses": Value(assumed),
      "assumptions": .list(verdict.assumptions) { .string($0.sentence) },
      "otherFailures": .list(otherFailures, Value.string),
      "script": script.value,
    ]
  }
}

extension Minimum.Action {
  fileprivate var value: Value {
    [
      "step": Value(step), "label": .string(label), "action": action,
      "remarks": .list(remarks(), Value.string),
    ]
  }
}
