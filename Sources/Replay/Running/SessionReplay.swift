import SessionFile
import SessionWords
import StoreCore
import ValueTree

/// A recording with the reducer that it can be run again with.
///
/// Used by one thread at a time.
package final class SessionReplay<State: Codable & Sendable, Action: Codable & Sendable> {
  let setup: ReplaySetup<State, Action>
  let main: any ReplaySource
  let scene: DependencyScene
  /// Runs of the recording itself, to start forks from (rule 21).
  private(set) var checkpoints: Checkpoints<State, Action>
  let plainSteps: PlainSteps<Action>
  /// Where decoding ahead has come to.
  var ahead: SourceCursor?
  var nextAhead: Int?
  /// What is kept of branches that were run.
  var branches: KeptBranches<State, Action>
  /// What services answered, for effects on the tape.
  private var tapeAnswers: TapeAnswers?
  /// The last run, with the state that it came to.
  private var lastRun: (scripts: [Script], rerun: Rerun<State, Action>)?

  package init(_ source: any ReplaySource, _ setup: ReplaySetup<State, Action>) {
    main = source
    plainSteps = PlainSteps(first: source.steps.lowerBound, budget: setup.memoryBudget / 2)
    checkpoints = Checkpoints(budget: setup.memoryBudget / 4)
    branches = KeptBranches(budget: setup.memoryBudget / 4)
    self.setup = setup
    scene = setup.scene(tape: source.tape)
  }

  package convenience init(
    _ reader: SessionReader, _ setup: ReplaySetup<State, Action>
  ) throws(ReplayError) {
    if case .browse(let reason) = reader.header.capability { throw .browseOnly(reason: reason) }
    self.init(SessionSource(reader).upgraded(by: setup.upgrade), setup)
    registeredTape = reader.header.tape
  }

  /// The keys that the recording put on tape before anything was read.
  private(set) var registeredTape: [String] = []

  /// What is told of a run.
  package enum Detail: Sendable, Hashable {
    /// Every step from this one on, compared and with its patch.
    case steps(from: Int)
    /// Nothing but the report.
    case report
  }

  /// Runs a branch: the scripts from the one that leaves `main` down to its own.
  package func run(
    _ scripts: [Script], tells: Detail = .steps(from: 0), until: Int? = nil,
    control: RunControl = RunControl(), onStep: @escaping (BranchStep) -> Void = { _ in }
  ) throws -> BranchReport {
    guard let script = scripts.last else {
      return try runMain(tells: tells, until: until, control, onStep)
    }
    let source = try self.source(for: Array(scripts.dropLast()), control)
    var isTold = true
    if case .report = tells { isTold = false }
    let own = Collected(budget: branches.stepBudget)
    var rerun = try start(script, on: source, isTold: isTold, control) { step in
      guard step.step.number > script.leavesAt else { return }
      own.add(step)
      if case .steps(let first) = tells, step.step.number >= first { onStep(step) }
    }
    rerun.mayRejoin = true
    let report = try finish(&rerun, until: until, control, of: scripts)
    if isTold, until == nil, report.rejoining == nil, !own.isOver {
      branches.keep(
        try own.source(script, of: source, rerun, report), cost: own.cost, for: scripts)
    }
    lastRun = (scripts, rerun)
    return report
  }

  /// The state of a branch after a step.
  package func state(
    of scripts: [Script], after step: Int, control: RunControl = RunControl()
  ) throws -> Value {
    if let lastRun, lastRun.scripts == scripts, lastRun.rerun.step == step {
      return try ValueEncoder().encode(lastRun.rerun.machine.state)
    }
    if scripts.isEmpty {
      return try mainState(after: step, control)
    }
    return try branchState(of: scripts, after: step, control)
  }

  func source(
    for scripts: [Script], _ control: RunControl
  ) throws -> any ReplaySource {
    guard let script = scripts.last else { return main }
    if let known = branches.source(of: scripts) { return known }
    let parent = try source(for: Array(scripts.dropLast()), control)
    let own = Collected(budget: .max)
    var rerun = try start(script, on: parent, isTold: true, control) { step in
      if step.step.number > script.leavesAt { own.add(step) }
    }
    let report = try finish(&rerun, until: nil, control)
    let source = try own.source(script, of: parent, rerun, report)
    branches.keep(source, cost: own.cost, for: scripts)
    return source
  }

  private func runMain(
    tells: Detail, until: Int?, _ control: RunControl,
    _ onStep: @escaping (BranchStep) -> Void
  ) throws -> BranchReport {
    var rerun = try beginning(of: main)
    guard case .steps(let first) = tells else {
      let report = try finish(&rerun, until: until, control)
      lastRun = ([], rerun)
      return report
    }
    try rerun.track()
    rerun.log.deliver = { if $0.step.number >= first { onStep($0) } }
    return try finish(&rerun, until: until, control)
  }
}

extension SessionReplay {
  /// A run at the place where a script leaves its source, with the script in force.
  func start(
    _ script: Script, on source: any ReplaySource, isTold: Bool, _ control: RunControl,
    _ deliver: @escaping (BranchStep) -> Void
  ) throws -> Rerun<State, Action> {
    let plan = try ScriptPlan(script, of: source.steps)
    let place = try beginning(ofTurnAfter: script.leavesAt, in: source)
    var rerun = try prefix(of: source, upTo: place, control)
    let doubts =
      try settle(&rerun, at: place, on: source, control)
      + remarks(onTheTurnOf: &rerun, upTo: script.leavesAt, in: source)
    rerun.isOnTheWay = false
    if setup.runsEffectsOnTape { rerun.answers = try answers(for: script, on: source, rerun.clock) }
    try rerun.follow(plan)
    for doubt in doubts { rerun.judge.assume(.otherStart(doubt, at: script.leavesAt + 1)) }
    rerun.log = RerunLog()
    rerun.log.remarks = doubts
    rerun.log.deliver = deliver
    rerun.log.stepBegins = control.stepBegins
    rerun.isFreeStepping = script.rest == .nothing
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

  func recordedAnswers() throws -> TapeAnswers {
    let answers = try tapeAnswers ?? TapeAnswers(main)
    tapeAnswers = answers
    return answers
  }

  private func answers(
    for script: Script, on source: any ReplaySource, _ clock: Duration?
  ) throws -> TapeAnswers {
    var answers = try recordedAnswers()
    for reply in source.replies { answers.say(reply) }
    for reply in script.replies { answers.say(reply, notBefore: clock ?? .zero) }
    return answers
  }

  /// Where a run that is to come by this step can start: a fork inside of a turn begins where the
  /// turn does, because what reducers send is computed anew.
  private func beginning(
    ofTurnAfter step: Int, in source: any ReplaySource
  ) throws -> Int {
    var cursor = SourceCursor(source)
    guard step < source.steps.upperBound, try cursor.isOutput(step + 1) else { return step }
    var place = step
    while place > source.steps.lowerBound, try cursor.isOutput(place) { place -= 1 }
    return max(place - 1, source.steps.lowerBound)
  }

  /// The state of the re-run recording.
  private func mainState(after step: Int, _ control: RunControl) throws -> Value {
    let place = try beginning(ofTurnAfter: step, in: main)
    var rerun = try prefix(of: main, upTo: place, control)
    var state = try ValueEncoder().encode(rerun.machine.state)
    guard place < step else { return state }
    rerun.isOnTheWay = false
    let turn = Collected(budget: .max)
    try rerun.track()
    rerun.log.deliver = { turn.add($0) }
    while rerun.step < step, !rerun.isAtEnd { try rerun.followNext() }
    rerun.log.close()
    for told in turn.steps where told.step.number <= step {
      if let patch = told.patch { state = try Patch(patch).applied(to: state) }
    }
    return state
  }

  /// Runs the source itself up to a step, from the nearest checkpoint.
  func prefix(
    of source: any ReplaySource, upTo step: Int, _ control: RunControl
  ) throws -> Rerun<State, Action> {
    guard source.steps.contains(step) else {
      throw ReplayError.noSuchStep(step, available: source.steps)
    }
    // Whoever ran the step that the app stopped in may not come back from it.
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
      try proceed(&rerun, to: step, isMain: isMain, control)
    } catch ReplayError.actionDoesNotDecode where source.loss(ofStateAfter: step) != nil {
      throw try stateUnknown(after: step, in: source)
    }
    guard rerun.position == step else { throw try stateUnknown(after: step, in: source) }
    rerun.countOn(from: step)
    return rerun
  }

  /// Runs a source itself on, with checkpoints on the way.
  func proceed(
    _ rerun: inout Rerun<State, Action>, to step: Int, isMain: Bool, _ control: RunControl
  ) throws {
    try rerun.inScene { rerun in
      while rerun.position < step {
        try check(control, rerun)
        try rerun.followNext()
        if isMain { try checkpoints.offer(rerun, onTheWayTo: step) }
      }
    }
  }

  /// A run at the first step: where its state is not known, or is none of today's, at the first one
  /// behind it of which it is.
  func beginning(
    of source: any ReplaySource, from first: Int? = nil
  ) throws -> Rerun<State, Action> {
    let start = try StateStart<State>(of: source, from: first)
    let plain =
      source is BranchSource
      ? PlainSteps<Action>(first: source.steps.lowerBound, budget: 0) : plainSteps
    var rerun = try Rerun(setup, scene, source, plain, from: start)
    try rerun.begin()
    rerun.log.effects = []
    return rerun
  }

  /// Why nothing can begin after this step.
  private func stateUnknown(after step: Int, in source: any ReplaySource) throws -> ReplayError {
    .stateUnknown(
      step: step, reason: source.loss(ofStateAfter: step) ?? "a step before it cannot be run",
      known: try source.knownState(from: step + 1))
  }

  /// Rules 20 and 21: a branch starts from its parent's state. Where the re-run came to another one,
  /// the recorded state is taken, if encoding it again gives the same; else the nearest one before
  /// for which that holds. A state that nobody recorded is doubtful, and says so.
  private func settle(
    _ rerun: inout Rerun<State, Action>, at place: Int, on source: any ReplaySource,
    _ control: RunControl
  ) throws -> [String] {
    guard let recorded = try source.state(after: place) else { return [] }
    if try ValueEncoder().encode(rerun.machine.state).isExactlyEqual(to: recorded) { return [] }
    let last = setup.decodesStates ? source.steps.lowerBound : place + 1
    for step in stride(from: place, through: last, by: -1) {
      if step.isMultiple(of: 64), control.isCancelled() { throw ReplayError.cancelled }
      guard let value = try source.state(after: step),
        let state = try? ValueDecoder().decode(State.self, from: value),
        let again = try? ValueEncoder().encode(state), again.isExactlyEqual(to: value)
      else { continue }
      var earlier = step == place ? rerun : try prefix(of: source, upTo: step, control)
      earlier.machine.state = state
      while earlier.position < place { try earlier.followNext() }
      rerun = earlier
      if step == place { return [] }
      if try ValueEncoder().encode(rerun.machine.state).isExactlyEqual(to: recorded) { return [] }
      break
    }
    return [
      "the state after step \(place) cannot be made of what is recorded: "
        + "the branch starts from the re-run's"
    ]
  }

  /// Runs to the end of the script, and says what there is to say.
  func finish(
    _ rerun: inout Rerun<State, Action>, until: Int?, _ control: RunControl,
    of scripts: [Script] = []
  ) throws -> BranchReport {
    rerun.log.stepBegins = control.stepBegins
    var ending = BranchReport.Ending.complete
    var rejoining: Rejoining?
    do {
      if rerun.hasEditsAtStart { try rerun.applyEdits(after: rerun.position) }
      if rerun.isFreeStepping {
        while rerun.position < rerun.script.leavesAt { try rerun.followNext() }
        let leavesAt = rerun.script.leavesAt
        for (step, later) in rerun.script.insertions where step != leavesAt {
          try check(control, rerun)
          try rerun.apply(later, after: step)
        }
      }
      rejoining = try rerun.inScene { rerun in
        while !rerun.isAtEnd, rerun.step < until ?? .max, rerun.findings?.isFull != true {
          try check(control, rerun)
          // As far as somebody looks again.
          let next = min((rerun.position | 63) + 1, rerun.lastPosition)
          try rerun.followNext(upTo: until == nil ? next : nil)
          if !scripts.isEmpty, rerun.tracker != nil, rerun.step.isMultiple(of: 64) {
            try branches.offer(rerun, for: scripts)
          }
          if rerun.mayRejoin, rerun.tracker != nil, try rerun.hasRejoined() {
            return Rejoining(step: rerun.step, parentStep: rerun.position)
          }
        }
        if rerun.isAtEnd, rerun.step < until ?? .max { try rerun.giveScheduledAnswers() }
        return nil
      }
    } catch ReplayError.actionDoesNotDecode(let step, let reason) {
      ending = .undecodable(step: step, reason: reason)
    } catch ReplayError.badPointer(let pointer, let step, let reason) {
      ending = .undecodable(step: step, reason: "\(pointer): \(reason)")
    }
    rerun.log.close()
    rerun.log.deliver = nil
    var report = BranchReport(
      lastStep: rerun.step, pending: try rerun.pending(), leftOut: rerun.log.leftOut,
      rejoining: rejoining, ending: ending)
    report.remarks = rerun.log.remarks + rerun.log.liveRemarks
    report.assumptions = rerun.judge.assumptions
    report.effects = rerun.log.effects
    return report
  }

  func check(
    _ control: RunControl, _ rerun: Rerun<State, Action>
  ) throws(ReplayError) {
    // In the short way a step costs less than the question whether to go on.
    if rerun.tracker == nil, !rerun.position.isMultiple(of: 64) { return }
    if control.isCancelled() { throw .cancelled }
    if rerun.position.isMultiple(of: 256) {
      control.progress(
        rerun.position - main.steps.lowerBound, main.steps.count - 1)
    }
  }
}
