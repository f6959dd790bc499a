import HostProtocol
import Platform
import Recorder
import ReducerHost
import Replay
import SessionWords
import StoreCore
import ValueTree

/// A state of a reducer in another process, with its number there, and its effects in flight.
struct RemoteMachine: Machine {
  let host: ThinHost
  private var store: StoreMachine<ThinState, RemoteAction>
  /// How many steps came at once because reducers sent them.
  private var turn = 0
  private var isInTurn = false

  /// More are a flood.
  private static var longestTurn: Int { 10_000 }
  private static var mostEffects: Int { 10_000 }

  init(_ host: ThinHost, _ state: ThinState, after step: Int = 0) {
    self.host = host
    store = StoreMachine(
      initialState: state, reducer: EmptyReducer<ThinState, RemoteAction>(), stepCount: step)
  }

  var stepCount: Int { store.stepCount }
  mutating func countOn(from step: Int) { store.countOn(from: step) }
  func state(_ encoder: IncrementalEncoder?) -> Value { store.state.json }
  var holdsReferences: Bool { false }
  mutating func put(_ state: Value) { store.state = ThinState(state, on: store.state) }
  mutating func pass(to state: Value?) {
    store.pass(state: state.map { ThinState($0, on: store.state) } ?? store.state)
  }

  mutating func set(to state: Value) throws {
    guard host.can.sets else { return pass(to: state) }
    let (after, effect) = try host.set(ThinState(state, on: store.state))
    store.reduced(to: after, effect, root: nil)
  }

  mutating func reduce(_ step: MachineStep) throws -> StepOutcome {
    store.keepsEffects = step.keepsEffects
    let action = unsafeDowncast(step.action, to: LocalAction<RemoteAction>.self).action
    var state = store.state
    let (told, effect) = try host.reduce(&state, action.json, step, stepCount + 1)
    var outcome = told
    turn = isInTurn ? turn + 1 : 0
    store.reduced(to: state, effect, root: step.root)
    isInTurn = outputCount > 0
    if turn > Self.longestTurn || outputCount > Self.longestTurn {
      outcome.fault = .threw("its reducers send more than \(Self.longestTurn) actions at once")
    } else if store.ledger.count > Self.mostEffects {
      outcome.fault = .threw("more than \(Self.mostEffects) effects run at once")
    }
    return outcome
  }

  var lookahead: Int { host.wanted }
  func expect(_ steps: [ExpectedStep]) { host.upcoming = steps.map(ThinInput.init) }

  var outputCount: Int { store.outputCount }
  var sent: [SentAction] { store.sent }
  mutating func removeSent(at place: Int) -> SentAction? { store.removeSent(at: place) }
  var hasChanges: Bool { store.hasChanges }
  mutating func takeEffects() -> [EffectChange] { store.takeEffects() }
  mutating func ended(effect number: Int) { store.ended(effect: number) }
  mutating func cancel(effect number: Int) { store.cancel(effect: number) }
  mutating func cancel(root: Int) { store.cancel(root: root) }
  mutating func cancel(idNamed text: String, by effect: Int?, of others: [Int]) {
    store.cancel(idNamed: text, by: effect, of: others)
  }
  mutating func cancelAll(but kept: Set<Int>) { store.cancelAll(but: kept) }
  func root(ofEffect number: Int) -> Int? { store.root(ofEffect: number) }
  var hasOpenWindows: Bool { store.hasOpenWindows }
  func newestEffects() -> [StartedEffect] { store.newestEffects() }
}

struct ThinState: Sendable {
  let json: Value
  /// Its number in the other process; nil if not sent yet.
  var number: StateNumber?
  /// The state that it was put in the place of.
  private(set) var base: StateNumber?
  /// The reducer has thrown, and no step has run since.
  var isBroken = false

  init(_ json: Value, _ number: StateNumber? = nil) {
    self.json = json
    self.number = number
  }

  init(_ json: Value, on other: ThinState) {
    self.json = json
    base = other.number ?? other.base
  }
}

/// The number of a state. The other process may forget it after its last use here.
final class StateNumber: Sendable {
  let number: Int
  /// Which of the processes, one after another, knows it.
  let process: Int
  private let forget: @Sendable (StateNumber) -> Void

  init(_ number: Int, in process: Int, forget: @escaping @Sendable (StateNumber) -> Void) {
    self.number = number
    self.process = process
    self.forget = forget
  }

  deinit { forget(self) }
}

/// An action as JSON.
struct RemoteAction: Codable, LabelledAction {
  let json: Value

  init(_ json: Value) { self.json = json }
  init(from decoder: any Decoder) throws { json = try Value(from: decoder) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(json)
  }

  var actionLabel: String {
    switch json["type"] ?? json["label"] {
    case .string(let text): text
    case .number(let number): number.text
    default: "(no type)"
    }
  }
}

extension ThinHost: RunSetup {
  var memoryBudget: Int { 32 << 20 }
  var allowsLiveCalls: Bool { true }
  var takesCancellationsAsRecorded: Bool { false }
  var decodesStates: Bool { true }
  var runsEffectsOnTape: Bool { can.bodies }
  var verifiesBodies: Bool { can.repeats }
  var onlyReduces: Bool { !can.effects }
  var hidesState: Bool { can.whole }
  var isRemote: Bool { true }
  var readsTape: Bool { can.reads }
  var upgrade: SessionUpgrade? { nil }
  var reducerType: Any.Type { Value.self }
  var stateType: any (Codable & Sendable).Type { Value.self }
  var actionType: any (Codable & Sendable).Type { Value.self }
  var change: @Sendable (inout DependencyValues) -> Void { { _ in } }

  func machine(with state: Value, after step: Int) -> any Machine {
    RemoteMachine(self, ThinState(state), after: step)
  }

  func action(_ value: Value) -> any MachineAction {
    LocalAction(RemoteAction(value), known: value)
  }
}

extension ThinHost: HostEngine {
  static let engine: HostConnection.Engine = {
    ThinHost($0, hasStart: $1.hasState, can: $1.can, report: $2)
  }

  func serve(_ queue: RequestQueue, say: @escaping @Sendable (Int, HostMessage.Content) -> Void) {
    var greeting = HostGreeting(name: "")
    greeting.runsLive = can.live
    var worker = HostWorker(setup: self, greeting: greeting, queue: queue, say: say)
    worker.run()
  }
}
