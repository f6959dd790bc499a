import SessionLog
import StoreCore
import StoreRecording
import ValueTree

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

  /// For sessions that an older version of the app recorded.
  package let upgrade: SessionUpgrade?
  let change: @Sendable (inout DependencyValues) -> Void
  private let makeMachine: @Sendable (State, Int) -> StoreMachine<State, Action>

  public init(
    _ reducer: some Reducer<State, Action>, upgrade: SessionUpgrade? = nil,
    withDependencies change: @escaping @Sendable (inout DependencyValues) -> Void = { _ in }
  ) {
    self.upgrade = upgrade
    self.change = change
    makeMachine = { state, stepCount in
      StoreMachine(initialState: state, reducer: reducer, stepCount: stepCount)
    }
  }

  func machine(with state: State, after step: Int) -> StoreMachine<State, Action> {
    makeMachine(state, step)
  }

  /// The dependencies in force while a recording with these keys on tape is run again.
  func scene(tape: [String], context: DependencyContext = .replay) -> DependencyScene {
    var values = DependencyValues(context: context)
    change(&values)
    let keys = Set(tape)
    if keys.contains("date") { values.date = Tape().date(values.date) }
    if keys.contains("uuid") { values.uuid = Tape().uuid(values.uuid) }
    if keys.contains("random") {
      values.withRandomNumberGenerator = Tape().random(values.withRandomNumberGenerator)
    }
    if keys.contains("clock") { values.continuousClock = Tape().clock(values.continuousClock) }
    let surroundings = Tape().surroundings(values.surroundings)
    if keys.contains("calendar") { values.surroundings.calendar = surroundings.calendar }
    if keys.contains("locale") { values.surroundings.locale = surroundings.locale }
    if keys.contains("timeZone") { values.surroundings.timeZone = surroundings.timeZone }
    // Whether it was on tape or not: nothing that is run again reads or writes an app's files.
    values.sharedStorage = Tape().sharedStorage(.inMemory())
    values.stackIDSource = .asked { counted in
      guard let reads = TapeContext.source as? ReplayReads else { return counted }
      return reads.stackID(counted: counted)
    }
    return DependencyScene(values.forNewStore())
  }
}
