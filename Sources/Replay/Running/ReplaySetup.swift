import Recorder
import SessionFile
import SessionWords
import StoreCore
import StoreRecording
import ValueTree

/// A reducer of another architecture, in the clothes of one of `StoreCore`. The bodies of its effects are
/// not there to be run, what cancels them is known to the recording alone, and its states may lose what
/// their `Codable` leaves out: see ``ReplaySetup/takesCancellationsAsRecorded`` and
/// ``ReplaySetup/decodesStates``.
public protocol ForeignReducer: Reducer {
  /// Puts its dependencies on tape, so that a setup can say which are missing.
  func putOnTape()
}

/// A reducer with all that it takes to run it again.
///
/// Dependencies are in the context `.replay`. Put what is on tape in the app on tape here, too:
///
/// ```swift
/// let setup = ReplaySetup(AppFeature()) {
///   $0.factClient.fact = Tape().closure("fact", $0.factClient.fact)
/// }
/// ```
///
/// The built-in dependencies need no word: they are on tape where the recording has them on tape.
public struct ReplaySetup<State: Codable & Sendable, Action: Codable & Sendable>: Sendable {
  /// How many bytes may be spent on typed states and actions of a session, kept so that going to a
  /// step need not begin at the first one. With none everything still works, from the beginning.
  public var memoryBudget = 32 << 20

  /// Whether a dependency on tape may be asked for real where a reducer asks what nobody recorded and
  /// nothing can stand in for. If not, the process ends in that step and says so.
  public var allowsLiveCalls = true

  /// Whether effects are cancelled where the recording says so. For architectures whose cancel ids are
  /// not known when a reducer returns: a step that is as recorded cancels what it cancelled then; what
  /// another one cancels nobody knows, so what effects in flight send later is assumed.
  public var takesCancellationsAsRecorded = false

  /// Whether recorded states are decoded where a run came to another one. If not, only the first state
  /// of a session is: for states that lose what their `Codable` leaves out, as the ids of a stack. A
  /// playback runs from there.
  public var decodesStates = true

  /// Whether an effect of a branch that is not the recorded one has its body run, with the recorded
  /// answers behind it and nothing live: for apps whose effects ask nothing that is not on tape, and
  /// wait on ``StoreCore/DependencyValues/continuousClock``.
  public var runsEffectsOnTape = false

  /// For sessions that an older version of the app recorded.
  package let upgrade: SessionUpgrade?
  let change: @Sendable (inout DependencyValues) -> Void
  package let reducerType: Any.Type
  private let makeMachine: @Sendable (State, Int) -> StoreMachine<State, Action>

  /// The reducer as the app builds it. `upgrade` is for sessions of older versions;
  /// `withDependencies` puts on tape what the app puts on tape.
  public init(
    _ reducer: some Reducer<State, Action>, upgrade: SessionUpgrade? = nil,
    withDependencies change: @escaping @Sendable (inout DependencyValues) -> Void = { _ in }
  ) {
    self.upgrade = upgrade
    let foreign = reducer as? any ForeignReducer
    takesCancellationsAsRecorded = foreign != nil
    decodesStates = foreign == nil
    self.change = { values in
      change(&values)
      foreign?.putOnTape()
    }
    reducerType = type(of: reducer)
    makeMachine = { state, stepCount in
      StoreMachine(initialState: state, reducer: reducer, stepCount: stepCount)
    }
  }

  func machine(with state: State, after step: Int) -> StoreMachine<State, Action> {
    makeMachine(state, step)
  }

  /// What is on tape in the recording and not here, and the other way round, in a sentence each.
  ///
  /// `registered` are the keys that the header names. Others come in with their first read, as those
  /// of values that are read in place: whether they are on tape here shows only then. `asked` are
  /// those that a run has found on tape.
  package func differences(
    fromTape recorded: [String], registered: [String], asked: Set<String> = []
  ) -> [String] {
    guard !recorded.isEmpty else { return [] }
    let names = TapeNames()
    TapeNames.$current.withValue(names) {
      var values = DependencyValues(context: .replay)
      change(&values)
    }
    let there = Set(registered).subtracting(Read.builtIn).subtracting(asked)
    let here = names.all.subtracting(Read.builtIn)
    let onlyThere: [String] = there.subtracting(here).sorted().map {
      "“\($0)” is on tape in the recording, and the setup does not put it on tape here"
    }
    let onlyHere: [String] = here.subtracting(recorded).sorted().map {
      "“\($0)” is on tape here and not in the recording, so it has no recorded answers"
    }
    return onlyThere + onlyHere
  }

  /// The dependencies in force while a recording with these keys on tape is run again.
  func scene(
    tape: [String], context: DependencyContext = .replay, onStage: Bool? = nil
  ) -> DependencyScene {
    var values = DependencyValues(context: context)
    change(&values)
    let keys = Set(tape)
    let taped = Tape()
    if keys.contains("date") { values.putOnTape(\.date) { $0 = taped.date($0) } }
    if keys.contains("uuid") { values.putOnTape(\.uuid) { $0 = taped.uuid($0) } }
    if keys.contains("random") {
      values.putOnTape(\.withRandomNumberGenerator) { $0 = taped.random($0) }
    }
    if keys.contains("clock") { values.putOnTape(\.continuousClock) { $0 = taped.clock($0) } }
    if !keys.isDisjoint(with: ["calendar", "locale", "timeZone"]) {
      values.putOnTape(\.surroundings) {
        let surroundings = taped.surroundings($0)
        if keys.contains("calendar") { $0.calendar = surroundings.calendar }
        if keys.contains("locale") { $0.locale = surroundings.locale }
        if keys.contains("timeZone") { $0.timeZone = surroundings.timeZone }
      }
    }
    if onStage ?? (runsEffectsOnTape && context == .replay) {
      values.putOnTape(\.continuousClock) {
        if !($0 is ImmediateClock) { $0 = ShiftedClock(onStageElse: $0) }
      }
    }
    // Whether it was on tape or not: nothing that is run again reads or writes an app's files.
    values.sharedStorage = taped.sharedStorage(.inMemory())
    values.stackIDSource = .asked { counted in
      guard let reads = TapeContext.source as? ReplayReads else { return counted }
      return reads.stackID(counted: counted)
    }
    return DependencyScene(values.forNewStore())
  }
}

extension ReplaySetup {
  /// Runs a recorded session again and compares everything.
  ///
  /// ```swift
  /// let report = try await ReplaySetup(AppFeature()).verify(SessionReader(path: "cart.retcon"))
  /// if !report.isEqual { print(report.text(title: "cart.retcon")) }
  /// ```
  ///
  /// It ends early when the task is cancelled, with an error that says so.
  public func verify(
    _ session: SessionReader, _ options: VerifyOptions = VerifyOptions(),
    progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }
  ) async throws -> VerifyReport {
    try SessionReplay(session, self).verify(options, control: RunControl(progress: progress))
  }

  /// Runs a branch of a session: the scripts from the one that leaves the recording down to its own.
  /// `onStep` is given its steps in order.
  public func run(
    _ scripts: [Script], of session: SessionReader,
    progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in },
    onStep: @escaping @Sendable (BranchStep) -> Void
  ) async throws -> BranchReport {
    try SessionReplay(session, self).run(
      scripts, control: RunControl(progress: progress), onStep: onStep)
  }
}

/// How somebody watches a run and stops it.
package struct RunControl: Sendable {
  /// Asked between two steps.
  package var isCancelled: @Sendable () -> Bool
  /// Told now and then.
  package var progress: @Sendable (_ done: Int, _ of: Int) -> Void
  /// Told before each step.
  package var stepBegins: @Sendable (_ step: Int) -> Void
  /// Told before each step of the recording that is run beside a branch, and 0 when that is over.
  package var stepBeginsBeside: @Sendable (_ step: Int) -> Void
  /// Told before a branch is run because another one leaves it, and 0 when that is over: by how many
  /// scripts it is made.
  package var parentBegins: @Sendable (_ depth: Int) -> Void

  package init(
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled },
    progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in },
    stepBegins: @escaping @Sendable (_ step: Int) -> Void = { _ in },
    stepBeginsBeside: @escaping @Sendable (_ step: Int) -> Void = { _ in },
    parentBegins: @escaping @Sendable (_ depth: Int) -> Void = { _ in }
  ) {
    self.isCancelled = isCancelled
    self.progress = progress
    self.stepBegins = stepBegins
    self.stepBeginsBeside = stepBeginsBeside
    self.parentBegins = parentBegins
  }
}
