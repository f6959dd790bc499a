import Platform
import SessionFile
import SessionWords
import ValueTree

/// Evaluates a condition on many steps. Of recorded steps it parses only the needed parts.
struct ConditionSearch {
  let session: OpenSession
  let branch: BranchID
  let question: StepQuestion
  /// The answers to each question about neighbours.
  let neighbours: [StepAnswers]
  private let lasts: LastSteps
  /// Conditions that must all hold. Each search has its own: several would wait for each other's
  /// counts of references.
  private let parts: [Part]
  /// Redacted values make an answer unknown.
  private let hidden: String?
  private var walk: StepWalk?
  private var memory: Memory

  private struct Part {
    var condition: Condition
    var isStateAlone: Bool
  }

  private struct Memory {
    /// The offset from recorded step numbers to the branch's.
    var shift: Int
    var previousHasChanged = true
    /// The last answer; nil before the first.
    var answer: Bool??
    /// Those of parts that ask only for states.
    var partAnswers: [Bool?]
    var ways = SearchWays()
  }

  init(
    _ session: OpenSession, _ branch: BranchID, _ question: StepQuestion,
    _ neighbours: [StepAnswers], _ lasts: LastSteps = LastSteps()
  ) {
    self.lasts = lasts
    self.session = session
    self.branch = branch
    self.question = question
    self.neighbours = neighbours
    hidden = session.summary.isRedacted ? Redaction.mark : nil
    let own = (try? Condition(question.condition.text)) ?? question.condition
    parts = own.parts.map {
      Part(condition: $0, isStateAlone: StepQuestion($0).isOfStates)
    }
    memory = Memory(shift: 0, partAnswers: [])
  }

  /// Like ``answers(in:)``, on all processors if worthwhile: each starts with the state before its
  /// part.
  mutating func allAnswers(in steps: ClosedRange<Int>) async throws -> StepAnswers {
    // The user's functions hear of the steps in order.
    guard question.code.isEmpty else { return try await answers(in: steps) }
    return try await session.inParts(of: steps) { [session, branch, question, neighbours, lasts] in
      var search = ConditionSearch(session, branch, question, neighbours, lasts)
      return try await search.answers(in: $0)
    }.reduce(into: StepAnswers()) { $0.append($1) }
  }

  mutating func answers(in steps: ClosedRange<Int>) async throws -> StepAnswers {
    var found = StepAnswers()
    if !question.code.isEmpty {
      let values = try await session.codeValues(question.code, in: steps, of: branch)
      let isCodeAlone = question.words == [.code] && neighbours.isEmpty
      var last: (code: Value?, answer: Bool?)?
      for (step, value) in zip(steps, values) {
        // Rules mostly answer as at the step before.
        if isCodeAlone, let last, last.code == value {
          found.add(last.answer, at: step)
          continue
        }
        let answer = try await answer(at: step, code: value)
        last = (value, answer)
        found.add(answer, at: step)
      }
      found.ways.parsed += steps.count
      return found
    }
    if question.asksForOtherSteps {
      for step in steps {
        try Task.checkCancellation()
        found.add(try await answer(at: step), at: step)
      }
      found.ways.parsed += steps.count
      return found
    }
    var next = steps.lowerBound
    while next <= steps.upperBound {
      if walk != nil || isWithinRecording(next),
        let recorded = session.recorded(next...steps.upperBound, of: branch)
      {
        if let few = try candidates(in: recorded) {
          walk = nil
          for step in few { found.add(try await answer(at: step), at: step) }
          found.ways.withoutText += recorded.steps.count - few.count
          found.ways.parsed += few.count
        } else {
          found.append(try await walked(recorded))
        }
        next = recorded.steps.upperBound + 1
      } else {
        walk = nil
        found.add(try await answer(at: next), at: next)
        found.ways.parsed += 1
        next += 1
      }
    }
    return found
  }

  /// The steps whose bytes contain a necessary text; nil without one, or if it is too frequent to
  /// help.
  private func candidates(in recorded: RecordedSteps) throws -> [Int]? {
    guard hidden == nil, let needle = question.needle else { return nil }
    let first = recorded.steps.lowerBound
    var start = recorded
    start.steps = start.steps.clamped(to: first...first + 255)
    // If the first lines all contain it, the search does not pay.
    guard try start.few(holding: needle) != nil else { return nil }
    return try recorded.few(holding: needle)
  }

  /// Whether the step before is recorded, too: its state is the one before this step.
  private func isWithinRecording(_ step: Int) -> Bool {
    step == session.summary.steps.lowerBound
      || session.recorded(step - 1...step, of: branch)?.steps.upperBound == step
  }

  private func answer(at step: Int, code: Value? = nil) async throws -> Bool? {
    if question.words == [.code], neighbours.isEmpty {
      let unknown = code == nil ? [Condition.code] : []
      return try question.condition.answer(
        for: [Condition.code: code ?? .null], unknown: unknown, hidden: hidden)
    }
    let position = Position(branch: branch, step: step)
    var (state, previous) = (Value?.none, Value?.none)
    if question.words.contains(.state) { state = try await session.knownState(at: position) }
    let isFirst = step == session.summary.steps.lowerBound
    if asksForPrevious, !isFirst {
      previous = try await session.knownState(at: Position(branch: branch, step: step - 1))
    }
    return try answer(
      session.step(at: position), at: position, state, previous, code: code,
      named: try await session.namedSteps(question, at: position, lasts),
      isPreviousKnown: isFirst || previous != nil)
  }

  private func answer(
    _ step: BranchStep, at position: Position, _ state: Value?, _ previous: Value?,
    code: Value? = nil, named: NamedSteps = NamedSteps(), isPreviousKnown: Bool
  ) throws -> Bool? {
    var unknown = named.unknown
    if code == nil, !question.code.isEmpty { unknown.append(Condition.code) }
    if question.words.contains(.state), state == nil { unknown.append("state") }
    if asksForPrevious, !isPreviousKnown { unknown.append("previous") }
    let value = try question.value(
      of: step, in: session.surroundings(of: position), state: state, previous: previous,
      code: code, named: named)
    return try question.condition.answer(for: value, unknown: unknown, hidden: hidden) {
      question.condition.neighbours[$0].answer(from: neighbours[$0], at: position.step)
    }
  }

  private mutating func walked(_ recorded: RecordedSteps) async throws -> StepAnswers {
    let (first, shift) = (recorded.own.lowerBound, recorded.shift)
    if walk?.next != first || memory.shift != shift {
      var start = recorded.recording.walk(question.places, from: first)
      if asksForPrevious { start.copyPrevious() }
      walk = start
      memory = Memory(shift: shift, partAnswers: Array(repeating: nil, count: parts.count))
    }
    var found = StepAnswers()
    guard var walk else { return found }
    self.walk = nil
    var memory = memory
    memory.ways = SearchWays()
    let search = self
    /// Those that a host may answer, and hits in damaged lines.
    var open: [Int] = []
    try walk.visit(through: recorded.own.upperBound) { preview in
      let isFirst = preview.number == recorded.first
      let answer = try search.answer(preview, isFirst: isFirst, &memory)
      let isOpen =
        answer == nil
        ? session.computesStates && search.lacksState(preview, isFirst: isFirst)
        : answer == true && !search.isProven(preview)
      if isOpen {
        open.append(preview.number + shift)
      } else {
        found.add(answer, at: preview.number + shift)
      }
      return true
    }
    self.walk = walk
    self.memory = memory
    found.ways = memory.ways
    found.ways.parsed += open.count
    for step in open { found.add(try await self.answer(at: step), at: step) }
    if !open.isEmpty {
      found.hits.sort()
      found.unknown.sort()
    }
    return found
  }

  private func lacksState(_ preview: StepPreview, isFirst: Bool) -> Bool {
    !preview.isStateKnown || asksForPrevious && !isFirst && preview.previous == nil
  }

  /// Whether all that a hit needs is whole. Few steps are hits, so that costs little.
  private func isProven(_ preview: StepPreview) -> Bool {
    (question.isOfStates || preview.isStepReadable)
      && (!question.asksForStates || preview.isStateReadable)
      && (!asksForPrevious || preview.isPreviousReadable)
  }

  private var asksForPrevious: Bool { question.words.contains(.previous) }

  private func answer(
    _ preview: StepPreview, isFirst: Bool, _ memory: inout Memory
  ) throws -> Bool? {
    let isAsBefore = !preview.hasChanged && !(memory.previousHasChanged && asksForPrevious)
    memory.previousHasChanged = preview.hasChanged
    if !isAsBefore { for index in parts.indices { memory.partAnswers[index] = nil } }
    if isAsBefore, question.isOfStates, let answer = memory.answer {
      memory.ways.asBefore += 1
      return answer
    }
    if let answer = told(by: preview, &memory) {
      memory.ways.fromBytes += 1
      memory.answer = .some(answer)
      return answer
    }
    memory.ways.parsed += 1
    let position = Position(branch: branch, step: preview.number + memory.shift)
    let step = BranchStep(recorded: try preview.step(question.parts))
    let previous = asksForPrevious && !isFirst ? preview.previous : nil
    let answer = try answer(
      memory.shift == 0 ? step : session.table.withLock { $0.numbered(step, at: position) },
      at: position, preview.state, previous, isPreviousKnown: isFirst || previous != nil)
    memory.answer = .some(answer)
    return answer
  }

  /// The answer from the bytes of the line and of the states. One part that does not hold is enough.
  private func told(by preview: StepPreview, _ memory: inout Memory) -> Bool? {
    var isKnown = true
    for index in parts.indices {
      var answer = memory.partAnswers[index]
      if answer == nil {
        answer = preview.answer(parts[index].condition, hidden: hidden)
        if parts[index].isStateAlone { memory.partAnswers[index] = answer }
      }
      if answer == false { return false }
      isKnown = isKnown && answer == true
    }
    return isKnown ? true : nil
  }
}

/// The steps where a condition holds, and the steps where its answer is unknown. Both are in order.
package struct StepAnswers: Sendable {
  package var hits: [Int]
  package var unknown: [Int]
  var ways = SearchWays()

  package init(hits: [Int] = [], unknown: [Int] = []) {
    (self.hits, self.unknown) = (hits, unknown)
  }

  mutating func add(_ answer: Bool?, at step: Int) {
    switch answer {
    case true?: hits.append(step)
    case false?: break
    case nil: unknown.append(step)
    }
  }

  mutating func append(_ other: StepAnswers) {
    hits += other.hits
    unknown += other.unknown
    ways.add(other.ways)
  }
}

/// How many steps a search answered in which way.
package struct SearchWays: Sendable {
  var withoutText = 0
  var asBefore = 0
  var fromBytes = 0
  var parsed = 0

  mutating func add(_ other: SearchWays) {
    withoutText += other.withoutText
    asBefore += other.asBefore
    fromBytes += other.fromBytes
    parsed += other.parsed
  }

  /// The ways with their reasons, for `RETCON_TRACE=find`.
  package func sentences(about question: StepQuestion) -> [String] {
    let others = question.words.map(\.rawValue)
      .filter { !["label", "action", "state", "previous"].contains($0) }
    let text = question.condition.neededText ?? ""
    let why =
      others.isEmpty
      ? "their bytes do not tell, or a text pointed to them"
      : "it asks for \(others.joined(separator: ", "))"
    return [
      (withoutText, "passed, because their lines lack “\(text)”"),
      (asBefore, "answered as the step before, because nothing that it asks for changed"),
      (fromBytes, "answered from the bytes of their lines"),
      (parsed, "parsed, because \(why)"),
    ].filter { $0.0 > 0 }.map { "trace: steps \($1): \($0)" }
  }
}
