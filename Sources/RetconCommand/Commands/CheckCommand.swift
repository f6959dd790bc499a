import Debugger
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

/// `retcon check`: rules that have to hold at every step.
struct CheckCommand: Command {
  static let declaration = CommandDeclaration(
    name: "check", usage: "FILE --rule CONDITION", summary: "say where a rule is broken first",
    discussion: """
      A rule is a condition that has to hold for every step. Of each that is broken the first step is
      shown, who sent its action, and since when the values are what they are. Exit status 1 says that
      one is broken, and 2 that not every step could be looked at.
      """,
    options: [
      OptionDeclaration("rule", value: "CONDITION", help: "has to hold; may be given again"),
      OptionDeclaration(
        "rules", value: "FILE", help: "a file with one rule a line; # starts a remark"),
      Asking.range("at these steps"),
    ] + Asking.hosted)

  let asking: Asking
  let rules: [Condition]

  init(_ arguments: ParsedArguments) throws {
    let asking = try Asking(arguments, Self.declaration)
    self.asking = asking
    var texts = arguments.all("rule")
    for file in arguments.all("rules") {
      texts += try FileSystem.text(of: file).split(whereSeparator: \.isNewline).map(String.init)
        .filter { line in
          let start = line.first { $0 != " " && $0 != "\t" }
          return start != nil && start != "#"
        }
    }
    guard !texts.isEmpty else {
      throw UsageError(
        what: "check needs a rule", next: "Write --rule 'state.total >= 0' or --rules FILE")
    }
    rules = try texts.map { try asking.question($0).condition }
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context) { session in
      let steps = try session.steps(asking.range)
      var status = ExitCode.yes
      // The same for every rule: it goes through all steps.
      let unknownStates =
        rules.contains(where: \.asksForState) ? try await session.unknownStates(in: steps) : 0
      for rule in rules {
        let unknown = rule.asksForState ? unknownStates : 0
        var broken = try Condition("!(\(rule.text))")
        if unknown > 0 { broken = try Condition("@.state && \(broken.text)") }
        var first: Int?
        try await session.open.find(StepQuestion(broken), in: steps, of: session.branch.name) {
          first = $0
          return false
        }
        if let first {
          status = .no
          try await tell(rule, brokenAt: first, session, context)
        } else {
          if unknown > 0, status == .yes { status = .trouble }
          tell(rule, holdsFor: steps.count - unknown, of: steps.count, context)
        }
        context.warn(try await session.misspellings(in: rule, of: steps))
      }
      return status
    }
  }

  private func tell(
    _ rule: Condition, brokenAt step: Int, _ session: AskedSession, _ context: CommandContext
  ) async throws {
    let causes = try session.open.causes(of: session.at(step))
    let state = try? await session.open.state(at: session.at(step))
    let places = state == nil ? [] : rule.paths(in: "state") ?? []
    if asking.isJSON {
      var words = try session.open.words(at: session.at(step))
      words["rule"] = .string(rule.text)
      words["holds"] = false
      words["causes"] = .array(ValueArray(causes.map(\.value)))
      let values = places.map { (key: "\($0)", value: state?[$0] ?? .null) }
      words["values"] = .object(ValueObject(values))
      return context.output.json(.object(words))
    }
    context.show("✗ \(rule.text)")
    context.show("  broken at \(session.text(step))")
    for line in causes.lines { context.show("  " + line) }
    for place in places {
      let value = state?[place].map { ValuePreview.text($0) } ?? "not there"
      let periods = try await session.open.history(of: place, at: session.at(step))
      let since = periods.last { $0.steps.contains(step) }.map {
        " since step \($0.steps.lowerBound)"
      }
      context.show("  state\(place) is \(value)\(since ?? "")")
    }
  }

  private func tell(
    _ rule: Condition, holdsFor looked: Int, of steps: Int, _ context: CommandContext
  ) {
    if asking.isJSON {
      return context.output.json([
        "rule": .string(rule.text), "holds": looked == steps ? true : .null,
        "steps": .number(Number(looked)), "notLookedAt": .number(Number(steps - looked)),
      ])
    }
    let rest = looked == steps ? "" : "; \(counted(steps - looked, "step")) have no known state"
    context.show("\(looked == steps ? "✓" : "?") \(rule.text)  (\(counted(looked, "step"))\(rest))")
  }
}

extension Condition {
  fileprivate var asksForState: Bool { paths(in: "state") != nil || paths(in: "previous") != nil }
}
