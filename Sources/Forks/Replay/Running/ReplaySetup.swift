import Recorder
import SessionFile
import SessionWords
import StoreCore
import StoreRecording
import ValueTree

/// A reducer of another architecture, adapted to `StoreCore`. Its effects have no bodies to run,
/// only the recording knows its cancellations, and its states may lose what their `Codable` leaves
/// out: see ``ReplaySetup/takesCancellationsAsRecorded`` and ``ReplaySetup/decodesStates``.
public protocol ForeignReducer: Reducer {
  /// Puts its dependencies on tape, so that a setup can report missing ones.
  func putOnTape()

  static var adapted: Any.Type { get }
}

/// A reducer with everything needed to run it again.
///
/// Dependencies have the context `.replay`. Put on tape what the app puts on tape:
///
/// ```swift
/// let setup = ReplaySetup(AppFeature()) {
///   $0.factClient.fact = Tape().closure("fact", $0.factClient.fact)
/// }
/// ```
///
/// Built-in dependencies are on tape automatically if the recording has them.
public struct ReplaySetup<State: Codable & Sendable, Action: Codable & Sendable>: Sendable {
  /// The bytes for typed states and actions of a session, so that a jump need not begin at the
  /// first step. Zero is slow, but works.
  public var memoryBudget = 32 << 20

  /// Whether a live dependency may answer a read that has no recorded answer and no substitute. If
  /// not, the process ends in that step with an explanation.
  public var allowsLiveCalls = true

  /// Whether effects are cancelled where the recording says so. For architectures whose cancel ids
  /// are unknown when a reducer returns. A step as recorded cancels what it cancelled then. A
  /// different step's cancellations are unknown, so what running effects send later is assumed.
  public var takesCancellationsAsRecorded = false

  /// Whether recorded states are decoded if a run reached another one. If not, only a session's
  /// first state is: for states that lose what their `Codable` leaves out, such as the ids of a
  /// stack. A playback runs from there.
  public var decodesStates = true

  /// Whether a branch's changed effect runs its body with the recorded answers and nothing live.
  /// For apps whose effects read only dependencies on tape, and wait on
  /// the `continuousClock`.
  public var runsEffectsOnTape = false

  /// For sessions that an older version of the app recorded.
  package let upgrade: SessionUpgrade?
  package let change: @Sendable (inout DependencyValues) -> Void
  package let reducerType: Any.Type
  let makeMachine: @Sendable (State, Int) -> LocalMachine<State, Action>

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
}

extension ReplaySetup {
  /// Runs a recorded session again and compares everything.
  ///
  /// ```swift
  /// let report = try await ReplaySetup(AppFeature()).verify(SessionReader(path: "cart.retcon"))
  /// if !report.isEqual { print(report.text(title: "cart.retcon")) }
  /// ```
  ///
  /// Cancelling the task ends it early with an error.
  public func verify(
    _ session: SessionReader, _ options: VerifyOptions = VerifyOptions(),
    progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }
  ) async throws -> VerifyReport {
    try SessionReplay(session, self).verify(options, control: RunControl(progress: progress))
  }

  /// Runs a branch of a session: the scripts from the one that leaves the recording to its own.
  /// `onStep` gets its steps in order.
  public func run(
    _ scripts: [Script], of session: SessionReader,
    progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in },
    onStep: @escaping @Sendable (BranchStep) -> Void
  ) async throws -> BranchReport {
    try SessionReplay(session, self).run(
      scripts, control: RunControl(progress: progress), onStep: onStep)
  }
}

package struct RunControl: Sendable {
  package var isCancelled: @Sendable () -> Bool = { Task.isCancelled }
  package var progress: @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }
  package var stepBegins: @Sendable (_ step: Int) -> Void = { _ in }
  /// Called before each step of the recording beside a branch, and with 0 at the end.
  package var stepBeginsBeside: @Sendable (_ step: Int) -> Void = { _ in }
  /// Called with the number of scripts before a parent branch runs, and with 0 at the end.
  package var parentBegins: @Sendable (_ depth: Int) -> Void = { _ in }

  package init() {}

  init(progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void) { self.progress = progress }
}
