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
  var cursor: SourceCursor
  var script: ScriptPlan
  var book: EffectBook
  var descents = Descents()
  /// By the source's step: moved ones whose place has not come yet.
  var held: [Int: HeldOutput<State, Action>] = [:]
  var assumed: AssumedValues
  /// What the source's effects were seen to do.
  var outcomes: OutcomeIndex
  /// What services answer; nil unless effects of the branch are run on the tape.
  var answers: TapeAnswers?
  let keepsBodies: Bool
  /// Of the effects in flight, by their numbers.
  var bodies: [Int: EffectRun<Action>] = [:]
  /// Recorded steps that came by the tape.
  var claimed: Set<Int> = []
  /// Those that the branch started of the effects with answers from live runs.
  var scheduledEffects: Set<Int> = []
  /// How many answers for an effect came where it did not run.
  var uselessAnswers: [Int: Int] = [:]
  /// Effects that had said nothing before the user said what they do.
  var answeredByHand: Set<Int> = []
  /// What the steps are worth (rule 18).
  var judge = Judge()
  /// Effects that may speak as soon as the turn is over.
  var opened: [Assumption] = []
  /// The turn that is reduced has its place and time in the source, too: dates are those that were
  /// recorded.
  var isTimely = false
  /// Steps of the branch that were moved, and those that they sent: nobody knows how their effects
  /// would have gone at another time.
  var displaced: Set<Int> = []
  /// Effects of the source whose answer was moved away from them.
  var withoutAnswer: Set<Int> = []
  /// How many actions the reducers of the newest turn have sent, by their steps.
  var sentCounts: [Int: Int] = [:]
  /// Since the start of the session, on the branch's clock.
  var clock: Duration?
  /// Nil when nothing is compared and nothing is told.
  var tracker: StateTracker?
  /// The source's clock at `position`.
  var sourceClock: Duration?
  /// What runs in the source at `position`.
  var sourceInFlight: Set<Int>
  /// The last step of the source that was dealt with.
  var position: Int
  /// Nil unless the recording is verified.
  var findings: Findings?
  /// What the steps of this turn were reduced with, by the recorded step, while it is verified.
  var inputs: [Int: ReducedInput<State, Action>] = [:]
  let makeMachine: @Sendable (State, Int) -> StoreMachine<State, Action>
  var log = RerunLog()
  let reads: ReplayReads
  /// Remembers the last state, so that encoding the next costs what changed.
  let encoder = IncrementalEncoder()
  /// The recording tells the ids that stacks made.
  let hasStackIDs: Bool
  let takesCancellationsAsRecorded: Bool
  let decodesStates: Bool
  /// Recorded actions that need no second look.
  let plain: PlainSteps<Action>
  /// Tapes and dependencies are in force already.
  var isInScene = false
  var isFreeStepping = false
  /// Edits come right after the step at which the branch leaves.
  var hasEditsAtStart = false
  /// Rule 19 may be used: the one who runs it knows the parent's rest.
  var mayRejoin = false

  /// On the way to where a branch leaves: it rests on what is recorded, whatever the re-run gives.
  var isOnTheWay = false
  /// The last of the steps that were passed over because nobody can run them.
  var landed: Int?
  /// The step whose recorded state was taken over, and the source's step that it is.
  var takenOver: (step: Int, source: Int)?

  init(
    _ setup: ReplaySetup<State, Action>, _ scene: DependencyScene, _ source: any ReplaySource,
    _ plain: PlainSteps<Action>, from start: StateStart<State>
  ) throws {
    self.plain = plain
    keepsBodies = setup.runsEffectsOnTape
    reads = ReplayReads(allowsLiveCalls: setup.allowsLiveCalls)
    self.scene = scene
    takesCancellationsAsRecorded = setup.takesCancellationsAsRecorded
    decodesStates = setup.decodesStates
    hasStackIDs = source.tape.contains(StackIDs.key)
    position = start.step
    // The step's own events come when it begins.
    let inFlight =
      position == source.steps.lowerBound
      ? source.inFlightAtStart : try source.effectsInFlight(after: position - 1)
    makeMachine = { setup.machine(with: $0, after: $1) }
    machine = setup.machine(with: start.state, after: position)
    cursor = SourceCursor(source)
    outcomes = OutcomeIndex(source)
    script = .nothing
    book = EffectBook(firstNumber: source.firstNewEffect)
    assumed = AssumedValues(seed: 0)
    sourceInFlight = Set(inFlight.map(\.effect))
    descents.add(position, from: position)
    for effect in inFlight {
      book.add(EffectBook.Entry(recorded: effect.effect, effect.origin, hasSpoken: true))
    }
  }

  /// From here on every step is compared and told.
  mutating func track() throws {
    tracker = StateTracker(
      branch: try encoder.encode(machine.state),
      source: try cursor.source.state(after: position), step: position)
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

  /// Steps behind this one are not run.
  var lastPosition = Int.max

  var isAtEnd: Bool {
    isFreeStepping || position >= min(cursor.steps.upperBound, lastPosition)
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
    var isEdited = false
    /// Where the action itself comes from: what the user edited is known to the user.
    var values = Standing.Values.recorded
    var remarks: [String] = []
  }

  /// The number of the branch's newest step.
  var step: Int { machine.stepCount }

  /// A branch counts on from the place that it leaves, also where today's reducers have sent more or
  /// fewer actions on the way there than the recorded ones did.
  mutating func countOn(from place: Int) {
    guard step != place else { return }
    machine.countOn(from: place)
    descents.restart(at: place)
  }

  /// The change of the newest step, as those who follow the branch from its source need it.
  func patch(from before: Value, to after: Value) -> Value {
    let isFirst = step == script.leavesAt + 1
    return Patch(from: isFirst ? log.base ?? before : before, to: after).value
  }

  func decode(_ value: Value, at step: Int) throws(ReplayError) -> Action {
    do {
      return try ValueDecoder().decode(Action.self, from: value)
    } catch {
      throw .actionDoesNotDecode(step: step, reason: "\(error)")
    }
  }

  /// Reduces an action and what it sends at once. `expected` are the source's steps that such
  /// actions can descend from.
  mutating func runTurn(_ planned: Planned, expected: [Int]) throws {
    isTimely = false
    if let source = planned.source, !script.moved.contains(source) {
      isTimely = try cursor.slot(source).step.time == clock
    }
    try reduce(planned)
    try runOutputs(expected: expected)
  }

  /// The source's steps that follow this one because reducers sent them at once.
  mutating func outputs(after step: Int) throws -> [Int] {
    var outputs: [Int] = []
    var next = step + 1
    while next <= cursor.steps.upperBound, try !cursor.hasEnds(next - 1),
      try cursor.isOutput(next)
    {
      outputs.append(next)
      next += 1
    }
    return try withoutSendsOfMoved(outputs)
  }

  mutating func leaveOut(_ step: Step, _ reason: LeftOutStep.Reason) {
    var effect: Int?
    if case .effect(let number) = step.cause { effect = number }
    if let effect, let entry = book.entry(matching: effect) {
      // Rule 11: after one emission was left out, the later ones of the effect are assumed.
      book.update(entry.number) { $0.hasLostEmission = true }
    } else if let effect, script.moved.contains(step.number) {
      // It was moved to where its effect does not run: then nobody knows an answer.
      withoutAnswer.insert(effect)
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
  var fates: [OutputFate] = []
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
