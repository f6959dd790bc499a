import Debugger
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

/// `retcon find`: the steps for which a condition holds.
struct FindCommand: Command {
  static let declaration = CommandDeclaration(
    name: "find", usage: "FILE CONDITION", summary: "find the steps for which a condition holds",
    discussion: """
      A condition asks about label, action, state, previous, cause, step, time, reads, branch and
      standing: 'state.total < 0 && label == "cart/couponApplied"'. docs/conditions.md has all of it.
      Steps are shown as they are found. Exit status 1 says that there is none.
      """,
    options: [
      OptionDeclaration("first", letter: "1", help: "only the first"),
      OptionDeclaration("last", help: "only the last"),
      OptionDeclaration("count", letter: "c", help: "only how many"),
      Asking.range("among these steps"),
    ] + Asking.hosted)

  let asking: Asking
  let question: StepQuestion
  let shows: Shown

  enum Shown { case all, first, last, count }

  init(_ arguments: ParsedArguments) throws {
    asking = try Asking(arguments, Self.declaration, behind: ["a condition"])
    question = try StepQuestion(asking.words[0])
    let wanted: [(String, Shown)] = [("first", .first), ("last", .last), ("count", .count)]
    let given = wanted.filter { arguments.has($0.0) }
    guard given.count < 2 else {
      throw UsageError(
        what: "--\(given[0].0) and --\(given[1].0) exclude each other", next: "Give one of them")
    }
    shows = given.first?.1 ?? .all
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context) { session in
      let lines = StepLines(session, context.output, isJSON: asking.isJSON)
      var (count, last) = (0, 0)
      let steps = try session.steps(asking.range)
      try await session.open.find(question, in: steps, of: session.branch.name) { step in
        (count, last) = (count + 1, step)
        if shows == .all || shows == .first { try lines.show(step) }
        return shows != .first
      }
      if shows == .last, count > 0 { try lines.show(last) }
      if shows == .count { context.output.line("\(count)") }
      guard count == 0 else { return .yes }
      for words in try await session.doubts(about: question.condition, in: steps) {
        context.output.talk("\(context.program): \(SafeText.line(words))\n")
      }
      return .no
    }
  }
}

extension AskedSession {
  /// Why a condition that holds nowhere may not have been meant, or not have been answered.
  func doubts(about condition: Condition, in steps: ClosedRange<Int>) async throws -> [String] {
    let unknownLabels =
      try labelDoubts(about: condition, in: steps) + wordDoubts(about: condition, in: steps)
    guard condition.paths(in: "state") != nil || condition.paths(in: "previous") != nil else {
      return unknownLabels
    }
    let unknown = try await unknownStates(in: steps)
    if unknown == steps.count { return ["no state is known here: \(whereStatesAre)"] }
    let count = unknown > 0 ? ["\(counted(unknown, "step")) have no known state"] : []
    return try await unknownLabels + count + absences(of: condition, in: steps)
  }

  /// The places that a condition asks about and that neither the last nor the first state has, with the
  /// nearest name that is there.
  func absences(of condition: Condition, in steps: ClosedRange<Int>) async throws -> [String] {
    guard let last = try await open.state(at: at(steps.upperBound)),
      let first = try await open.state(at: at(steps.lowerBound))
    else { return [] }
    return ["state", "previous"].flatMap { word in
      let places = (condition.paths(in: word) ?? []).filter { last[$0] == nil && first[$0] == nil }
      return places.map { place in
        let near = PlaceArgument(place).nearest(in: last).map {
          " Did you mean \(word).\(ValuePath($0, in: last).text)?"
        }
        return
          "there is no \(word).\(ValuePath(place, in: last).text) at steps \(steps.lowerBound) and "
          + "\(steps.upperBound).\(near ?? "")"
      }
    }
  }

  /// The places inside the other words that none of the first thousand steps has, with the nearest that
  /// one of them has.
  private func wordDoubts(
    about condition: Condition, in steps: ClosedRange<Int>
  ) throws -> [String] {
    let places = ["action", "cause", "reads", "standing"].flatMap { word in
      condition.likelyPaths(in: word).filter { !$0.tokens.isEmpty }
        .map { Pointer(tokens: [word] + $0.tokens) }
    }
    guard !places.isEmpty else { return [] }
    let words = try steps.prefix(1_000).map { Value.object(try open.words(at: at($0))) }
    return places.compactMap { place in
      guard !words.contains(where: { $0[place] != nil }) else { return nil }
      let near = words.lazy.compactMap { words in
        PlaceArgument(place).nearest(in: words).map { ValuePath($0, in: words).text }
      }
      return near.first.map {
        "no step has \(ValuePath(place, in: words[0]).text). Did you mean \($0)?"
      }
    }
  }

  /// The texts of a condition on labels that no step has as its label, with the nearest that one has.
  private func labelDoubts(
    about condition: Condition, in steps: ClosedRange<Int>
  ) throws -> [String] {
    guard condition.paths(in: "label") != nil else { return [] }
    var labels: Set<String> = []
    for step in steps { labels.insert(try open.step(at: at(step)).step.label) }
    return condition.texts(comparedWith: "label").filter { !labels.contains($0) }.compactMap {
      text in
      guard let near = nearest(text, labels) else { return nil }
      return "no step is labelled “\(text)”. Did you mean “\(near)”?"
    }
  }

  /// How many of the steps have no known state.
  func unknownStates(in steps: ClosedRange<Int>) async throws -> Int {
    var count = 0
    try await open.find(try StepQuestion("!@.state"), in: steps, of: branch.name) { _ in
      count += 1
      return true
    }
    return count
  }

  private var whereStatesAre: String {
    open.summary.canReplay ? open.summary.hostedCommand : "the file holds none"
  }
}
