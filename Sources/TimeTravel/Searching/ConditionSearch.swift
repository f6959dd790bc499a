import Platform
import SessionFile
import SessionWords
import ValueTree

/// Evaluates a condition on many steps. Of recorded steps it parses only the needed parts.
struct ConditionSearch {
  let session: OpenSession
  let branch: String
  let question: StepQuestion
  /// For each question about neighbours, the steps where it holds.
  let neighbours: [[Int]]
  /// Evaluates lines without parsing; nil if impossible. Each search has its own: several would
  /// wait for each other's counts of references.
  private let text: TextCondition?
  private var walk: StepWalk?
  private var memory: Memory

  private struct Memory {
    /// The offset from recorded step numbers to the branch's.
    var shift: Int
    var previous: Value?
    var previousHasChanged = true
    var answer: Bool?
    var placeAnswers: [Bool?]
  }

  init(_ session: OpenSession, _ branch: String, _ question: StepQuestion, _ neighbours: [[Int]]) {
    self.session = session
    self.branch = branch
    self.question = question
    self.neighbours = neighbours
    text = TextCondition(question.condition)
    memory = Memory(shift: 0, placeAnswers: [])
  }

  /// Like ``hits(in:)``, on all processors if worthwhile: each starts with the state before its
  /// part.
  mutating func allHits(in steps: ClosedRange<Int>) async throws -> [Int] {
    // More parts than processors, because some may be busy.
    let parts = min(
      Self.processors > 1 ? 4 * Self.processors : 1, steps.count / Self.smallestPart)
    guard parts > 1 else { return try await hits(in: steps) }
    let size = (steps.count + parts - 1) / parts
    return try await withThrowingTaskGroup(of: (Int, [Int]).self) { group in
      for first in stride(from: steps.lowerBound, through: steps.upperBound, by: size) {
        let part = first...min(first + size - 1, steps.upperBound)
        group.addTask { [session, branch, question, neighbours] in
          var search = ConditionSearch(session, branch, question, neighbours)
          return (first, try await search.hits(in: part))
        }
      }
      var found: [(first: Int, hits: [Int])] = []
      for try await part in group { found.append((part.0, part.1)) }
      return found.sorted { $0.first < $1.first }.flatMap(\.hits)
    }
  }

  private static let smallestPart = 2_048
  private static let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  mutating func hits(in steps: ClosedRange<Int>) async throws -> [Int] {
    var hits: [Int] = []
    var next = steps.lowerBound
    while next <= steps.upperBound {
      if walk != nil || isWithinRecording(next),
        let recorded = session.recorded(next...steps.upperBound, of: branch)
      {
        if let few = try candidates(in: recorded) {
          walk = nil
          for step in few where try await holds(at: step) { hits.append(step) }
        } else {
          try hits += walked(recorded)
        }
        next = recorded.steps.upperBound + 1
      } else {
        walk = nil
        if try await holds(at: next) { hits.append(next) }
        next += 1
      }
    }
    return hits
  }

  /// The steps whose bytes contain a necessary text; nil without one, or if it is too frequent to
  /// help.
  private func candidates(in recorded: RecordedSteps) throws -> [Int]? {
    guard let needle = question.needs.needle else { return nil }
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

  private func holds(at step: Int) async throws -> Bool {
    let position = Position(branch: branch, step: step)
    if leavesOutUnknown || counted != nil, try await session.knownState(at: position) == nil {
      counted?.note()
      if leavesOutUnknown { return false }
    }
    return try holds(try await question.value(at: position, in: session), at: step)
  }

  private func holds(_ value: Value, at step: Int) throws(QueryRunError) -> Bool {
    try question.condition.holds(for: value) {
      question.condition.neighbours[$0].isAnswered(by: neighbours[$0], at: step)
    }
  }

  private mutating func walked(_ recorded: RecordedSteps) throws -> [Int] {
    let (first, shift) = (recorded.own.lowerBound, recorded.shift)
    if walk?.next != first || memory.shift != shift {
      let start = recorded.recording.walk(question.needs.places, from: first)
      walk = start
      memory = Memory(
        shift: shift, previous: asksForPrevious ? start.state : nil,
        placeAnswers: Array(repeating: nil, count: text?.questions.count ?? 0))
    }
    guard var walk else { return [] }
    self.walk = nil
    var hits: [Int] = []
    var memory = memory
    let search = self
    try walk.visit(through: recorded.own.upperBound) { preview in
      if try search.holds(preview, &memory) { hits.append(preview.number + shift) }
      return true
    }
    self.walk = walk
    self.memory = memory
    return hits
  }

  private var leavesOutUnknown: Bool { question.isOfKnownStates && question.asksForStates }
  private var counted: UnknownStates? { question.asksForStates ? question.unknownStates : nil }
  private var asksForPrevious: Bool { question.needs.words.contains(.previous) }

  private func holds(_ preview: StepPreview, _ memory: inout Memory) throws -> Bool {
    if preview.hasChanged {
      for index in memory.placeAnswers.indices { memory.placeAnswers[index] = nil }
    }
    defer {
      if asksForPrevious {
        memory.previous = preview.state
        memory.previousHasChanged = preview.hasChanged
      }
    }
    if let counted, !preview.isStateKnown { counted.note() }
    let isAsBefore = !preview.hasChanged && !(memory.previousHasChanged && asksForPrevious)
    if isAsBefore, question.needs.isStateAlone, let answer = memory.answer { return answer }
    if leavesOutUnknown, !preview.isStateKnown {
      memory.answer = false
      return false
    }
    if let answer = told(by: preview, &memory) {
      memory.answer = answer
      return answer
    }
    let position = Position(branch: branch, step: preview.number + memory.shift)
    let step = BranchStep(recorded: try preview.step(question.needs.parts))
    let value = try question.value(
      of: memory.shift == 0 ? step : session.table.withLock { $0.numbered(step, at: position) },
      at: position, in: session, state: preview.state, previous: memory.previous)
    let answer = try holds(value, at: position.step)
    memory.answer = answer
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
