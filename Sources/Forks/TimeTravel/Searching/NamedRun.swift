import Platform
import SessionWords
import ValueTree

/// The earlier steps that a condition names, for a run that leaves a branch.
package struct NamedRun: Sendable {
  private let asked: StepQuestion
  private let isRedacted: Bool
  private let knowsCauses: Bool
  /// By question about the last step, and by the values at its places.
  private var latest: [[String: Value]]
  /// The steps that may have sent an action.
  private var senders: [Int: Value] = [:]
  private var origins: [EffectID: Int]

  fileprivate init(
    _ asked: StepQuestion, _ summary: RecordingSummary, _ origins: [EffectID: Int]
  ) {
    self.asked = asked
    isRedacted = summary.isRedacted
    knowsCauses = summary.knowsCauses
    latest = Array(repeating: [:], count: asked.lasts.count)
    self.origins = origins
  }

  fileprivate mutating func add(
    _ step: BranchStep, _ words: Value, in surroundings: StepSurroundings, isSender: Bool
  ) throws {
    if isSender { senders[step.step.number] = words }
    for (index, question) in asked.lasts.enumerated() {
      guard let key = try StepQuestion.key(question, of: step, in: surroundings) else { continue }
      latest[index][key] = words
    }
  }

  /// Shows the condition a step that was run; later steps see this one.
  package mutating func hear(
    _ told: BranchStep, state: Value?, in surroundings: StepSurroundings
  ) throws -> NamedSteps {
    var named = NamedSteps()
    for event in told.effects {
      if case .started(let origin) = event.kind { origins[event.effect] = origin.step }
    }
    let cause = told.step.cause
    if let sender = cause.sender(origins).flatMap({ senders[$0] }) {
      named.start(from: sender, asked)
    } else if cause.isUntold(knowsCauses) {
      named.unknown.append(StepQuestion.Word.started.rawValue)
    }
    for (index, question) in asked.lasts.enumerated() {
      guard let key = try StepQuestion.key(question, of: told, in: surroundings) else { continue }
      if isRedacted, key.contains(Redaction.mark) {
        named.unknown.append(StepQuestion.Word.last.rawValue)
      } else if let last = latest[index][key] {
        named.add(last, toLast: question, asked)
      }
    }
    try add(told, told.step.words(state), in: surroundings, isSender: true)
    return named
  }
}

extension OpenSession {
  /// With more steps than these before it, a run does not keep the last ones.
  private static let mostLasts = 20_000

  /// The run's knowledge of the steps before it leaves a branch; nil if the question needs none of
  /// it.
  package func namedRun(
    _ question: StepQuestion, after step: Int, of branch: BranchID, _ origins: [EffectID: Int]
  ) async throws -> NamedRun? {
    if question.condition.neighbours.contains(where: {
      StepQuestion($0.condition).asksForOtherSteps
    }) {
      throw Trouble(
        "forks cannot answer started or last inside precededBy or followedBy",
        next: "Ask the session itself: retcon find")
    }
    guard question.asksForOtherSteps, let start = self.branch(branch)?.steps.lowerBound
    else { return nil }
    let asksForLasts = !question.lasts.isEmpty
    guard !asksForLasts || step - start < Self.mostLasts else {
      throw Trouble(
        "last(…) in forks needs a session of at most \(Self.mostLasts) steps",
        next: "Trim the session with retcon export, or leave out last(…)")
    }
    var run = NamedRun(question, summary, origins)
    let alive = Set(try spans(in: step...step, of: branch).map(\.origin.step))
    let first = asksForLasts ? start : max(start, step - 16)
    for number in alive.filter({ $0 < first && $0 >= start }).sorted() + Array(first...step) {
      try Task.checkCancellation()
      let position = Position(branch: branch, step: number)
      try run.add(
        try self.step(at: position), try await words(of: number, branch),
        in: surroundings(of: position), isSender: number >= step - 16 || alive.contains(number))
    }
    return run
  }
}
