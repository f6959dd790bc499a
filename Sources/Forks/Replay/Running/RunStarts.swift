import Recorder
import SessionWords
import StoreCore
import ValueTree

extension SessionReplay {
  /// A run at the point where a script leaves its source, with the script in force.
  func start(
    _ script: Script, on source: any ReplaySource, isTold: Bool, _ control: RunControl,
    _ deliver: @escaping (BranchStep) -> Void
  ) throws -> Rerun {
    let plan = try ScriptPlan(script, of: source.steps)
    let place = try beginning(ofTurnAfter: script.leavesAt, in: source)
    var rerun = try prefix(of: source, upTo: place, control)
    var (doubts, isOtherBefore) = try settle(&rerun, at: place, on: source, control)
    doubts += try remarks(onTheTurnOf: &rerun, upTo: script.leavesAt, in: source)
    if source.isRedacted,
      let place = Redaction.place(in: try rerun.machine.state(nil))
    {
      doubts.append("\(place) of the state is redacted: the reducer gets another value than it had")
    }
    rerun.isOnTheWay = false
    rerun.isSourceComputed = isComputed
    recordedRuns.stepBegins = control.stepBeginsBeside
    recordedRuns.isCutShort = false
    for runs in [recordedRuns, rerun.recordedRuns] where runs.makeLine == nil {
      runs.makeLine = { [unowned self, unowned runs] step in
        let place = try beginning(ofTurnAfter: step - 1, in: runs.source)
        let begins = runs.stepBegins
        var control = RunControl()
        control.stepBegins = { begins(min($0, step)) }
        return try prefix(of: runs.source, upTo: place, control)
      }
    }
    if setup.runsEffectsOnTape {
      rerun.stage.answers = try answers(for: script, on: source, rerun.clock)
    }
    recordedRuns.renewBudget()
    rerun.examples = recordedRuns
    rerun.classifier.secretive = Set(
      try recordedRuns.outcomes.namings.get().compactMap(\.effect))
    try rerun.apply(plan)
    for doubt in doubts { rerun.classifier.inherit(.otherStart(doubt, at: script.leavesAt + 1)) }
    rerun.log = RerunLog()
    rerun.log.remarks = doubts
    if rerun.stage.answers == nil, let reply = script.replies.first {
      rerun.log.remarks.append(
        "this host does not run effects on the tape, so none asks \(reply.question.text.clipped())")
    }
    if isOtherBefore {
      let doubt = source.isRedacted ? ", or a redacted value makes the difference" : ""
      rerun.log.remarks.append(
        "today's reducer takes a step before the fork differently\(doubt), and the fork starts from "
          + "the recorded state: retcon verify shows the difference")
    }
    rerun.log.deliver = deliver
    rerun.log.stepBegins = control.stepBegins
    if !source.isFinished { rerun.recordedRuns.blocks.forget() }
    rerun.replayCursor.cursor.shared = rerun.recordedRuns.blocks
    if isTold {
      try rerun.track()
      rerun.log.base =
        try source.state(after: script.leavesAt)
        ?? state(
          inTheTurnOf: rerun, after: script.leavesAt)
    }
    rerun.hasEditsAtStart = place == script.leavesAt
    return rerun
  }

  private func answers(
    for script: Script, on source: any ReplaySource, _ clock: Duration?
  ) throws -> TapeAnswers {
    var answers = try recordedRuns.outcomes.answers.get()
    answers.comparesTimes = setup.hidesState
    for reply in source.replies { answers.say(reply) }
    for reply in script.replies { answers.say(reply, notBefore: clock ?? .zero) }
    return answers
  }

  /// The start for a run that must reach this step: a fork inside a turn begins with the turn,
  /// because directly sent actions are recomputed.
  func beginning(
    ofTurnAfter step: Int, in source: any ReplaySource
  ) throws -> Int {
    var cursor = SourceCursor(source)
    return try cursor.beginning(ofTurnAfter: step)
  }

  func prefix(
    of source: any ReplaySource, upTo step: Int, _ control: RunControl
  ) throws -> Rerun {
    guard source.steps.contains(step) else {
      throw ReplayError.noSuchStep(step, available: source.steps)
    }
    // The step that the app stopped in may never return.
    guard try !source.step(step).isUnfinished else {
      throw try stateUnknown(after: step, in: source)
    }
    let isMain = !(source is BranchSource)
    if isMain { checkpoints.look(at: step) }
    var rerun =
      try (isMain ? checkpoints.last(upTo: step, recorded: main.state) : nil)
      ?? beginning(of: source)
    rerun.log.stepBegins = control.stepBegins
    rerun.isOnTheWay = true
    do {
      if isMain, let mainEnd, mainEnd.step <= step { throw mainEnd }
      // All of them on the way, so that it does not matter which step is asked for first.
      for known in try source.knownSteps(after: rerun.replayCursor.position, before: step) {
        try proceed(&rerun, to: known, isMain: isMain, control)
        guard rerun.replayCursor.position == known else { continue }
        try adoptState(source.state(after: known), by: &rerun)
      }
      try proceed(&rerun, to: step, isMain: isMain, control)
    } catch let end as BranchReport.Ending {
      if isMain { mainEnd = end }
      guard (try? source.state(after: step)) ?? nil != nil else { throw end }
      rerun = try beginning(of: source, from: step)
    } catch ReplayError.actionDoesNotDecode where source.loss(ofStateAfter: step) != nil {
      throw try stateUnknown(after: step, in: source)
    }
    guard rerun.replayCursor.position == step else {
      throw try stateUnknown(after: step, in: source)
    }
    if isMain { try checkpoints.keepNewest(rerun, at: step) }
    rerun.countOn(from: step)
    return rerun
  }

  /// A state that the recording does not hold follows from the last one that it holds.
  private func adoptState(_ recorded: Value?, by rerun: inout Rerun) throws {
    guard let recorded, try !rerun.machine.state(nil).isExactlyEqual(to: recorded),
      isWhole(recorded)
    else { return }
    try rerun.machine.put(recorded)
  }

  /// Whether encoding the state again gives the same.
  private func isWhole(_ recorded: Value) -> Bool {
    let again = try? setup.machine(with: recorded, after: 0).state(nil)
    return again?.isExactlyEqual(to: recorded) == true
  }

  func proceed(
    _ rerun: inout Rerun, to step: Int, isMain: Bool, _ control: RunControl
  ) throws {
    try rerun.inScene { rerun in
      while rerun.replayCursor.position < step {
        try check(control, rerun)
        try rerun.replayNext()
        guard isMain else { continue }
        try checkpoints.offer(rerun, at: rerun.replayCursor.position, onTheWayTo: step)
      }
    }
  }

  func beginning(
    of source: any ReplaySource, from first: Int? = nil
  ) throws -> Rerun {
    let start = try StateStart(of: source, setup, from: first, given: start)
    let plain =
      source is BranchSource
      ? PlainSteps(first: source.steps.lowerBound, budget: 0) : plainSteps
    var rerun = try Rerun(setup, dependencyScope, source, plain, from: start)
    if !(source is BranchSource) {
      rerun.recordedRuns = recordedRuns
      if source.isFinished { rerun.replayCursor.cursor.shared = recordedRuns.blocks }
    }
    try rerun.begin()
    rerun.log.effects = []
    return rerun
  }

  private func stateUnknown(after step: Int, in source: any ReplaySource) throws -> ReplayError {
    .stateUnknown(
      step: step, reason: source.loss(ofStateAfter: step) ?? "a step before it cannot be run",
      known: try source.knownState(from: step + 1))
  }

  /// `forks/start-state` and `runs/checkpoint`: a branch starts from its parent's state. If the
  /// re-run reached another state, it takes the recorded one if encoding that again gives the same,
  /// else the nearest earlier one that does. An unrecorded state is an assumption. Tells, too, if
  /// the reducer itself does not lead to the recorded state.
  private func settle(
    _ rerun: inout Rerun, at place: Int, on source: any ReplaySource,
    _ control: RunControl
  ) throws -> (doubts: [String], isOtherBefore: Bool) {
    guard let recorded = try source.state(after: place) else { return ([], false) }
    if try rerun.machine.state(nil).isExactlyEqual(to: recorded) {
      return ([], !(source is BranchSource) && mainEnd.map { $0.step <= place } == true)
    }
    let last = setup.decodesStates ? source.steps.lowerBound : place + 1
    for step in stride(from: place, through: last, by: -1) {
      if step.isMultiple(of: 64), control.isCancelled() { throw ReplayError.cancelled }
      guard let known = try source.state(after: step), isWhole(known) else { continue }
      var earlier = step == place ? rerun : try prefix(of: source, upTo: step, control)
      try earlier.machine.put(known)
      while earlier.replayCursor.position < place { try earlier.replayNext() }
      rerun = earlier
      if step == place { return ([], true) }
      if try rerun.machine.state(nil).isExactlyEqual(to: recorded) {
        return ([], true)
      }
      break
    }
    return (
      [
        "the recording does not give the state after step \(place): the fork starts from the re-run's"
      ], false
    )
  }

  /// A branch that leaves inside a turn begins with today's sends (`runs/sent-at-once`). If they
  /// give another state than recorded, the branch starts from an unrecorded state, which is an
  /// assumption.
  func remarks(
    onTheTurnOf rerun: inout Rerun, upTo step: Int, in source: any ReplaySource
  ) throws -> [String] {
    guard rerun.replayCursor.position < step, let recorded = try source.state(after: step) else {
      return []
    }
    if let state = try self.state(inTheTurnOf: rerun, after: step),
      state.isExactlyEqual(to: recorded)
    {
      return []
    }
    return [
      "running the turn of step \(step) again gives another state: the fork starts from that one"
    ]
  }

  func state(
    inTheTurnOf start: Rerun, after step: Int
  ) throws -> Value? {
    let turn = try turn(of: start, upTo: step)
    return turn.last >= step ? turn.state : nil
  }

  func turn(
    of start: Rerun, upTo step: Int
  ) throws -> (last: Int, state: Value) {
    var rerun = start
    let state = try rerun.machine.state(nil)
    guard rerun.step < step else { return (step, state) }
    if rerun.machine.holdsReferences { try rerun.machine.put(state) }
    rerun.isOnTheWay = false
    rerun.log = RerunLog()
    return try told(by: &rerun, from: state, after: start.step, upTo: step) { rerun in
      while rerun.step < step, !rerun.replayCursor.isAtEnd { try rerun.replayNext() }
    }
  }
}
