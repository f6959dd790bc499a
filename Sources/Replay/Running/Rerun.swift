import Recorder
import SessionWords
import StoreCore
import ValueTree

/// A branch on its way: a store without threads, driven by a recording and a script.
///
/// A value: a copy of it is a checkpoint, as long as the state holds no references.
struct Rerun<State: Codable & Sendable, Action: Codable & Sendable> {
  let scene: DependencyScene
  var machine: StoreMachine<State, Action>
  /// Where it is in what it follows.
  var follower: Follower
  /// Which recorded effects its effects are.
  var book: EffectBook
  /// What its steps are worth (`forks/inherited-doubt`).
  var judge = Judge()
  /// The source's steps that were run as they were recorded, where effects name cancel ids.
  var asRecorded: Set<Int> = []
  /// Steps of the branch that are not as recorded, and of which a throttle may hold something back.
  var otherwise: Set<Int> = []
  /// What effects that are run on the tape need.
  var deck: TapeDeck<Action>
  /// What effects that start in another state are compared with.
  var recordedRuns: RecordedRuns<State, Action>
  /// The same of the recording that the source comes from, where effects may be as others were.
  var examples: RecordedRuns<State, Action>?
  /// What the effects of the source's steps run, where this is a run of the source beside a branch.
  var startedRuns: [Int: [StartedRun<Action>]]?
  /// There its state was seen to be the recorded one: its step, and the source's.
  var recordedAt: (step: Int, source: Int)?
  /// By the source's step: moved ones whose place has not come yet.
  var held: [Int: HeldOutput<State, Action>] = [:]
  var assumed: AssumedValues
  /// The turn that is reduced has its place and time in the source, too: dates are those that were
  /// recorded.
  var isTimely = false
  /// Since the start of the session, on the branch's clock.
  var clock: Duration?
  /// Nil when nothing is compared and nothing is told.
  var tracker: StateTracker?
  /// Follows the states that are looked at where nothing is told; nil until one is.
  var looked: StateTracker?
  /// Its step that is not run, because it ended a process: there the branch ends.
  var endsAt: Int?
  /// Nil unless the recording is verified.
  var findings: Findings?
  /// What the steps of this turn were reduced with, by the recorded step, while it is verified.
  var inputs: [Int: ReducedInput<State, Action>] = [:]
  let makeMachine: @Sendable (State, Int) -> StoreMachine<State, Action>
  var log = RerunLog()
  let reads: ReplayReads
  /// Remembers the last state, so that encoding the next costs what changed.
  var encoder = IncrementalEncoder()
  /// The recording tells the ids that stacks made.
  let hasStackIDs: Bool
  let takesCancellationsAsRecorded: Bool
  let decodesStates: Bool
  /// Recorded actions that need no second look.
  let plain: PlainSteps<Action>
  /// Tapes and dependencies are in force already.
  var isInScene = false
  /// Edits come right after the step at which the branch leaves.
  var hasEditsAtStart = false
  /// `forks/rejoin` may be used: the one who runs it knows the parent's rest.
  var mayRejoin = false
  /// The last of the steps that were passed over because nobody can run them.
  var landed: Int?
  /// The step whose recorded state was taken over, and the source's step that it is.
  var takenOver: (step: Int, source: Int)?

  init(
    _ setup: ReplaySetup<State, Action>, _ scene: DependencyScene, _ source: any ReplaySource,
    _ plain: PlainSteps<Action>, from start: StateStart<State>
  ) throws {
    self.plain = plain
    reads = ReplayReads(allowsLiveCalls: setup.allowsLiveCalls)
    self.scene = scene
    takesCancellationsAsRecorded = setup.takesCancellationsAsRecorded
    decodesStates = setup.decodesStates
    hasStackIDs = source.tape.contains(StackIDs.key)
    // The step's own events come when it begins.
    let inFlight =
      start.step == source.steps.lowerBound
      ? source.inFlightAtStart : try source.effectsInFlight(after: start.step - 1)
    makeMachine = { setup.machine(with: $0, after: $1) }
    machine = setup.machine(with: start.state, after: start.step)
    follower = Follower(source, from: start.step, inFlight: inFlight)
    book = EffectBook(firstNumber: source.firstNewEffect)
    deck = TapeDeck(keepsBodies: setup.runsEffectsOnTape)
    recordedRuns = RecordedRuns(source)
    assumed = AssumedValues(seed: 0)
    for effect in inFlight {
      book.add(EffectBook.Entry(recorded: effect.effect, effect.origin, hasSpoken: true))
    }
  }

  /// On the way to where a branch leaves: it rests on what is recorded, whatever the re-run gives.
  var isOnTheWay: Bool {
    get { judge.isSilent }
    set { judge.isSilent = newValue }
  }

  /// From here on every step is compared and told.
  mutating func track() throws {
    tracker = StateTracker(
      branch: try encoder.encode(machine.state),
      source: try follower.source.state(after: follower.position), step: follower.position)
    looked = nil
  }

  /// Does work with tapes and dependencies in force, once for many steps.
  mutating func inScene<Result>(_ work: (inout Self) throws -> Result) rethrows -> Result {
    guard !isInScene else { return try work(&self) }
    isInScene = true
    defer { isInScene = false }
    let (reads, scene) = (reads, scene)
    return try TapeContext.with(reads) {
      try scene.run { try work(&self) }
    }
  }

  /// An action on its way into the reducer.
  struct Planned {
    var action: Action
    var value: Value?
    var cause: Cause
    var storeCause: Cause
    var root: Int?
    /// The step of the source that it descends from.
    var source: Int?
    /// What the user edited is known to the user.
    var isEdited = false
    var remarks: [String] = []
  }

  /// The number of the branch's newest step.
  var step: Int { machine.stepCount }

  /// A branch counts on from the place that it leaves, also where today's reducers have sent more or
  /// fewer actions on the way there than the recorded ones did.
  mutating func countOn(from place: Int) {
    guard step != place else { return }
    machine.countOn(from: place)
    follower.descents.restart(at: place)
  }

  /// The change of the newest step, as those who follow the branch from its source need it.
  func patch(from before: Value, to after: Value) -> Value {
    let isFirst = step == follower.script.leavesAt + 1
    return Patch(from: isFirst ? log.base ?? before : before, to: after).value
  }

  func decode(_ value: Value, at step: Int) throws(ReplayError) -> Action {
    try .init(recorded: value, at: step)
  }

  /// Reduces an action and what it sends at once. `expected` are the source's steps that such
  /// actions can descend from.
  mutating func runTurn(_ planned: Planned, expected: [Int]) throws {
    isTimely = try planned.source.map { try follower.isTimely($0, at: clock) } ?? false
    try reduce(planned)
    try runOutputs(expected: expected)
  }

  mutating func leaveOut(_ step: Step, _ reason: LeftOutStep.Reason) {
    var effect: Int?
    if case .effect(let number) = step.cause { effect = number }
    let isMoved = follower.script.moved.contains(step.number)
    // What the user skips was sent all the same: its effect cannot know, and goes on as it did.
    if let effect, reason != .skipped || isMoved {
      book.loseEmission(of: effect, isMoved: isMoved)
    }
    log.leftOut.append(
      LeftOutStep(
        recordedStep: step.number, label: step.label, effect: effect, reason: reason))
  }
}

/// What a re-run has to say, until somebody takes it.
struct RerunLog {
  /// Takes steps that nothing can be added to any more.
  var deliver: ((BranchStep) -> Void)?
  /// Told before each step.
  var stepBegins: (Int) -> Void = { _ in }
  /// The newest step: effects may still end before the next one.
  var open: BranchStep?
  var leftOut: [LeftOutStep] = []
  var remarks: [String] = []
  /// The first step at which the live dependency of a key was asked.
  private(set) var liveCalls: [String: Int] = [:]
  /// The source's state where the branch leaves: what the branch's first patch is applied to.
  var base: Value?
  /// What became of actions that reducers sent at once, where it is the user's doing.
  var fates: [OutputPlace: OutputFate] = [:]
  /// Of the source's tasks, by the branch's steps.
  var lostStops: [LostStop] = []
  /// What became of effects where no step is open: before the first one.
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

  /// One sentence for each key.
  var liveRemarks: [String] {
    liveCalls.sorted { $0.key < $1.key }.map {
      "“\($0.key)” ran for real, first at step \($0.value): nothing was recorded for it there"
    }
  }

  mutating func close() {
    if let open { deliver?(open) }
    open = nil
  }
}
