import SessionWords
import ValueTree

/// The step that comes behind the last one that a fork has told: where its run ends in that, nobody tells
/// it.
struct ComingStep: Sendable {
  /// The parent's step that it descends from.
  var descendsFrom: Int?
  /// What an edit makes of it; else it is as the parent has it.
  var own: (label: String, action: Value)?
}

extension OpenSession {
  /// Nil where only the host could know it.
  func comingStep(of fork: String) -> ComingStep? {
    guard let script = branch(fork)?.script, let parent = branch(script.parent) else { return nil }
    let told = table.withLock { $0.ownSteps(of: fork) }
    let last = told?.last
    guard let place = last == nil ? script.leavesAt : last?.descendsFrom,
      // Behind a step that was moved the parent's next one does not come.
      !script.edits.contains(where: { if case .move(place, _) = $0 { true } else { false } })
    else { return nil }
    for next in stride(from: place + 1, through: parent.steps.upperBound, by: 1) {
      if let coming = script.ownStep(behind: next - 1) { return coming }
      switch script.edits.first(where: { $0.step == next && $0.decidesStep }) {
      case .replace(_, let action):
        return ComingStep(descendsFrom: next, own: (action.caseNames, action))
      case .some: continue
      case nil:
        if leavesOut(next, of: script, told) { continue }
        return ComingStep(descendsFrom: next)
      }
    }
    return script.ownStep(behind: parent.steps.upperBound)
  }

  /// Whether a fork does not come by a step of its parent, because what sent it there has not come or does
  /// not speak any more.
  private func leavesOut(_ number: Int, of script: Script, _ told: ForkSteps?) -> Bool {
    func comes(_ step: Int) -> Bool {
      step <= script.leavesAt || told?.number(descendingFrom: step) != nil
    }
    switch try? step(at: Position(branch: script.parent, step: number)).step.cause {
    case nil, .user: return false
    case .output(let sender): return !comes(sender)
    case .effect(let effect):
      if script.answers(effect) { return true }
      if let own = told?.effects[effect] { return own.end != nil }
      let span = try? effects(in: number...number, of: script.parent)
        .first { $0.number == effect }
      return span.map { $0.origin.step > script.leavesAt } ?? false
    }
  }
}

extension Script {
  /// What the first edit makes that puts a step behind one of the parent's.
  fileprivate func ownStep(behind step: Int) -> ComingStep? {
    switch edits.first(where: { $0.place == step && $0.makesStep }) {
    case .insert(_, let action): ComingStep(own: (action.caseNames, action))
    case .set(_, let pointer, let value):
      ComingStep(
        own: ("state set by hand", ["pointer": .string(pointer), "value": value]))
    case .answer(let answer):
      if case .emit(let action) = answer.outcome {
        ComingStep(own: (action.caseNames, action))
      } else {
        nil
      }
    case .move(let moved, _): ComingStep(descendsFrom: moved)
    case .skip, .replace, .read, .reply, nil: nil
    }
  }

  /// Whether the user says what an effect does.
  fileprivate func answers(_ effect: Int) -> Bool {
    edits.contains { if case .answer(let answer) = $0 { answer.effect == effect } else { false } }
  }
}

extension Edit {
  /// Whether the step that it is about does not come there as it was.
  fileprivate var decidesStep: Bool {
    switch self {
    case .skip, .replace, .move: true
    case .insert, .read, .set, .answer, .reply: false
    }
  }
}
