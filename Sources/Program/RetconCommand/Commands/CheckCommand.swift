import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

struct CheckCommand: TypedCommand {
  let asking: Asking
  let rules: [Condition]

  static let declaration = CommandDeclaration(
    name: "check", usage: "FILE --rule CONDITION", summary: "say where a rule is broken first",
    discussion: """
      A rule is a condition that must hold for every step. For each broken rule you see the first
      step that breaks it, what sent its action, and since when the values are so. Exit status 1: a
      rule is broken. 2: not every step could be checked.
      """,
    options: [
      Option("rule", value: "CONDITION", help: "must hold; may be repeated"),
      Option("rules", value: "FILE", help: "a file with one rule per line; # starts a comment"),
      Asking.range("at these steps"),
    ] + Asking.hosted + SessionList.options)

  init(asking: Asking, rules: [String]) throws {
    self.asking = asking
    self.rules = try rules.map { try asking.question($0).condition }
  }

  init(_ given: ParsedArguments) throws {
    let asking = try Asking(given, Self.declaration)
    var texts = given.all("rule")
    for file in given.all("rules") {
      let own = try FileSystem.text(of: file, most: 4 << 20).split(whereSeparator: \.isNewline)
        .map(String.init)
        .filter { line in
          let start = line.first { $0 != " " && $0 != "\t" }
          return start != nil && start != "#"
        }
      // Code runs only if the user types it, or has read it here.
      for text in own {
        let names = (try? Condition(text))?.code ?? []
        if let name = names.first(where: { !texts.contains($0) }) {
          throw UsageError(
            what: "\(file) names \(name), which is code, and runs only if you type it",
            next: "Add --rule '\(name)'")
        }
      }
      texts += own
    }
    guard !texts.isEmpty else {
      throw UsageError(
        what: "check needs a rule", next: "Write --rule 'state.total >= 0' or --rules FILE")
    }
    try self.init(asking: asking, rules: texts)
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context) { session in
      let branch = session.branch.id
      var steps = try session.steps
      if steps.count > 1, steps.lowerBound == session.open.untoldStart {
        steps = steps.lowerBound + 1...steps.upperBound
      }
      var status = ExitCode.yes
      for rule in rules {
        let rule = try await session.open.resolved(StepQuestion(rule), of: branch).condition
        var first: Int?
        let broken = try StepQuestion("!(\(rule.text))")
        let unknown = try await session.open.find(broken, in: steps, of: branch) {
          first = $0
          return false
        }
        if let first {
          status = .no
          try await Self.report(rule, brokenAt: first, session)
        } else {
          if unknown > 0, status == .yes { status = .trouble }
          Self.report(rule, holdsFor: steps.count - unknown, of: steps.count, session)
        }
        let doubts = try await session.misspellings(in: rule, of: steps, needsNear: true)
        context.warn(doubts.sentences)
      }
      return status
    }
  }

  private static func report(
    _ rule: Condition, brokenAt step: Int, _ session: QueriedSession
  ) async throws {
    let causes = try session.open.causes(of: session.at(step))
    let reasons = try await session.open.reasons(of: rule.code, at: session.at(step))
    let state = try? await session.open.state(at: session.at(step))
    let places = state == nil ? [] : rule.paths(in: "state") ?? []
    if session.isJSON {
      var words = try session.open.words(at: session.at(step))
      words["rule"] = .string(rule.text)
      words["holds"] = false
      if !reasons.isEmpty { words["why"] = .list(reasons, Value.string) }
      words["causes"] = .list(causes, \.value)
      let values = places.map { (key: "\($0)", value: state?[$0] ?? .null) }
      words["values"] = .object(ValueObject(values))
      return session.context.output.json(.object(words))
    }
    let context = session.context
    context.show("✗ \(rule.text)")
    context.show("  broken at \(session.text(step))")
    for reason in reasons { context.show("  \(SafeText.line(reason))") }
    for line in causes.lines { context.show("  " + line) }
    for place in places {
      let value = state?[place].map { ValuePreview.text($0) } ?? "not there"
      let history = try await session.open.history(of: place, at: session.at(step), limit: 1)
      let since = history.periods.last { $0.steps.contains(step) }.map {
        " since step \($0.steps.lowerBound)"
      }
      context.show("  state\(place) is \(value)\(since ?? "")")
    }
  }

  private static func report(
    _ rule: Condition, holdsFor looked: Int, of steps: Int, _ session: QueriedSession
  ) {
    let rest = looked == steps ? "" : "; \(session.unknownWords(steps - looked, of: rule))"
    session.show(
      ["\(looked == steps ? "✓" : "?") \(rule.text)  (\(counted(looked, "step"))\(rest))"],
      json: [
        "rule": .string(rule.text), "holds": looked == steps ? true : .null,
        "steps": Value(looked), "notLookedAt": Value(steps - looked),
      ])
  }
}
