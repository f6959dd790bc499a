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
  /// Evaluates lines without parsing; nil if impossible. Each search has its own: several would
  /// wait for each other's counts of references.
  private let text: TextCondition?
  /// Redacted values make an answer unknown.
  private let hidden: String?
  private var walk: StepWalk?
  private var memory: Memory

  private struct Memory {
    /// The offset from recorded step numbers to the branch's.
    var shift: Int
    var previous: Value?
    /// True before the first step: a session has no state there, and that is known.
    var isPreviousKnown = true
    var previousHasChanged = true
    /// The last answer; nil before the first.
    var answer: Bool??
    var placeAnswers: [Bool?]
  }

  init(
    _ session: OpenSession, _ branch: BranchID, _ question: StepQuestion,
    _ neighbours: [StepAnswers]
  ) {
    self.session = session
    self.branch = branch
    self.question = question
    self.neighbours = neighbours
    hidden = session.summary.isRedacted ? Redaction.mark : nil
    text = TextCondition(question.condition, hidden: hidden)
    memory = Memory(shift: 0, placeAnswers: [])
  }

  /// Like ``answers(in:)``, on all processors if worthwhile: each starts with the state before its
  /// part.
  mutating func allAnswers(in steps: ClosedRange<Int>) async throws -> StepAnswers {
    // More parts than processors, because some may be busy.
    let parts = min(
      processorCount > 1 ? 4 * processorCount : 1, steps.count / Self.smallestPart)
    guard parts > 1 else { return try await answers(in: steps) }
    let size = (steps.count + parts - 1) / parts
    return try await withThrowingTaskGroup(of: (Int, StepAnswers).self) { group in
      for first in stride(from: steps.lowerBound, through: steps.upperBound, by: size) {
        let part = first...min(first + size - 1, steps.upperBound)
        group.addTask { [session, branch, question, neighbours] in
          var search = ConditionSearch(session, branch, question, neighbours)
          return (first, try await search.answers(in: part))
        }
      }
      var found: [(first: Int, answers: StepAnswers)] = []
      for try await part in group { found.append((part.0, part.1)) }
      return found.sorted { $0.first < $1.first }.reduce(into: StepAnswers()) {
        $0.append($1.answers)
      }
    }
  }

  private static let smallestPart = 2_048

  mutating func answers(in steps: ClosedRange<Int>) async throws -> StepAnswers {
    var found = StepAnswers()
    var next = steps.lowerBound
    while next <= steps.upperBound {
      if walk != nil || isWithinRecording(next),
        let recorded = session.recorded(next...steps.upperBound, of: branch)
      {
        if let few = try candidates(in: recorded) {
          walk = nil
          for step in few { found.add(try await answer(at: step), at: step) }
        } else {
          found.append(try await walked(recorded))
        }
        next = recorded.steps.upperBound + 1
      } else {
        walk = nil
        found.add(try await answer(at: next), at: next)
        next += 1
      }
    }
    return found
  }

  /// The steps whose bytes contain a necessary text; nil without one, or if it is too frequent to
  /// help.
  private func candidates(in recorded: RecordedSteps) throws -> [Int]? {
    guard hidden == nil, let needle = question.needs.needle else { return nil }
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

  private func answer(at step: Int) async throws -> Bool? {
    let position = Position(branch: branch, step: step)
    var (state, previous) = (Value?.none, Value?.none)
    if question.needs.words.contains(.state) { state = try await session.knownState(at: position) }
    let isFirst = step == session.summary.steps.lowerBound
    if asksForPrevious, !isFirst {
      previous = try await session.knownState(at: Position(branch: branch, step: step - 1))
    }
    return try answer(
      session.step(at: position), at: position, state, previous,
      isPreviousKnown: isFirst || previous != nil)
  }

  private func answer(
    _ step: BranchStep, at position: Position, _ state: Value?, _ previous: Value?,
    isPreviousKnown: Bool
  ) throws -> Bool? {
    var unknown: [String] = []
    if question.needs.words.contains(.state), state == nil { unknown.append("state") }
    if asksForPrevious, !isPreviousKnown { unknown.append("previous") }
    let value = try question.value(
      of: step, in: session.surroundings(of: position), state: state, previous: previous)
    return try question.condition.answer(for: value, unknown: unknown, hidden: hidden) {
      question.condition.neighbours[$0].answer(from: neighbours[$0], at: position.step)
    }
  }

  private mutating func walked(_ recorded: RecordedSteps) async throws -> StepAnswers {
    let (first, shift) = (recorded.own.lowerBound, recorded.shift)
    if walk?.next != first || memory.shift != shift {
      let start = recorded.recording.walk(question.needs.places, from: first)
      walk = start
      let previous = asksForPrevious ? start.state : nil
      memory = Memory(
        shift: shift, previous: previous,
        isPreviousKnown: first == recorded.first || previous != nil,
        placeAnswers: Array(repeating: nil, count: text?.questions.count ?? 0))
    }
    var found = StepAnswers()
    guard var walk else { return found }
    self.walk = nil
    var memory = memory
    let search = self
    /// Those that a host may answer, and hits in damaged lines.
    var open: [Int] = []
    try walk.visit(through: recorded.own.upperBound) { preview in
      let wasKnown = !asksForPrevious || memory.isPreviousKnown
      let answer = try search.answer(preview, &memory)
      let isOpen =
        answer == nil
        ? session.computesStates && (!wasKnown || !preview.isStateKnown)
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
    for step in open { found.add(try await self.answer(at: step), at: step) }
    if !open.isEmpty {
      found.hits.sort()
      found.unknown.sort()
    }
    return found
  }

  /// Whether all that a hit needs is whole. Few steps are hits, so that costs little.
  private func isProven(_ preview: StepPreview) -> Bool {
    (question.needs.isStateAlone || preview.isStepReadable)
      && (!question.asksForStates || preview.isStateReadable)
      && (!asksForPrevious || preview.isPreviousReadable)
  }

  private var asksForPrevious: Bool { question.needs.words.contains(.previous) }

  private func answer(_ preview: StepPreview, _ memory: inout Memory) throws -> Bool? {
    if preview.hasChanged {
      for index in memory.placeAnswers.indices { memory.placeAnswers[index] = nil }
    }
    defer {
      if asksForPrevious {
        memory.previous = preview.state
        memory.isPreviousKnown = memory.previous != nil
        memory.previousHasChanged = preview.hasChanged
      }
    }
    let isAsBefore = !preview.hasChanged && !(memory.previousHasChanged && asksForPrevious)
    if isAsBefore, question.needs.isStateAlone, let answer = memory.answer { return answer }
    if let answer = told(by: preview, &memory) {
      memory.answer = .some(answer)
      return answer
    }
    let position = Position(branch: branch, step: preview.number + memory.shift)
    let step = BranchStep(recorded: try preview.step(question.needs.parts))
    let answer = try answer(
      memory.shift == 0 ? step : session.table.withLock { $0.numbered(step, at: position) },
      at: position, preview.state, memory.previous, isPreviousKnown: memory.isPreviousKnown)
    memory.answer = .some(answer)
    return answer
  }

  private func told(by preview: StepPreview, _ memory: inout Memory) -> Bool? {
    guard !asksForPrevious else { return nil }
    return text?.answer { question in
      guard question.word == .state else { return preview.answer(question) }
      if let answer = memory.placeAnswers[question.index] { return answer }
      let answer = preview.answer(question)
      memory.placeAnswers[question.index] = answer
      return answer
    }
  }
}

/// The steps where a condition holds, and the steps where its answer is unknown. Both are in order.
package struct StepAnswers: Sendable {
  package var hits: [Int]
  package var unknown: [Int]

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
  }
}
