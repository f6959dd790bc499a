import SessionFile
import SessionWords
import StoreCore
import ValueTree

/// A recording with the reducer to run it again.
///
/// Used by one thread at a time.
package final class SessionReplay {
  let setup: any RunSetup
  let main: any ReplaySource
  let dependencyScope: DependencyScope
  var checkpoints: Checkpoints
  let plainSteps: PlainSteps
  var ahead: SourceCursor?
  var nextAhead: Int?
  private var turns: SourceCursor
  var branches: KeptBranches
  let recordedRuns: RecordedRuns
  /// Branches that crashed a process, and the step; a fork of one does not repeat it.
  package var ends: [[Script]: Int] = [:]
  /// Where the recording's run ended: it would end there again.
  var mainEnd: BranchReport.Ending?
  private var lastRun: (scripts: [Script], rerun: Rerun)?

  package init(_ source: any ReplaySource, _ setup: any RunSetup) {
    main = source
    turns = SourceCursor(source)
    recordedRuns = RecordedRuns(source)
    plainSteps = PlainSteps(first: source.steps.lowerBound, budget: setup.memoryBudget / 2)
    checkpoints = Checkpoints(budget: setup.memoryBudget / 4)
    branches = KeptBranches(budget: setup.memoryBudget / 4)
    self.setup = setup
    dependencyScope = setup.dependencyScope(tape: source.tape)
  }

  /// It begins with `start`, where that is not the recorded state.
  package convenience init(
    _ reader: SessionReader, _ setup: any RunSetup, from start: (any Machine)? = nil
  ) throws(ReplayError) {
    if case .browse(let reason) = reader.header.capability { throw .browseOnly(reason: reason) }
    self.init(
      SessionSource(reader, upgrade: setup.upgrade, stepsOnly: setup.onlyReduces), setup)
    registeredTape = reader.header.tape
    self.start = start
    makeStart = { try setup.start(of: reader) }
  }

  /// Whether today's reducer computed the recording's states. Then a fork with the state of its
  /// source need not run what the source did from there.
  package var isComputed = false

  private(set) var start: (any Machine)?
  private var makeStart: () throws -> (any Machine)? = { nil }

  /// Works once more if the machine's process was started again: it has lost what JSON cannot
  /// express, so all runs begin at the first state.
  func anew<Result>(_ work: () throws -> Result) throws -> Result {
    while true {
      do { return try work() } catch is RunRestart {
        checkpoints = Checkpoints(budget: checkpoints.budget)
        branches = KeptBranches(budget: checkpoints.budget)
        (lastRun, mainEnd, isComputed) = (nil, nil, false)
        recordedRuns.letGo()
        start = try makeStart()
      }
    }
  }

  /// The keys that the recording put on tape before anything was read.
  private(set) var registeredTape: [String] = []

  /// Runs nothing beside branches, because such a run crashed a process.
  package func compareNothing() { recordedRuns.isOff = true }

  /// Runs a branch: the scripts from the one that leaves `main` to its own. It reports the steps from
  /// one on, compared and with their patches; nil neither compares nor encodes.
  package func run(
    _ scripts: [Script], from first: Int? = 0, until: Int? = nil,
    control: RunControl = RunControl(), onStep: @escaping (BranchStep) -> Void = { _ in }
  ) throws -> BranchReport {
    var newest = Int.min
    return try anew {
      try runOnce(scripts, from: first, until: until, control) { step in
        guard step.step.number > newest else { return }
        newest = step.step.number
        onStep(step)
      }
    }
  }

  private func runOnce(
    _ scripts: [Script], from first: Int?, until: Int?, _ control: RunControl,
    _ onStep: @escaping (BranchStep) -> Void
  ) throws -> BranchReport {
    guard let script = scripts.last else {
      return try runMain(from: first, until: until, control, onStep)
    }
    let source = try self.source(for: Array(scripts.dropLast()), control)
    let own = Collected(budget: branches.stepBudget)
    var rerun = try start(script, on: source, isTold: first != nil, control) { step in
      guard step.step.number > script.leavesAt else { return }
      own.add(step)
      if let first, step.step.number >= first { onStep(step) }
    }
    var report = try finish(&rerun, until: until, control, of: scripts)
    if recordedRuns.isCutShort {
      report.remarks.append(
        "what effects ask could not be compared: running the recording beside the fork crashed")
    }
    for depth in (1..<max(1, scripts.count)).reversed() {
      guard let end = ends[Array(scripts.prefix(depth))] else { continue }
      report.remarks.append(
        "its parent crashed at step \(end): what would follow there is unknown"
      )
    }
    if first != nil, until == nil, report.rejoining == nil, !own.isOver {
      branches.keep(
        try own.source(script, of: source, rerun, report), cost: own.cost, for: scripts)
    }
    lastRun = (scripts, rerun)
    return report
  }

  func source(
    for scripts: [Script], _ control: RunControl
  ) throws -> any ReplaySource {
    guard let script = scripts.last else { return main }
    if let known = branches.source(of: scripts) { return known }
    let parent = try source(for: Array(scripts.dropLast()), control)
    let own = Collected(budget: .max)
    control.parentBegins(scripts.count)
    defer { control.parentBegins(0) }
    var rerun = try start(script, on: parent, isTold: true, control) { step in
      if step.step.number > script.leavesAt { own.add(step) }
    }
    rerun.endsAt = ends[scripts]
    let report = try finish(&rerun, until: nil, control)
    let source = try own.source(script, of: parent, rerun, report)
    branches.keep(source, cost: own.cost, for: scripts)
    return source
  }

  private func runMain(
    from first: Int?, until: Int?, _ control: RunControl,
    _ onStep: @escaping (BranchStep) -> Void
  ) throws -> BranchReport {
    var rerun = try beginning(of: main)
    if let first {
      try rerun.track(isRecording: setup.isRemote)
      rerun.log.base = start == nil ? nil : try main.state(after: main.steps.lowerBound)
      rerun.log.deliver = { if $0.step.number >= first { onStep($0) } }
    }
    let report = try finish(&rerun, until: until, control)
    if first == nil { lastRun = ([], rerun) }
    return report
  }
}

extension SessionReplay {
  func finish(
    _ rerun: inout Rerun, until: Int?, _ control: RunControl,
    of scripts: [Script] = []
  ) throws -> BranchReport {
    var ending: BranchReport.Ending?
    var rejoining: Rejoining?
    do {
      rejoining = try advance(
        &rerun, to: until, control, of: rerun.observer.isTold ? scripts : [])
    } catch ReplayError.actionDoesNotDecode(let step, let reason) {
      ending = .init(step, .undecodable, reason)
    } catch ReplayError.badPointer(let pointer, let step, let reason) {
      ending = .init(step, .undecodable, "\(pointer): \(reason)")
    } catch let end as BranchReport.Ending {
      ending = end
    }
    rerun.log.close()
    rerun.log.deliver = nil
    let lastStep = max(rerun.step, rerun.replayCursor.script.leavesAt)
    var report = BranchReport(
      lastStep: lastStep,
      pending: try rerun.pending(), leftOut: rerun.log.leftOut,
      rejoining: rejoining, ending: ending)
    report.remarks = rerun.log.liveRemarks + rerun.log.remarks
    // Assumptions about steps that do not come are dropped.
    report.assumptions = rerun.classifier.assumptions.filter { $0.raisedAt <= lastStep }
    report.effects = rerun.log.effects
    report.sends = rerun.log.fates.values.sorted {
      ($0.place.sender, $0.place.number) < ($1.place.sender, $1.place.number)
    }
    report.touched = try rerun.replayCursor.script.touched(in: rerun.replayCursor.source)
    return report
  }

  /// Runs a branch up to a step, or past it within a turn, or until it ends or rejoins its parent.
  private func advance(
    _ rerun: inout Rerun, to last: Int?, _ control: RunControl,
    of scripts: [Script] = []
  ) throws -> Rejoining? {
    rerun.log.stepBegins = control.stepBegins
    if rerun.hasEditsAtStart {
      rerun.hasEditsAtStart = false
      try rerun.applyEdits(after: rerun.replayCursor.position)
    }
    if rerun.replayCursor.isFreeStepping {
      let leavesAt = rerun.replayCursor.script.leavesAt
      while rerun.replayCursor.position < leavesAt { try rerun.replayNext() }
      for (step, edit) in rerun.replayCursor.script.insertions where step != leavesAt {
        try check(control, rerun)
        try rerun.apply(edit)
      }
    }
    return try rerun.inScene { rerun in
      while !rerun.replayCursor.isAtEnd, rerun.step < last ?? .max, !rerun.observer.hasFoundEnough {
        try check(control, rerun)
        let next = min((rerun.replayCursor.position | 63) + 1, rerun.replayCursor.lastPosition)
        try rerun.replayNext(upTo: last == nil ? next : nil)
        if !scripts.isEmpty, rerun.step.isMultiple(of: 64) {
          try branches.offer(rerun, for: scripts)
        }
        if rerun.observer.isTold, !scripts.isEmpty, try rerun.hasRejoined() {
          return Rejoining(step: rerun.step, parentStep: rerun.replayCursor.position)
        }
      }
      if rerun.replayCursor.isAtEnd, rerun.step < last ?? .max { try rerun.giveScheduledAnswers() }
      return nil
    }
  }

  func check(
    _ control: RunControl, _ rerun: Rerun
  ) throws(ReplayError) {
    // In the short way, a step costs less than this check.
    if !rerun.observer.isTold, !rerun.replayCursor.position.isMultiple(of: 64) { return }
    if control.isCancelled() { throw .cancelled }
    if rerun.replayCursor.position.isMultiple(of: 256) {
      control.progress(
        rerun.replayCursor.position - main.steps.lowerBound, main.steps.count - 1)
    }
  }

  /// The state of a branch after a step: from its kept steps, else by a re-run from the nearest
  /// checkpoint that reports only the end.
  package func state(
    of scripts: [Script], after step: Int, control: RunControl = RunControl()
  ) throws -> Value {
    try anew { try stateOnce(of: scripts, after: step, control) }
  }

  private func stateOnce(
    of scripts: [Script], after step: Int, _ control: RunControl
  ) throws -> Value {
    if let lastRun, lastRun.scripts == scripts, lastRun.rerun.step == step {
      return try lastRun.rerun.machine.state(nil)
    }
    guard let script = scripts.last else {
      let place = try turns.beginning(ofTurnAfter: step)
      return try turn(of: try prefix(of: main, upTo: place, control), upTo: step).state
    }
    let isKept = script.rest == .nothing || branches.source(of: scripts) != nil
    let parent = try source(for: isKept ? scripts : Array(scripts.dropLast()), control)
    if isKept || step <= script.leavesAt {
      guard parent.steps.contains(step), let state = try parent.state(after: step) else {
        throw ReplayError.noSuchStep(step, available: parent.steps)
      }
      return state
    }
    let start =
      try branches.last(upTo: step, of: scripts)
      ?? self.start(script, on: parent, isTold: false, control) { _ in }
    var rerun = start
    // Directly sent actions come together, so the last steps are reported one by one.
    try advanceOrEnd(&rerun, to: step - Self.toldCount, control, of: scripts)
    if rerun.step > script.leavesAt, !rerun.replayCursor.isAtEnd {
      try branches.offer(rerun, for: scripts, onTheWayTo: rerun.step + Self.toldCount)
    }
    if rerun.step > step { rerun = start }
    return try reportedState(&rerun, to: step, script, parent, control)
  }

  private static var toldCount: Int { 32 }

  private func reportedState(
    _ rerun: inout Rerun, to step: Int, _ script: Script,
    _ parent: any ReplaySource, _ control: RunControl
  ) throws -> Value {
    let first = max(rerun.step, script.leavesAt)
    let base = rerun.step <= script.leavesAt ? try parent.state(after: script.leavesAt) : nil
    rerun.log.base = base
    let before = try base ?? rerun.machine.state(nil)
    let found = try told(by: &rerun, from: before, after: first, upTo: step) {
      try advanceOrEnd(&$0, to: step, control)
    }
    guard found.last >= step else {
      throw ReplayError.noSuchStep(step, available: parent.steps.lowerBound...rerun.step)
    }
    return found.state
  }

  /// The last step up to one that a re-run reports, and the state there, from the reported patches.
  func told(
    by rerun: inout Rerun, from before: Value, after first: Int, upTo step: Int,
    _ advance: (inout Rerun) throws -> Void
  ) throws -> (last: Int, state: Value) {
    let told = Collected(budget: .max)
    rerun.log.deliver = { told.add($0) }
    try rerun.track()
    try advance(&rerun)
    rerun.log.close()
    var (last, state) = (first, before)
    for own in told.steps where own.step.number > first && own.step.number <= step {
      if let patch = own.patch { state = try Patch(patch).applied(to: state) }
      last = own.step.number
    }
    return (last, state)
  }

  private func advanceOrEnd(
    _ rerun: inout Rerun, to step: Int, _ control: RunControl,
    of scripts: [Script] = []
  ) throws {
    guard rerun.step < step else { return }
    do {
      _ = try advance(&rerun, to: step, control, of: scripts)
    } catch ReplayError.actionDoesNotDecode, ReplayError.badPointer {}
  }
}
