import Recorder
import SessionWords
import StoreCore
import ValueTree

/// A branch in progress: a store without threads, driven by a recording and a script.
///
/// A copy is a checkpoint, as long as the state holds no references.
struct Rerun<State: Codable & Sendable, Action: Codable & Sendable> {
  let setup: ReplaySetup<State, Action>
  let dependencyScope: DependencyScope
  var machine: StoreMachine<State, Action>
  var replayCursor: ReplayCursor
  var matcher: EffectMatcher
  var classifier = Classifier()
  var asRecorded: Set<Int> = []
  /// The branch's changed steps that a throttle may hold back something of.
  var otherwise: Set<Int> = []
  /// The answers of services; nil unless the branch's effects run on the tape.
  var tapeAnswers: TapeAnswers?
  var bodies: [Int: EffectRun<Action>] = [:]
  var recordedRuns: RecordedRuns<State, Action>
  var examples: RecordedRuns<State, Action>?
  var startedRuns: [Int: [StartedRun<Action>]]?
  var recordedAt: (step: Int, source: Int)?
  /// The source's steps that reducers send in this turn.
  var expected: [Int] = []
  /// By the source's step: moved ones whose place has not come yet.
  var held: [Int: HeldOutput<State, Action>] = [:]
  var assumed = AssumedValues()
  /// Whether the turn has its recorded place and time, so dates are the recorded ones.
  var isTimely = false
  var clock: Duration?
  var tracker: StateTracker?
  var looked: StateTracker?
  var endsAt: Int?
  var findings: Findings?
  var inputs: [Int: ReducedInput<State, Action>] = [:]
  var log = RerunLog()
  let reads: ReplayReads
  var encoder = IncrementalEncoder()
  /// Whether the recording has the ids that stacks made.
  let hasStackIDs: Bool
  /// Nil where the reducer runs in this process.
  var remote: RemoteReducer? { setup.remote }
  let plain: PlainSteps<Action>
  var isInScene = false
  var hasEditsAtStart = false
  /// Whether it goes on from each recorded state, as the recording did.
  var isRecording = false
  var mayRejoin = false
  var landed: Int?
  var takenOver: (step: Int, source: Int)?
  /// Effects that only the recording knows, of steps that were left out.
  var unstarted: Set<Int> = []

  init(
    _ setup: ReplaySetup<State, Action>, _ dependencyScope: DependencyScope,
    _ source: any ReplaySource,
    _ plain: PlainSteps<Action>, from start: StateStart<State>
  ) throws {
    self.setup = setup
    self.plain = plain
    reads = ReplayReads(allowsLiveCalls: setup.allowsLiveCalls)
    self.dependencyScope = dependencyScope
    hasStackIDs = source.tape.contains(StackIDs.key)
    let inFlight =
      start.step == source.steps.lowerBound
      ? source.inFlightAtStart : try source.effectsInFlight(after: start.step - 1)
    machine = setup.machine(with: start.state, after: start.step)
    replayCursor = ReplayCursor(source, from: start.step, inFlight: inFlight)
    matcher = EffectMatcher(firstNumber: source.firstNewEffect)
    recordedRuns = RecordedRuns(source)
    for effect in inFlight {
      matcher.add(EffectMatcher.Entry(recorded: effect.effect, effect.origin, hasSpoken: true))
    }
  }

  /// True on the way to the fork: it trusts the recording, whatever the re-run gives.
  var isOnTheWay: Bool {
    get { classifier.isSilent }
    set { classifier.isSilent = newValue }
  }

  mutating func track() throws {
    tracker = StateTracker(
      branch: try encoder.encode(machine.state),
      source: try replayCursor.source.state(after: replayCursor.position),
      step: replayCursor.position, equatesNumbers: remote != nil)
    looked = nil
  }

  mutating func inScene<Result>(_ work: (inout Self) throws -> Result) rethrows -> Result {
    guard !isInScene else { return try work(&self) }
    isInScene = true
    defer { isInScene = false }
    let (reads, dependencyScope) = (reads, dependencyScope)
    return try TapeContext.with(reads) {
      try dependencyScope.run { try work(&self) }
    }
  }

  struct Planned {
    var action: Action
    var value: Value?
    var cause: Cause
    var storeCause: Cause
    var root: Int?
    var source: Int?
    var isEdited = false
    var remarks: [String] = []
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

  func decode(_ value: Value, at step: Int) throws(ReplayError) -> Action {
    try .init(recorded: value, at: step)
  }

  /// Reduces an action and what it sends directly. `expected` are the source's steps for these.
  mutating func runTurn(_ planned: Planned, expected: [Int]) throws {
    isTimely = try planned.source.map { try replayCursor.isTimely($0, at: clock) } ?? false
    self.expected = expected
    try reduce(planned)
    try runOutputs(expected: expected)
  }

  mutating func leaveOut(_ step: Step, _ reason: LeftOutStep.Reason) {
    var effect: Int?
    if case .effect(let number) = step.cause { effect = number }
    let isMoved = replayCursor.script.moved.contains(step.number)
    // A skipped action was sent all the same: its effect does not know, and continues.
    if let effect, reason != .skipped || isMoved {
      matcher.loseEmission(of: effect, isMoved: isMoved)
    }
    if remote != nil {
      let effects = try? replayCursor.source.unseenEffects(startedBy: step.number)
      unstarted.formUnion(effects ?? [])
    }
    log.leftOut.append(
      LeftOutStep(
        recordedStep: step.number, label: step.label, effect: effect, reason: reason))
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

  mutating func noteLive(_ keys: [String], at step: Int) {
    for key in keys where liveCalls[key] == nil { liveCalls[key] = step }
  }

  var liveRemarks: [String] {
    var remarks = liveCalls.sorted { $0.key < $1.key }.map {
      "“\($0.key)” was really called, first at step \($0.value): nothing was recorded for it there"
    }
    if let (step, place) = inPlace {
      remarks.append(
        "\(RemoteReducer.inPlace), first at step \(step), at \(place): it was given a copy")
    }
    return remarks
  }

  mutating func close() {
    if let open { deliver?(open) }
    open = nil
  }
}
