import ForkSearch
import SessionLog
import TextCanvas
import TimeTravel
import ValueTree

/// `retcon minimize`: the fewest of the user's actions with which it still happens.
struct MinimizeCommand: Command {
  static let declaration = CommandDeclaration(
    name: "minimize", usage: "FILE --until CONDITION (--host COMMAND | --reducer FILE.js)",
    summary: "find the fewest actions with which it still happens",
    discussion: """
      The session is run again with fewer and fewer of the user's actions, then with simpler payloads, as
      long as it still happens. What effects answer comes and goes with the action that started them. Under
      each action that is left stands whether its payload and its place matter. The last pass asks for each
      alone, so none of them can be left out. Ctrl-C keeps the best so far.
      """,
    options: SearchOptions.declarations + [
      OptionDeclaration("as-recorded", help: "leave payloads and reads as they were recorded"),
      OptionDeclaration("name", value: "NAME", help: "keep it as a fork beside the session"),
      OptionDeclaration("output", letter: "o", value: "NEW", help: "write it as a session"),
    ] + Asking.hosted)

  let asking: Asking
  let options: SearchOptions
  let simplifies: Bool
  let name: String?
  let output: String?

  init(_ arguments: ParsedArguments) throws {
    asking = try Asking(arguments, Self.declaration)
    options = try SearchOptions(arguments)
    simplifies = !arguments.has("as-recorded")
    name = arguments.value("name")
    output = arguments.value("output")
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context, for: .forking(isKept: name != nil)) { session in
      let search = try await options.search(session)
      let progress = ProgressLine(output: context.output, name: asking.position.file)
      let minimizer = Minimizer(search.base, search.goal, options.trials(search)) {
        progress.show("\(counted($0.runs, "run")), \(grouped($0.kept)) of \(grouped($0.of))")
      }
      let minimum = try await Interrupt.heeding { [simplifies] in
        try await minimizer.minimum(simplifies: simplifies)
      }
      progress.clear()
      let kept = try session.open.addFork(
        name ?? "the smallest", try search.base.cut(minimum.script))
      for await _ in try session.open.runFork(kept.name) {}
      for words in [kept.remark].compactMap(\.self) + session.open.notKept where name != nil {
        context.output.talk(SafeText.line(words) + "\n")
      }
      try show(minimum, session.open.branch(kept.name), session, context)
      if let output {
        let last = try await session.open.export(kept.name, to: output)
        context.output.talk(SafeText.line("\(output): steps 0 to \(last)") + "\n")
      }
      return .yes
    }
  }

  private func show(
    _ minimum: Minimum, _ fork: Branch?, _ session: AskedSession, _ context: CommandContext
  ) throws {
    if asking.isJSON { return context.output.json(minimum.value) }
    if let fork {
      let lines = StepLines(session, context.output, isJSON: false, branch: fork)
      var numbers: [Int: Int] = [:]
      for step in fork.steps.dropFirst() {
        try lines.show(step)
        let position = Position(branch: fork.name, step: step)
        let from = try session.open.step(at: position).descendsFrom ?? step
        numbers[from] = step
        let action = minimum.actions.first { $0.step == from }
        for remark in action?.remarks({ numbers[$0] ?? $0 }) ?? [] {
          context.output.line(SafeText.line("     \(remark)"))
        }
      }
    }
    for line in [minimum.sentence] + minimum.remarks { context.output.line(SafeText.line(line)) }
  }
}

extension Minimum {
  fileprivate var value: Value {
    [
      "actions": .array(ValueArray(actions.map(\.value))),
      "of": .number(Number(userSteps)), "runs": .number(Number(runs)),
      "minimal": .bool(isMinimal), "stopped": stopped.map { .string("\($0)") } ?? .null,
      "known": .bool(verdict.isKnown),
      "assumptions": .array(ValueArray(verdict.assumptions.map { .string($0.sentence) })),
      "otherFailures": .array(ValueArray(otherFailures.map { .string($0.words) })),
      "script": script.value,
    ]
  }
}

extension Minimum.Action {
  fileprivate var value: Value {
    [
      "step": .number(Number(step)), "label": .string(label), "action": action,
      "remarks": .array(ValueArray(remarks().map(Value.string))),
    ]
  }
}
