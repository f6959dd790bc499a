import Recorder
import SessionWords
import ValueTree

extension SessionReplay {
  /// A branch that leaves inside of a turn begins with what reducers send now (rule 2). Where that
  /// comes to another state than the recorded one, the branch starts from a state that nobody
  /// recorded: it is doubtful, and says so.
  func remarks(
    onTheTurnOf rerun: inout Rerun<State, Action>, upTo step: Int, in source: any ReplaySource
  ) throws -> [String] {
    guard rerun.position < step, let recorded = try source.state(after: step) else { return [] }
    if let state = try self.state(inTheTurnOf: rerun, after: step),
      state.isExactlyEqual(to: recorded)
    {
      return []
    }
    return [
      "the turn that step \(step) is part of does not come to the recorded state there: "
        + "the branch starts from the re-run's"
    ]
  }

  /// What the rest of a turn comes to at a step of it; nil when it does not come so far.
  func state(
    inTheTurnOf start: Rerun<State, Action>, after step: Int
  ) throws -> Value? {
    var rerun = start
    var state = try ValueEncoder().encode(rerun.machine.state)
    if ReferenceSearch.findsReference(in: rerun.machine.state) {
      // It would be changed for the branch, too.
      rerun.machine.state = try ValueDecoder().decode(State.self, from: state)
    }
    rerun.isOnTheWay = false
    let told = ToldSteps()
    rerun.log = RerunLog()
    rerun.log.deliver = { told.steps.append($0) }
    try rerun.track()
    while rerun.step < step, !rerun.isAtEnd { try rerun.followNext() }
    rerun.log.close()
    guard step <= start.step || told.steps.contains(where: { $0.step.number == step }) else {
      return nil
    }
    for own in told.steps where own.step.number <= step {
      if let patch = own.patch { state = try Patch(patch).applied(to: state) }
    }
    return state
  }
}

private final class ToldSteps {
  var steps: [BranchStep] = []
}
