import Recorder
import SessionWords
import StoreCore
import ValueTree

/// A branch in progress: a store without threads, driven by a recording and a script.
///
/// A copy is a checkpoint, as long as the state holds no references.
struct Rerun {
  let setup: any RunSetup
  var machine: any Machine
  var surroundings: ReducerSurroundings
  var replayCursor: ReplayCursor
  let plain: PlainSteps
  var clock: Duration?
  var turn = Turn()
  /// By the source's step: moved ones whose place has not come yet.
  var held: [Int: HeldOutput] = [:]
  var matcher: EffectMatcher
  /// Effects that end behind an answer that the user moved, and the answers that came.
  var late: Set<EffectID> = []
  var movedAnswers: Set<Int> = []
  var stage = EffectStage()
  var recordedRuns: RecordedRuns
  var examples: RecordedRuns?
  /// Nil unless it runs beside a fork.
  var witness: Witness?
  var classifier = Classifier()
  var observer = RunObserver()
  var log = RerunLog()
  var hasEditsAtStart = false
  var endsAt: Int?
  /// See ``SessionReplay/isComputed``.
  var isSourceComputed = false
  /// The source's step behind a gap that was passed.
  var landed: Int?

  init(
    _ setup: any RunSetup, _ dependencyScope: DependencyScope,
    _ source: any ReplaySource,
    _ plain: PlainSteps, from start: StateStart
  ) throws {
    self.setup = setup
    self.plain = plain
    surroundings = ReducerSurroundings(
      reads: ReplayReads(allowsLiveCalls: setup.allowsLiveCalls), dependencyScope: dependencyScope,
      hasStackIDs: source.tape.contains(StackIDs.key))
    let inFlight =
      start.step == source.steps.lowerBound
      ? source.inFlightAtStart : try source.effectsInFlight(after: start.step - 1)
    machine = start.machine
    replayCursor = ReplayCursor(source, from: start.step, inFlight: inFlight)
    matcher = EffectMatcher(
      firstNumber: source.firstNewEffect, seesEffects: !setup.onlyReduces)
    recordedRuns = RecordedRuns(source)
    for effect in inFlight {
      matcher.add(EffectMatcher.Entry(recorded: effect.effect, effect.origin, hasSpoken: true))
    }
  }

  var isOnTheWay: Bool {
    get { classifier.isSilent }
    set { classifier.isSilent = newValue }
  }

  var mode: RunMode {
    observer.isVerifying ? .verification : isOnTheWay ? .approach : .fork
  }

  mutating func inScene<Result>(_ work: (inout Self) throws -> Result) rethrows -> Result {
    guard !surroundings.isInScene else { return try work(&self) }
    surroundings.isInScene = true
    defer { surroundings.isInScene = false }
    let (reads, dependencyScope) = (surroundings.reads, surroundings.dependencyScope)
    return try TapeContext.with(reads) {
      try dependencyScope.run { try work(&self) }
    }
  }

  struct Turn {
    /// The source's steps that reducers send in it.
    var expected: [Int] = []
    /// Whether it has its recorded place and time, so dates are the recorded ones.
    var isTimely = false
  }

  struct Planned {
    var action: any MachineAction
    var value: Value?
    var cause = Cause.user
    var root: Int?
    var source: Int?
    var isEdited = false
    var remarks: [String] = []
    /// See ``BranchStep/asked``.
    var asked: [OutsideRead]?

    var input: MachineStep { MachineStep(action: action, root: root) }
  }

  var step: Int { machine.stepCount }

  /// Continues the numbers from the leaving step, even if today's reducers sent more or fewer
  /// actions before it.
  mutating func countOn(from place: Int) {
    guard step != place else { return }
    machine.countOn(from: place)
    replayCursor.descents.restart(at: place)
  }

  func patch(from before: Value, to after: Value) -> Value {
    let isFirst = step == replayCursor.script.leavesAt + 1
    return Patch(from: isFirst ? log.base ?? before : before, to: after).value
  }

  /// Reduces an action and what it sends directly. `expected` are the source's steps for these.
  mutating func runTurn(_ planned: Planned, expected: [Int]) throws {
    turn.isTimely = try planned.source.map { try replayCursor.isTimely($0, at: clock) } ?? false
    turn.expected = expected
    try reduce(planned)
    try runOutputs(expected: expected)
  }

  mutating func omit(
    _ step: Step, _ reason: LeftOutStep.Reason, with outputs: [Int] = []
  ) throws {
    var effect: EffectID?
    if case .effect(let number) = step.cause { effect = number }
    let isMoved = replayCursor.script.moved.contains(step.number)
    // A skipped action was sent all the same: its effect does not know, and continues.
    if let effect, reason != .skipped || isMoved {
      matcher.loseEmission(of: effect, isMoved: isMoved)
    }
    if setup.onlyReduces {
      let effects = try? replayCursor.source.unseenEffects(startedBy: step.number)
      matcher.unstarted.formUnion(effects ?? [])
    }
    log.leftOut.append(
      LeftOutStep(
        recordedStep: step.number, label: step.label, effect: effect, reason: reason))
    for output in outputs { try omit(try replayCursor.step(output), .notSent) }
  }
}

struct RerunLog {
  var deliver: ((BranchStep) -> Void)?
  var stepBegins: (Int) -> Void = { _ in }
  var open: BranchStep?
  var leftOut: [LeftOutStep] = []
  var remarks: [String] = []
  private(set) var liveCalls: [String: Int] = [:]
  var base: Value?
  var fates: [OutputPlace: OutputEdit] = [:]
  var lostStops: [LostStop] = []
  /// The first step that changed a state in place, with the place.
  var inPlace: (step: Int, place: String)?
  /// Events of effects before the first step.
  var effects: [EffectEvent] = []

  mutating func begin(_ step: BranchStep) {
    close()
    open = step
    open?.effects = effects
    effects = []
  }

  mutating func add(_ event: EffectEvent) {
    guard open != nil else { return effects.append(event) }
    open?.effects.append(event)
  }

  mutating func recordLive(_ keys: [String], at step: Int) {
    for key in keys where liveCalls[key] == nil { liveCalls[key] = step }
  }

  var liveRemarks: [String] {
    var remarks = liveCalls.sorted { $0.key < $1.key }.map {
      "“\($0.key)” was really called, first at step \($0.value): nothing was recorded for it there"
    }
    if let (step, place) = inPlace {
      remarks.append(
        "\(StepOutcome.inPlace), first at step \(step), at \(place): it was given a copy")
    }
    return remarks
  }

  mutating func close() {
    if let open { deliver?(open) }
    open = nil
  }
}
