import SessionWords
import ValueTree

/// The earlier steps that a condition names, as objects with the words of a step: `started`, and
/// `last(…)` by its places.
package struct NamedSteps: Sendable {
  package var started: Value?
  package var last: Value?
  /// The words whose steps are not known.
  package var unknown: [String] = []

  package init() {}

  /// The words of a condition that name earlier steps.
  package static let words = StepQuestion.Word.ofOtherSteps.map(\.rawValue)

  /// A step whose state is asked for and not known makes the word unknown.
  mutating func start(from step: Value, _ asked: StepQuestion) {
    started = step
    recordUnknown(step, as: .started, asked)
  }

  mutating func add(_ step: Value, toLast question: LastQuestion, _ asked: StepQuestion) {
    var members: ValueObject = [:]
    if case .object(let known)? = last { members = known }
    members[question.text] = step
    last = .object(members)
    recordUnknown(step, as: .last, asked)
  }

  private mutating func recordUnknown(
    _ step: Value, as word: StepQuestion.Word, _ asked: StepQuestion
  ) {
    guard asked.asksForStateOf.contains(word), step["state"] == nil else { return }
    unknown.append(word.rawValue)
  }
}

/// By question about the last step with the same values: that step, for each step of a branch.
struct LastSteps: Sendable {
  fileprivate var first = 0
  fileprivate var steps: [[Place]] = []

  fileprivate enum Place {
    case none, hidden
    case at(Int)
  }
}

extension Step {
  /// The step as another one sees it.
  func words(_ state: Value?) -> Value {
    var words = ValueObject([
      ("step", .number(Number(number))), ("label", .string(label)), ("action", action),
    ])
    if let time { words["time"] = .number(Number(time / .seconds(1))) }
    words["state"] = state
    return .object(words)
  }

  /// A step that did not happen, or is not known, is like no other.
  fileprivate var isNamed: Bool { damage == nil && !isSkipped && !isLost }
}

extension StepQuestion {
  static func key(
    _ question: LastQuestion, of step: BranchStep, in surroundings: StepSurroundings
  ) throws -> String? {
    guard step.step.isNamed else { return nil }
    var members: [ValueObject.Element] = []
    try add([.label, .action, .cause, .reads], of: step, in: surroundings, to: &members)
    return question.key(of: .object(ValueObject(members)))
  }
}

extension OpenSession {
  func lastSteps(_ questions: [LastQuestion], of branch: BranchID) async throws -> LastSteps {
    guard !questions.isEmpty, let all = self.branch(branch)?.steps else { return LastSteps() }
    var found = LastSteps(
      first: all.lowerBound, steps: Array(repeating: [], count: questions.count))
    var latest = Array(repeating: [String: Int](), count: questions.count)
    try await goThrough([all]) { part in
      for number in part {
        let position = Position(branch: branch, step: number)
        let step = try step(at: position)
        for (index, question) in questions.enumerated() {
          let key = try StepQuestion.key(question, of: step, in: surroundings(of: position))
          var place = LastSteps.Place.none
          if let key, summary.isRedacted, key.contains(Redaction.mark) {
            place = .hidden
          } else if let key {
            if let last = latest[index].updateValue(number, forKey: key) { place = .at(last) }
          }
          found.steps[index].append(place)
        }
      }
      return true
    }
    try Task.checkCancellation()
    return found
  }

  func namedSteps(
    _ asked: StepQuestion, at position: Position, _ lasts: LastSteps
  ) async throws -> NamedSteps {
    var named = NamedSteps()
    if asked.words.contains(.started) {
      let cause = try step(at: position).step.cause
      var origins: [EffectID: Int] = [:]
      if case .effect(let number) = cause {
        let spans = try spans(in: position.step...position.step, of: position.branch)
        origins[number] = spans.first { $0.number == number }?.origin.step
      }
      if let sender = cause.sender(origins) {
        named.start(from: try await words(of: sender, position.branch), asked)
      } else if cause.isUntold(summary.knowsCauses) {
        named.unknown.append(StepQuestion.Word.started.rawValue)
      }
    }
    for (question, steps) in zip(asked.lasts, lasts.steps)
    where steps.indices.contains(position.step - lasts.first) {
      switch steps[position.step - lasts.first] {
      case .none: break
      case .hidden: named.unknown.append(StepQuestion.Word.last.rawValue)
      case .at(let step):
        named.add(try await words(of: step, position.branch), toLast: question, asked)
      }
    }
    return named
  }

  func words(of number: Int, _ branch: BranchID) async throws -> Value {
    let position = Position(branch: branch, step: number)
    return try step(at: position).step.words(try await knownState(at: position))
  }
}

extension Cause {
  /// Whether an effect may have sent the action.
  func isUntold(_ isKnown: Bool) -> Bool {
    switch self {
    case .effect, .output, .unknown: true
    case .user, .outside: !isProven(ifKnown: isKnown)
    }
  }
}
