import Recorder
import SessionFile
import SessionWords
import StoreCore
import StoreRecording
import ValueTree

/// The terms on which an engine runs sessions of a reducer: a ``ReplaySetup`` without its types, or a
/// reducer in another process.
package protocol RunSetup: Sendable {
  var memoryBudget: Int { get }
  var allowsLiveCalls: Bool { get }
  var takesCancellationsAsRecorded: Bool { get }
  var decodesStates: Bool { get }
  var runsEffectsOnTape: Bool { get }
  /// Whether a verification runs the bodies of recorded effects with their own answers.
  var verifiesBodies: Bool { get }
  /// Whether the reducer gives states and nothing else. Then neither effects nor what reducers send
  /// are seen.
  var onlyReduces: Bool { get }
  /// Whether the reducer is in another process: its values are JSON, to which `1` is `1.0`, and its
  /// types are unknown.
  var isRemote: Bool { get }
  /// Whether the app keeps more than its state, so that equal states may go on differently.
  var hidesState: Bool { get }
  /// Whether the reducer reads from the tape.
  var readsTape: Bool { get }
  var upgrade: SessionUpgrade? { get }
  var reducerType: Any.Type { get }
  var stateType: any (Codable & Sendable).Type { get }
  var actionType: any (Codable & Sendable).Type { get }

  /// Puts the app's dependencies on tape.
  var change: @Sendable (inout DependencyValues) -> Void { get }

  /// Throws a `DecodingError` if the type has no such state.
  func machine(with state: Value, after step: Int) throws -> any Machine
  func action(_ value: Value) throws -> any MachineAction
  /// The first state of a session; nil if it is the recorded one.
  func start(of session: SessionReader) throws -> (any Machine)?
  /// Another process's words about the reducer's files, the files, and what their action creators
  /// make.
  var loaded: (notes: [String], files: [String], actions: [Value]?) { get }
}

extension RunSetup {
  package var verifiesBodies: Bool { false }
  package var hidesState: Bool { false }
  package func start(of session: SessionReader) -> (any Machine)? { nil }
  package var loaded: (notes: [String], files: [String], actions: [Value]?) { ([], [], nil) }
}

extension RunSetup {
  func decode(_ value: Value, at step: Int) throws(ReplayError) -> any MachineAction {
    do {
      return try action(value)
    } catch {
      throw .actionDoesNotDecode(step: step, reason: "\(error)")
    }
  }
}

extension RunSetup {
  /// The dependencies on tape in only one of the recording and this setup, a sentence each.
  ///
  /// `registered` are the keys in the header. Others, such as values read in place, appear only
  /// with their first read. `asked` are those that a run found on tape.
  package func differences(
    fromTape recorded: [String], registered: [String], asked: Set<String> = []
  ) -> [String] {
    guard !recorded.isEmpty, !isRemote else { return [] }
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

  package func dependencyScope(
    tape: [String], context: DependencyContext = .replay, onStage: Bool? = nil
  ) -> DependencyScope {
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
    // On tape or not: a re-run never touches an app's files.
    values.sharedStorage = taped.sharedStorage(.inMemory())
    values.stackIDSource = .asked { counted in
      guard let reads = TapeContext.source as? ReplayReads else { return counted }
      return reads.stackID(counted: counted)
    }
    return DependencyScope(values.forNewStore())
  }
}

extension ReplaySetup: RunSetup {
  package var onlyReduces: Bool { false }
  package var isRemote: Bool { false }
  package var readsTape: Bool { true }
  package var stateType: any (Codable & Sendable).Type { State.self }
  package var actionType: any (Codable & Sendable).Type { Action.self }

  package func machine(with state: Value, after step: Int) throws -> any Machine {
    makeMachine(try ValueDecoder().decode(State.self, from: state), step)
  }

  package func action(_ value: Value) throws -> any MachineAction {
    LocalAction(try ValueDecoder().decode(Action.self, from: value))
  }
}
