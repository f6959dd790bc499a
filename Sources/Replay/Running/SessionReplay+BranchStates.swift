import SessionWords
import ValueTree

extension SessionReplay {
  /// The state of a branch after a step: from its steps where they are kept, else by running it again
  /// from the nearest checkpoint, told only at the end.
  func branchState(
    of scripts: [Script], after step: Int, _ control: RunControl
  ) throws -> Value {
    guard let script = scripts.last else { throw ReplayError.noSuchBranch("main") }
    if script.rest == .nothing || branches.source(of: scripts) != nil {
      let source = try source(for: scripts, control)
      guard source.steps.contains(step), let state = try source.state(after: step) else {
        throw ReplayError.noSuchStep(step, available: source.steps)
      }
      return state
    }
    let parent = try source(for: Array(scripts.dropLast()), control)
    if step <= script.leavesAt {
      guard parent.steps.contains(step), let state = try parent.state(after: step) else {
        throw ReplayError.noSuchStep(step, available: parent.steps)
      }
      return state
    }
    let start =
      try branches.last(upTo: step, of: scripts)
      ?? self.start(script, on: parent, isTold: false, control) { _ in }
    var rerun = start
    // What reducers send at once comes in one go, so the last steps are told one by one.
    try advance(&rerun, to: step - Self.toldCount, control, of: scripts)
    if rerun.step > step { rerun = start }
    return try tell(&rerun, to: step, script, parent, control)
  }

  /// How many steps before the one that is asked for are told.
  private static var toldCount: Int { 32 }

  private func tell(
    _ rerun: inout Rerun<State, Action>, to step: Int, _ script: Script,
    _ parent: any ReplaySource, _ control: RunControl
  ) throws -> Value {
    let first = max(rerun.step, script.leavesAt)
    var state: Value?
    if rerun.step <= script.leavesAt { state = try parent.state(after: script.leavesAt) }
    let told = Collected(budget: .max)
    try rerun.track()
    rerun.log.base = state
    rerun.log.deliver = { told.add($0) }
    var value = try state ?? ValueEncoder().encode(rerun.machine.state)
    try advance(&rerun, to: step, control)
    rerun.log.close()
    guard let last = told.steps.last?.step.number ?? (first == step ? step : nil), last >= step
    else {
      throw ReplayError.noSuchStep(step, available: parent.steps.lowerBound...rerun.step)
    }
    for branchStep in told.steps
    where (first + 1...max(first + 1, step)).contains(
      branchStep.step.number)
    {
      if let patch = branchStep.patch { value = try Patch(patch).applied(to: value) }
    }
    return value
  }

  /// Runs a branch on until it has come to a step or, within one turn, beyond it; or has ended.
  private func advance(
    _ rerun: inout Rerun<State, Action>, to step: Int, _ control: RunControl,
    of scripts: [Script] = []
  ) throws {
    guard rerun.step < step else { return }
    rerun.log.stepBegins = control.stepBegins
    do {
      if rerun.hasEditsAtStart {
        rerun.hasEditsAtStart = false
        try rerun.applyEdits(after: rerun.position)
      }
      try rerun.inScene { rerun in
        while !rerun.isAtEnd, rerun.step < step {
          try check(control, rerun)
          try rerun.followNext()
          if !scripts.isEmpty, rerun.step.isMultiple(of: 64) {
            try branches.offer(rerun, for: scripts)
          }
        }
        if rerun.isAtEnd, rerun.step < step { try rerun.giveScheduledAnswers() }
      }
    } catch ReplayError.actionDoesNotDecode, ReplayError.badPointer {
      // The branch ends here, and its run has said so.
    }
  }
}
