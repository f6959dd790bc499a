import SessionWords
import ValueTree

extension Rerun {
  /// A step that was skipped when it was recorded: it stays a step, and its state is the one before.
  /// What reducers sent after it is dealt with in the same way.
  mutating func passOver(_ slot: SourceSlot, cause: Cause, expected: [Int] = []) throws {
    let number = slot.step.number
    log.close()
    log.stepBegins(step + 1)
    machine.pass(state: machine.state)
    let own = step
    descents.add(own, from: number)
    var told = slot.step
    told.number = own
    told.time = clock
    told.cause = cause
    log.begin(
      BranchStep(
        step: told, descendsFrom: number,
        standing: Standing(judge.values, .new, judge.takeNew()),
        remarks: ["it was skipped when it was recorded"]))
    for event in slot.begun { adopt(event) }
    if var tracker {
      let before = tracker.branch
      switch try tracker.isEqual(toStateAfter: number, of: &cursor) {
      case true?: log.open?.standing.outcome = .equal
      case false?:
        log.open?.standing.outcome = .different
        try differs(slot.step, &tracker)
      case nil: break
      }
      if log.deliver != nil {
        let change = patch(from: before, to: before)
        log.open?.patch = change
      }
      self.tracker = tracker
    }
    for output in expected {
      let slot = try cursor.slot(output)
      if isPassedOver(slot.step) {
        try passOver(slot, cause: .output(of: own))
      } else {
        leaveOut(slot.step, .notSent)
      }
    }
  }

  /// A skipped step that the user did not put another action into.
  func isPassedOver(_ step: Step) -> Bool {
    step.isSkipped && script.replaced[step.number] == nil
  }
}
