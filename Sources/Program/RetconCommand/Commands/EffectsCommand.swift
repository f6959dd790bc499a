import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

struct EffectsCommand: Command {
  static let declaration = CommandDeclaration(
    name: "effects", usage: "FILE[@[BRANCH/]STEP]",
    summary: "list the effects and how they ended",
    discussion: """
      Each line has the number of the effect, the step that started it, the step at which it ended,
      how it ended, and its name. “after 3” means that code outside the store called it there. A
      fork counts its own effects apart: “own 1”. With a step: the effects that started, ended or
      were pending there.
      """,
    options: [Asking.range("alive at these steps")] + Asking.hosted)

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    try await Asking(given, declaration).ask(in: context) { session in
      let spans = try session.open.effects(in: session.steps, of: session.branch.id)
      for span in spans { session.show([span.line], json: span.value) }
      return spans.isEmpty ? .no : .yes
    }
  }
}

extension EffectSpan {
  fileprivate var line: String {
    var how = endWords
    if let started, let time = end?.time { how += " after \((time - started).longText)" }
    let place = origin.name == nil ? "" : "  \(origin.file):\(origin.line)"
    let count = number.countInFork.map { "own \($0)" } ?? "\(number)"
    let start = (origin.isFromOutside ? "after " : "") + "\(origin.step)"
    return "\(count)  \(start) → \(end.map { "\($0.step)" } ?? "…")  \(name)  \(how)\(place)"
  }

  var value: Value {
    func seconds(_ time: Duration) -> Value { .number(Number(time / .seconds(1))) }
    let (how, error): (String?, String?) =
      switch end?.manner {
      case nil: (nil, nil)
      case .finished?: (answersFailure ? "answered with a failure" : "finished", nil)
      case .cancelled?: ("cancelled", nil)
      case .failed(let reason)?: ("failed", reason)
      }
    return .line([
      "effect": number, "name": name, "started": origin.step, "outside": origin.isFromOutside,
      "own": number.countInFork, "time": started.map(seconds), "ended": end?.step,
      "endTime": end?.time.map(seconds), "how": how, "error": error, "file": origin.file,
      "line": origin.line, "cancelID": origin.cancelID,
    ])
  }
}

struct ReadsCommand: Command {
  static let declaration = CommandDeclaration(
    name: "reads", usage: "FILE[@[BRANCH/]STEP]", summary: "list what dependencies returned",
    discussion: """
      The reads of the reducer, step by step, and those of each effect, at the action that it sent
      next. With a step: the reads of its reducer, and of the effect that sent its action.
      """,
    options: [
      Asking.range("at these steps"),
      Option("key", letter: "k", value: "KEY", help: "only of this dependency"),
    ] + Asking.hosted)

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    let key = given.value("key")
    return try await Asking(given, declaration).ask(in: context) { session in
      var count = 0
      var keys: Set<String> = []
      var told: [EffectID: Int] = [:]
      for number in try session.steps {
        let moment = try session.open.step(at: session.at(number)).step
        var reads = moment.reads.map { ($0, EffectID?.none) }
        if case .effect(let effect) = moment.cause {
          let own = try session.open.effectReads(at: session.at(number))
          reads += own.dropFirst(told[effect] ?? 0).map { ($0, effect) }
          told[effect] = own.count
        }
        keys.formUnion(reads.map(\.0.key))
        for (read, effect) in reads where key == nil || key == read.key {
          count += 1
          show(read, at: number, effect, session)
        }
      }
      if let key, count == 0 {
        context.deny(
          "nothing was read of \(key)", meant: suggestion(for: key, among: keys.sorted()))
      }
      return count == 0 ? .no : .yes
    }
  }

  private static func show(
    _ read: Read, at step: Int, _ effect: EffectID?, _ session: QueriedSession
  ) {
    var members: ValueObject = ["step": Value(step)]
    members["effect"] = effect?.ofLine
    members.add(read.words)
    let words =
      (read.outcome.isError ? "✗ " : "") + ValuePreview.text(read.outcome.content, limit: 200)
    let place = effect.map { "\(step)  \($0.words)" } ?? "\(step)"
    session.show(["\(place)  \(Question(read).text)  \(words)"], json: .object(members))
  }
}
