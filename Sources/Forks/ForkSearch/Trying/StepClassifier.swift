import SessionWords
import TimeTravel
import ValueTree

struct StepClassifier {
  private let goal: Goal
  private let base: SearchedSession
  private var state: Value?
  private var step: Int
  private var values = Standing.Values.recorded
  private var assumptions: [Assumption] = []
  private var effectNames: [EffectID: String]
  /// By question about earlier steps: the steps where it held.
  private var earlier: [[Int]] = []
  private var held: Bool?
  /// The kind of action at which it holds, if not that of the session.
  private var otherKind: String?
  /// The step that acts like the different one, and the labels sent since.
  private var met: (step: Int, sent: [String])?
  private(set) var isDecided = false
  /// Calls the functions that the goal names.
  private var code: CodeRun?
  /// The earlier steps that the goal names.
  private var named: NamedRun?
  private(set) var failure: (any Error)?

  /// `earlier` has the steps up to this one where the questions about earlier steps hold.
  init(
    _ goal: Goal, of base: SearchedSession, from step: Int, state: Value?, earlier: [[Int]] = [],
    code: CodeRun? = nil, named: NamedRun? = nil
  ) {
    self.named = named
    self.code = code
    self.goal = goal
    self.step = step
    self.state = state
    self.base = base
    effectNames = base.effectNames
    self.earlier = earlier
  }

  /// True once the answer is known.
  mutating func hear(_ told: BranchStep) -> Bool {
    guard code != nil, !isDecided else { return hear(told, nil) }
    return code?.add(told) == true && finish()
  }

  /// Judges the steps that wait for the goal's functions. True once the answer is known.
  mutating func finish() -> Bool {
    guard !isDecided else { return true }
    do {
      for (told, value) in try code?.answers() ?? [] where hear(told, value) { break }
    } catch {
      failure = error
      isDecided = true
    }
    return isDecided
  }

  private mutating func hear(_ told: BranchStep, _ code: Value?) -> Bool {
    guard !isDecided else { return true }
    if met != nil { return hearSent(told) }
    if let from = told.descendsFrom, from > base.last {
      isDecided = true
      return true
    }
    step = told.step.number
    values = max(values, told.standing.values)
    assumptions += told.standing.assumptions
    for event in told.effects {
      guard case .started(let origin) = event.kind else { continue }
      effectNames[event.effect] = EffectSpan(number: event.effect, origin: origin).name
    }
    // An error in a JavaScript reducer ends no process if it was recorded as a step.
    if case .crash(let words) = goal, told.step.error == words {
      held = true
      isDecided = true
      return true
    }
    do {
      isDecided = try happens(after: told, code)
    } catch {
      failure = error
      isDecided = true
    }
    return isDecided
  }

  private mutating func hearSent(_ told: BranchStep) -> Bool {
    if case .output(let sender) = told.step.cause {
      if sender == met?.step { met?.sent.append(told.step.label) }
    } else {
      isDecided = true
    }
    return isDecided
  }

  private mutating func happens(after told: BranchStep, _ code: Value?) throws -> Bool {
    let previous = state
    var hasChanged = true
    if let patch = told.patch, let state {
      let patch = try Patch(patch)
      hasChanged = !patch.isEmpty
      self.state = try patch.applied(to: state)
    }
    if case .differs(let different) = goal, told.descendsFrom == different.step {
      guard different.isLike(told, before: previous, after: state) else { return true }
      met = (told.step.number, [])
      if !isSame(previous, different.state) {
        values = .assumed
        assumptions.append(DifferentStep.assumption(at: told.step.number))
      }
      return different.sent == nil
    }
    guard case .holds(let question) = goal else { return false }
    let (now, surroundings) = (state, surroundings)
    let named = try named?.hear(told, state: now, in: surroundings) ?? NamedSteps()
    if !hasChanged, held == false, question.isStateAlone { return false }
    let unknown = code == nil && !question.code.isEmpty ? [Condition.code] : []
    let value = try value(question, of: told, previous: previous, code, named)
    let earlier = earlier
    let holds =
      try question.condition.answer(for: value, unknown: unknown + named.unknown) { place in
        let asked = question.condition.neighbours[place]
        guard asked.direction == .before, let last = earlier[place].last else { return false }
        return asked.within.map { told.step.number - last <= $0 } ?? true
      } == true
    for (place, neighbour) in question.condition.neighbours.enumerated() {
      let inner = StepQuestion(neighbour.condition)
      let value = try self.value(inner, of: told, previous: previous, code)
      if try inner.condition.answer(for: value, unknown: unknown) == true {
        self.earlier[place].append(told.step.number)
      }
    }
    held = holds
    if holds, let failing = base.failing, told.step.label != failing {
      otherKind = told.step.label
    }
    return holds
  }

  /// Whether a part of the condition holds, or may: forks know which steps a step names.
  func couldHold(_ part: StepQuestion, after told: BranchStep) throws -> Bool {
    let value = try value(part, of: told, previous: state)
    return try part.condition.answer(for: value, unknown: NamedSteps.words) { _ in true } != false
  }

  private var surroundings: StepSurroundings {
    let (base, names, assumptions) = (base, effectNames, assumptions)
    return StepSurroundings(
      branch: { base.open.name(of: base.branch) }, knowsCauses: base.knowsCauses,
      effectName: { names[$0] },
      assumptions: { Set(assumptions.map(\.kind)) })
  }

  private func value(
    _ question: StepQuestion, of told: BranchStep, previous: Value?, _ code: Value? = nil,
    _ named: NamedSteps = NamedSteps()
  ) throws -> Value {
    try question.value(
      of: told, in: surroundings, state: state, previous: previous, code: code, named: named)
  }

  func verdict(_ report: BranchReport?) -> Verdict {
    var verdict = Verdict(.doesNot, step: step, values: values, assumptions: assumptions)
    verdict.state = state
    if isDecided, held == true {
      let other = otherKind.map { "it happens at \($0), not at \(base.failing ?? "")" }
      verdict.answer = other.map { .otherFailure($0) } ?? .happens
    }
    if let met, case .differs(let different) = goal, different.sent ?? met.sent == met.sent {
      (verdict.answer, verdict.step) = (.happens, met.step)
    }
    if case .ends(let place, let value) = goal, isSame(state?[place], value) {
      verdict.answer = .happens
    }
    guard let end = report?.ending else { return verdict }
    if end.outcome != .undecodable {
      verdict.step = end.step
      verdict.answer = goal == .crash(words: end.reason) ? .happens : .otherFailure(end.reason)
    } else if verdict.happens, !isDecided {
      verdict.answer = .doesNot
    }
    return verdict
  }
}
