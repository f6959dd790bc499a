import Platform
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

struct FindCommand: TypedCommand {
  let asking: Asking
  let question: StepQuestion
  let only: Only?
  /// Whether each session of a list is asked: not every one has each label.
  var isOfList = false

  enum Only: String, CaseIterable { case first, last, count }

  static let declaration = CommandDeclaration(
    name: "find", usage: "FILE CONDITION", summary: "find the steps for which a condition holds",
    discussion: """
      A condition asks about label, action, state, previous, cause, step, time, reads, branch and
      standing: 'state.total < 0 && label == "cart/couponApplied"'. docs/conditions.md has all of
      it. Exit status 1: there is no such step. 2: there may be one, because a state is unknown, a
      value redacted, or a place misspelt. Before the condition, several files may stand.
      """,
    options: [
      Option("first", letter: "1", help: "only the first"),
      Option("last", help: "only the last"),
      Option("count", letter: "c", help: "only how many"),
      Asking.range("among these steps"),
    ] + Asking.hosted + SessionList.options)

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context) { session in
      let lines = StepLines(session)
      var (count, last) = (0, 0)
      let steps = try session.steps
      let unknown = try await session.open.find(
        question, in: steps, of: session.branch.id,
        besides: session.open.untoldSteps(question), trace: trace(context)
      ) { step in
        (count, last) = (count + 1, step)
        if only == nil || only == .first { try lines.show(step) }
        return only != .first
      }
      if only == .last, count > 0 { try lines.show(last) }
      if only == .count { context.output.line("\(count)") }
      return try await session.conclude(
        question, isFound: count > 0, unknown, in: steps, isOfList: isOfList)
    }
  }
}

extension FindCommand {
  private func trace(_ context: CommandContext) -> (SearchWays) -> Void {
    guard context.environment["RETCON_TRACE"] == "find" else { return { _ in } }
    return { context.warn($0.sentences(about: question)) }
  }

  init(_ given: ParsedArguments) throws {
    let asking = try Asking(given, Self.declaration, behind: 1...1, "a condition")
    let question = try asking.question(asking.words[0])
    let ways = Only.allCases.filter { given.has($0.rawValue) }
    guard ways.count < 2 else {
      throw UsageError(
        what: "--\(ways[0]) and --\(ways[1]) cannot be combined", next: "Give one of them")
    }
    self.init(
      asking: asking, question: question, only: ways.first, isOfList: given.isOfList)
  }
}

extension QueriedSession {
  /// Says that the answer to a condition is unknown at so many steps.
  func unknownWords(_ steps: Int, of condition: Condition) -> String {
    let summary = open.summary
    guard condition.code.isEmpty else { return Self.words(for: steps, without: "answer") }
    if asksForSenders(condition) {
      return Self.words(for: steps, without: "answer: it is not told what sent their actions")
    }
    let isOfState =
      condition.neighbours.isEmpty && condition.paths(in: "previous") == nil && !summary.isRedacted
    return Self.words(
      for: steps, without: isOfState ? "state" : "answer: \(summary.unknownReason)")
  }

  private func asksForSenders(_ condition: Condition) -> Bool {
    condition.paths(in: "started") != nil && !open.summary.knowsCauses
  }

  static func words(for steps: Int, without what: String) -> String {
    "\(counted(steps, "step")) \(steps == 1 ? "has" : "have") no known \(what)"
  }

  /// Tells unknown answers, and how a condition that holds nowhere may be misspelled.
  func conclude(
    _ question: StepQuestion, isFound: Bool, _ unknown: Int, in steps: ClosedRange<Int>,
    isOfList: Bool = false
  ) async throws -> ExitCode {
    let condition = question.condition
    let told = steps.count - open.untoldSteps(question).count(where: steps.contains)
    var isMisspelt = false
    if !isFound, unknown == told, condition.code.isEmpty, !open.summary.isRedacted,
      !asksForSenders(condition)
    {
      context.warn(["no state is known here: \(whereStatesAre)"])
      return .trouble
    } else {
      if unknown > 0 { context.warn([unknownWords(unknown, of: condition)]) }
      guard !isFound else {
        try await warn(aboutPlacesIn: condition)
        return .yes
      }
      let doubts = try await misspellings(in: condition, of: steps, needsNear: isOfList)
      context.warn(doubts.sentences)
      isMisspelt = doubts.isMisspelt
    }
    guard unknown == 0 else { return .trouble }
    return isMisspelt && !isOfList ? .trouble : .no
  }

  /// The words and places that the session lacks, and whether a place is misspelt.
  func misspellings(
    in condition: Condition, of steps: ClosedRange<Int>, needsNear: Bool
  ) async throws -> (sentences: [String], isMisspelt: Bool) {
    let labels = try await labelDoubts(about: condition, in: steps, needsNear: needsNear)
    let doubts = try await open.doubts(about: condition, of: branch.id, at: steps)
    return (labels + doubts.map(\.words), doubts.contains(where: \.isMisspelt))
  }

  /// Says at once that a place is nowhere in the session: each step has the same answer.
  func warn(aboutPlacesIn condition: Condition?) async throws {
    guard let condition else { return }
    context.warn(try await open.doubts(about: condition, of: branch.id).map(\.words))
  }

  private func labelDoubts(
    about condition: Condition, in steps: ClosedRange<Int>, needsNear: Bool
  ) async throws -> [String] {
    var asked: [String] = []
    for text in condition.texts(comparedWith: ["label"]) {
      // Most labels stand in one of the first steps.
      let question = try StepQuestion("label == '\(text.escapedInCondition)'")
      var isFound = false
      _ = try await open.find(question, in: steps, of: branch.id) { _ in
        isFound = true
        return false
      }
      if !isFound { asked.append(text) }
    }
    guard !asked.isEmpty else { return [] }
    let found = Locked<Set<String>>([])
    try await open.scan(branch.id, in: [steps], for: nil, labels: true) { batch in
      found.withLock { $0.formUnion(batch.runs.map(\.label)) }
    }
    let labels = found.withLock { $0 }
    return asked.filter { !labels.contains($0) }.compactMap { text in
      let near = nearest(text, labels).map { " Did you mean “\($0)”?" }
      return near == nil && needsNear ? nil : "no step is labelled “\(text)”.\(near ?? "")"
    }
  }

  private var whereStatesAre: String {
    open.summary.canReplay ? open.summary.hostedCommand : "the file holds none"
  }
}
