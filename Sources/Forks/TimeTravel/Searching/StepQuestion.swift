import Platform
import SessionFile
import SessionWords
import ValueTree

/// A condition on the steps of a branch.
///
/// ```swift
/// let question = try StepQuestion("state.total < 0 && label == 'cart/couponApplied'")
/// try await session.search("main", from: 0, for: question) { batch in print(batch.hits) }
/// ```
///
/// Conditions see a step as an object: `step`, `time` (seconds), `label`, `action`, `state`,
/// `previous`, `branch`, `cause` (`"user"`, `"outside"`, `{"outside": "venue"}`,
/// `{"effect": 3, "name": "fetch"}` or `{"output": 12}`; none if unknown), `reads` (objects with
/// `key` and `value` or `failure`) and `standing`
/// (`values`, `outcome`, `assumptions`).
package struct StepQuestion: Sendable, Hashable {
  package let condition: Condition
  let words: [Word]
  /// The user's own functions that it names.
  package let code: [String]
  let lasts: [LastQuestion]
  package let asksForStates: Bool
  let parts: StepPreview.Parts
  let places: [Pointer]?
  /// Whether the answer depends only on the state and the one before.
  let isOfStates: Bool
  /// The words of earlier steps whose states it asks for.
  let asksForStateOf: Set<Word>
  /// Whether it asks for earlier steps.
  var asksForOtherSteps: Bool { !Set(words).isDisjoint(with: Word.ofOtherSteps) }
  /// A text in every matching line, if the lines alone decide.
  let needle: TextNeedle?

  /// In the order in which a step shows them.
  enum Word: String, CaseIterable, Sendable {
    case step, time, label, action, branch, cause, reads, standing, state, previous
    /// The values of the user's own functions.
    case code
    /// Earlier steps.
    case started, last

    static let ofOtherSteps: Set<Word> = [.started, .last]
  }

  package init(_ text: String) throws(QueryError) { self.init(try Condition(text)) }

  /// The same; a word that steps lack and the state has is asked of the state: `total < 0`.
  package static func typed(
    _ text: String, in state: Value?, isComputedLater: Bool = false
  ) throws(QueryError) -> StepQuestion {
    var text = text
    while true {
      do throws(QueryError) {
        return try StepQuestion(text)
      } catch {
        guard let word = error.unknownWord else { throw error }
        var members: ValueObject = [:]
        if case .object(let known)? = state { members = known }
        let near = suggestion(for: word, among: Condition.words + members.map(\.key))
        let isNew = isComputedLater && error.hint?.hasPrefix("A path") == true
        guard isNew || members[word] != nil else {
          var error = error
          if let near, !Condition.words.contains(near) {
            error.hint = "Did you mean “state.\(near)”?"
          }
          throw error
        }
        text.insert(
          contentsOf: "state.", at: text.utf8.index(text.startIndex, offsetBy: error.offset))
      }
    }
  }

  package init(_ condition: Condition) {
    self.condition = condition
    let first = condition.paths.map(\.tokens.first)
    code = condition.code
    words = Word.allCases.filter {
      first.contains($0.rawValue) || first.contains(nil) && ![.code, .last].contains($0)
    }
    lasts = condition.lasts
    asksForStateOf = Set(
      condition.paths.map(\.tokens).compactMap { tokens in
        guard let word = tokens.first.flatMap(Word.init), Word.ofOtherSteps.contains(word) else {
          return nil
        }
        let part = word == .last ? 2 : 1
        return tokens.count <= part || tokens[part] == "state" ? word : nil
      })
    asksForStates = !Set(words).isDisjoint(with: [.state, .previous, .code])
    isOfStates =
      words.allSatisfy { [.state, .previous, .branch].contains($0) } && condition.neighbours.isEmpty
    // An assumption may be in an earlier step's line.
    needle =
      asksForStates || words.contains(.standing)
      ? nil : condition.neededText.flatMap { TextNeedle($0, ignoringCase: false) }
    places =
      asksForStates
      ? ["state", "previous"].compactMap(condition.paths(in:)).flatMap(\.self) : nil
    var parts = StepPreview.Parts()
    let members: [(Word, StepPreview.Part)] = [
      (.label, .label), (.cause, .cause), (.time, .time), (.reads, .reads),
      (.standing, .standing),
    ]
    for (word, part) in members where words.contains(word) { parts.members.insert(part) }
    parts.actionPlaces = condition.paths(in: "action")
    self.parts = parts
  }

  package static func == (left: StepQuestion, right: StepQuestion) -> Bool {
    left.condition == right.condition
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(condition) }

  /// The step for the condition, with only the words it uses.
  package func value(
    of step: BranchStep, in surroundings: @autoclosure () -> StepSurroundings, state: Value?,
    previous: Value?, code: Value? = nil, named: NamedSteps = NamedSteps()
  ) throws -> Value {
    var members: [ValueObject.Element] = []
    members.reserveCapacity(words.count)
    try Self.add(
      words, of: step, in: surroundings(), state: state, previous: previous, code: code,
      named: named, to: &members)
    return .object(ValueObject(members))
  }

  /// Whether a step that keeps the state keeps the answer.
  package var isStateAlone: Bool { isOfStates && !words.contains(.previous) }

  static func add(
    _ words: [Word], of step: BranchStep,
    in surroundings: @autoclosure () -> StepSurroundings, state: Value? = nil,
    previous: Value? = nil, code: Value? = nil, named: NamedSteps = NamedSteps(),
    to members: inout [ValueObject.Element]
  ) throws {
    for word in words {
      let value: Value? =
        switch word {
        case .step: .number(Number(step.step.number))
        case .time: step.step.time.map { .number(Number($0 / .seconds(1))) }
        case .label: .string(step.step.label)
        case .action: step.step.action
        case .branch: .string(surroundings().branch())
        case .cause: try cause(of: step.step, in: surroundings())
        case .reads: .array(ValueArray(step.step.reads.map(\.words)))
        case .standing: step.standing.value(with: surroundings().assumptions())
        case .state: state
        case .previous: previous
        case .code: code
        case .started: named.started
        case .last: named.last
        }
      if let value { members.append((word.rawValue, value)) }
    }
  }

  private static func cause(
    of step: Step, in surroundings: StepSurroundings
  ) throws -> Value? {
    switch step.cause {
    case .effect(let number): step.cause.words(named: try surroundings.effectName(number))
    case let cause where !cause.isProven(ifKnown: surroundings.knowsCauses): nil
    case .output, .user, .outside, .unknown: step.cause.words(named: nil)
    }
  }
}

extension Cause {
  package func words(named name: String?) -> Value {
    guard case .effect(let effect) = self, let name else { return value }
    return .line(["effect": effect, "name": name])
  }
}

package struct StepSurroundings {
  package var branch: () -> String
  package var knowsCauses: Bool
  package var effectName: (EffectID) throws -> String?
  package var assumptions: () -> Set<Assumption.Kind>

  package init(
    branch: @escaping () -> String, knowsCauses: Bool,
    effectName: @escaping (EffectID) throws -> String?,
    assumptions: @escaping () -> Set<Assumption.Kind>
  ) {
    self.branch = branch
    self.knowsCauses = knowsCauses
    self.effectName = effectName
    self.assumptions = assumptions
  }
}

extension Standing {
  fileprivate func value(with kinds: Set<Assumption.Kind>) -> Value {
    let assumptions = Assumption.Kind.allCases.filter(kinds.contains)
    return [
      "values": .string(values.rawValue), "outcome": .string(outcome.rawValue),
      "assumptions": .array(ValueArray(assumptions.map { .string($0.rawValue) })),
    ]
  }
}

extension Read {
  package var words: Value {
    var members: [ValueObject.Element] = [("key", .string(key))]
    if let argumentsValue { members.append(("arguments", argumentsValue)) }
    switch outcome {
    case .value(let value): members.append(("value", value))
    case .failure(let value): members.append(("failure", value))
    }
    return .object(ValueObject(members))
  }
}

extension OpenSession {
  func surroundings(of position: Position) -> StepSurroundings {
    StepSurroundings(
      branch: { self.name(of: position.branch) }, knowsCauses: summary.knowsCauses,
      effectName: { number in
        try self.spans(in: position.step...position.step, of: position.branch)
          .first { $0.number == number }?.name
      },
      assumptions: { self.assumptionKinds(at: position) })
  }

  package func words(at position: Position) throws -> ValueObject {
    let step = try step(at: position)
    var words = LineObject()
    try StepQuestion.add(
      StepQuestion.Word.allCases, of: step, in: surroundings(of: position), to: &words.members)
    words.add([
      "skipped": step.step.isSkipped, "error": step.step.error, "stack": step.step.stack,
      "damage": step.step.damage, "remarks": step.remarks,
    ])
    var object = ValueObject(words.members)
    // The file does not hold these values.
    if step.step.isLost
      || isShared(position) && step.step.standing == nil && summary.statesBy != nil
    {
      object["standing"] = nil
    }
    return object
  }

  /// Like ``search(_:from:for:report:)``, for a condition. Answers its questions about neighbours
  /// first.
  package func search(
    _ branch: BranchID, from start: Int, wraps: Bool = true, for question: StepQuestion,
    report: @Sendable (SearchBatch) async -> Void
  ) async throws {
    var asked = try await conditionSearch(question, of: branch)
    try await search(
      branch, from: start, wraps: wraps, answers: { try await asked.allAnswers(in: $0) }, report)
  }

  /// The steps without a possible answer: the first, if the session has no state for it, and the next
  /// one, if the question asks for the state before.
  package func untoldSteps(_ question: StepQuestion) -> Range<Int> {
    guard let start = untoldStart else { return 0..<0 }
    return start..<start + (question.words.contains(.previous) ? 2 : 1)
  }

  /// Reports matching steps of a range in order as they are found, until `found` returns false.
  /// Returns how many steps up to there have an unknown answer, but for some: the ``untoldStart``, or
  /// ``untoldSteps(_:)``.
  @discardableResult
  package func find(
    _ question: StepQuestion, in steps: ClosedRange<Int>, of branch: BranchID,
    besides untold: Range<Int>? = nil, trace: (SearchWays) -> Void = { _ in },
    found: (Int) async throws -> Bool
  ) async throws -> Int {
    var asked = try await conditionSearch(question, of: branch)
    var unknown = 0
    let untold = untold ?? untoldStart.map { $0..<$0 + 1 } ?? 0..<0
    var ways = SearchWays()
    defer { trace(ways) }
    try await goThrough([steps]) { part in
      let answers = try await asked.allAnswers(in: part)
      ways.add(answers.ways)
      unknown += answers.unknown.count { !untold.contains($0) }
      for hit in answers.hits where try await !found(hit) { return false }
      return true
    }
    try Task.checkCancellation()
    return unknown
  }

  func conditionSearch(
    _ question: StepQuestion, of branch: BranchID
  ) async throws -> ConditionSearch {
    let question = try await resolved(question, of: branch)
    var neighbours: [StepAnswers] = []
    for neighbour in question.condition.neighbours {
      neighbours.append(try await answers(to: StepQuestion(neighbour.condition), of: branch))
    }
    return ConditionSearch(
      self, branch, question, neighbours, try await lastSteps(question.lasts, of: branch))
  }

  private func answers(
    to question: StepQuestion, of branch: BranchID
  ) async throws -> StepAnswers {
    let found = Locked(StepAnswers())
    try await search(branch, from: .min, for: question) { batch in
      found.withLock { $0.append(StepAnswers(hits: batch.hits, unknown: batch.unknown)) }
    }
    return found.withLock { $0 }
  }
}

extension NeighbourQuestion {
  func answer(from answers: StepAnswers, at step: Int) -> Bool? {
    if isAnswered(by: answers.hits, at: step) { return true }
    return isAnswered(by: answers.unknown, at: step) ? nil : false
  }

  private func isAnswered(by steps: [Int], at step: Int) -> Bool {
    let nearest =
      switch direction {
      case .before: steps.indices.firstBehind { steps[$0] < step } - 1
      case .after: steps.indices.firstBehind { steps[$0] <= step }
      }
    guard steps.indices.contains(nearest) else { return false }
    return within.map { abs(steps[nearest] - step) <= $0 } ?? true
  }
}

extension String {
  /// The text between the quotes of a condition.
  package var escapedInCondition: String {
    replacing("\\", with: "\\\\").replacing("'", with: "\\'")
  }
}
