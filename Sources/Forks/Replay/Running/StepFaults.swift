import SessionWords
import ValueTree

extension Rerun {
  /// The error of the step that was just run, if the recording goes on after one. Any other error
  /// ends the branch before the step.
  mutating func error(
    of fault: StepOutcome.Fault, _ planned: Planned?, _ recorded: Step?
  ) throws -> String {
    let ending: (Standing.Outcome, String?)
    switch fault {
    case .interrupted: return Step.interrupted
    case .timedOut: ending = (.timedOut, nil)
    case .threw(let words):
      if planned?.isEdited != true, let recorded, recorded.error != nil, !recorded.isNotRun {
        return words
      }
      ending = (.crashed, words)
    }
    machine.countOn(from: step - 1)
    throw BranchReport.Ending(step + 1, ending.0, ending.1)
  }

  /// Adopts the source's state, if the reducer has computed it from the same state and action: it
  /// would give the same again. False for a reducer whose state shows not all.
  mutating func adoptState(_ planned: Planned, _ slot: SourceSlot?) throws -> Bool {
    guard isSourceComputed, mode == .fork, setup.onlyReduces, !setup.hidesState,
      observer.isTold, !observer.isVerifying, !replayCursor.source.isRedacted,
      let slot, !planned.isEdited, turn.expected.isEmpty, machine.outputCount == 0,
      slot.step.reads.isEmpty, replayCursor.script.reads[slot.step.number] == nil,
      slot.step.error == nil, slot.step.damage == nil,
      let state = try observer.tracker?.state(after: slot.step.number, of: &replayCursor.cursor)
    else { return false }
    try machine.pass(to: state)
    return true
  }

  mutating func runsTwice(_ slot: SourceSlot?) -> Bool {
    guard setup.isRemote else {
      return observer.findings?.runsTwice(slot, observer.tracker?.branch) == true
    }
    return observer.findings?.checksDeterminism == true && slot != nil
  }

  mutating func remark(onChangeAt place: String) -> String {
    let place = place.isEmpty ? "its root" : place
    if log.inPlace == nil { log.inPlace = (step, place) }
    return "\(StepOutcome.inPlace), at \(place): it was given a copy"
  }

  /// Tells the machine which recorded steps come next, as far as the user let them be.
  mutating func lookAhead(from source: Int?) {
    guard !replayCursor.isFreeStepping else { return }
    let script = replayCursor.script
    var steps: [ExpectedStep] = []
    var number = max(source ?? 0, replayCursor.position)
    let last = min(replayCursor.steps.upperBound, number + machine.lookahead)
    while number < last, script.comes(after: number).isEmpty {
      number += 1
      if script.skipped.contains(number) || script.moved.contains(number) { continue }
      let replaced = script.replaced[number]
      if replaced == nil, let known = plain[number]?.action {
        if let value = try? known.value() { steps.append((value, [])) }
        continue
      }
      guard let step = try? replayCursor.step(number), step.damage == nil, step.set == nil else {
        break
      }
      if replaced == nil, step.isSkipped { continue }
      steps.append((replaced ?? step.action, setup.readsTape ? step.reads : []))
    }
    machine.expect(steps)
  }
}
