import SessionWords
import ValueTree

extension OpenSession {
  /// The step after the last reported one: if a run ends inside it, the host cannot report it. Nil if
  /// only the host could know it.
  func comingStep(of fork: BranchID) -> BranchStep? {
    guard let script = branch(fork)?.script, let parent = branch(script.parent) else { return nil }
    let told = table.withLock { $0.own[fork] }
    let last = told?.last
    guard let place = last == nil ? script.leavesAt : last?.descendsFrom,
      // The parent's next step does not follow a moved one.
      !script.edits.contains(where: { if case .move(place, _) = $0 { true } else { false } })
    else { return nil }
    for next in stride(from: place + 1, through: parent.steps.upperBound, by: 1) {
      if let coming = ownStep(behind: next - 1, of: script, told) { return coming }
      switch script.edits.first(where: { $0.step == next && $0.decidesStep }) {
      case .replace(_, let action): return inherited(next, of: script, told, as: action)
      case .some: continue
      case nil:
        if omits(next, of: script, told) { continue }
        return inherited(next, of: script, told)
      }
    }
    return ownStep(behind: parent.steps.upperBound, of: script, told)
  }

  private func inherited(
    _ number: Int, of script: Script, _ told: ForkSteps?, as action: Value? = nil
  ) -> BranchStep? {
    guard var step = try? step(at: Position(branch: script.parent, step: number)).step else {
      return nil
    }
    if let action {
      // The recorder's name of a case may differ from the code's.
      if action.caseNames != step.action.caseNames { step.label = action.caseNames }
      (step.action, step.set) = (action, nil)
    }
    if case .output(let sender) = step.cause {
      step.cause = .output(of: told?.number(descendingFrom: sender) ?? sender)
    }
    for case .read(number, let key, let index, let outcome) in script.edits {
      let places = step.reads.indices.filter { step.reads[$0].key == key }
      if places.indices.contains(index) { step.reads[places[index]].outcome = outcome }
    }
    // The app stopped here, but the fork did not; it reports its own end.
    if step.isUnfinished { (step.isUnfinished, step.damage) = (false, nil) }
    return BranchStep(
      step: step, descendsFrom: number,
      standing: Standing(action == nil ? .recorded : .edited, .new))
  }

  /// The action of the first edit that inserts behind a parent's step.
  private func ownStep(behind step: Int, of script: Script, _ told: ForkSteps?) -> BranchStep? {
    func own(_ step: Step) -> BranchStep {
      BranchStep(step: step, standing: Standing(.edited, .new))
    }
    switch script.edits.first(where: { $0.place == step && $0.makesStep }) {
    case .insert(_, let action):
      return own(Step(number: 0, label: action.caseNames, action: action))
    case .set(_, let pointer, let value): return own(Step(setting: SetPart(pointer, value: value)))
    case .answer(let answer):
      guard case .emit(let action) = answer.outcome else { return nil }
      return own(
        Step(number: 0, label: action.caseNames, action: action, cause: .effect(answer.effect)))
    case .move(let moved, _): return inherited(moved, of: script, told)
    case .skip, .replace, .read, .reply, nil: return nil
    }
  }

  /// Whether a fork skips a parent's step, because its sender is missing or silent.
  private func omits(_ number: Int, of script: Script, _ told: ForkSteps?) -> Bool {
    func comes(_ step: Int) -> Bool {
      step <= script.leavesAt || told?.number(descendingFrom: step) != nil
    }
    switch try? step(at: Position(branch: script.parent, step: number)).step.cause {
    case nil, .user, .outside, .unknown: return false
    case .output(let sender): return !comes(sender)
    case .effect(let effect):
      if script.answers(effect) { return true }
      if let own = told?.effects[effect] { return own.end != nil }
      let span = try? effects(in: number...number, of: script.parent)
        .first { $0.number == effect }
      return span.map { !$0.origin.isFromOutside && $0.origin.step > script.leavesAt } ?? false
    }
  }
}

extension Script {
  fileprivate func answers(_ effect: EffectID) -> Bool {
    edits.contains { if case .answer(let answer) = $0 { answer.effect == effect } else { false } }
  }
}
