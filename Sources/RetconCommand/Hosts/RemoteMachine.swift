import HostProtocol
import Platform
import ReducerHost
import Replay
import StoreCore
import ValueTree

/// A state of a reducer in another process, with its number there.
struct RemoteMachine: Machine {
  let host: ThinHost
  private(set) var stepCount: Int
  private var thin: ThinState

  init(_ host: ThinHost, _ state: ThinState, after step: Int = 0) {
    (self.host, thin, stepCount) = (host, state, step)
  }

  mutating func countOn(from step: Int) { stepCount = step }
  func state(_ encoder: IncrementalEncoder?) -> Value { thin.json }
  var holdsReferences: Bool { false }
  mutating func put(_ state: Value) { thin = ThinState(state) }

  mutating func pass(to state: Value?) {
    stepCount += 1
    if let state { put(state) }
  }

  mutating func reduce(_ step: MachineStep) throws -> StepOutcome {
    stepCount += 1
    return try host.reduce(&thin, step.action.value(), step, stepCount)
  }

  var lookahead: Int { host.wanted }
  func expect(_ actions: [Value]) { host.upcoming = actions }
}

struct ThinState: Sendable {
  let json: Value
  /// Its number in the other process; nil if not sent yet.
  var number: StateNumber?
  /// The reducer has thrown, and no step has run since.
  var isBroken = false

  init(_ json: Value, _ number: StateNumber? = nil) {
    self.json = json
    self.number = number
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

final class RemoteAction: MachineAction {
  private let json: Value

  init(_ json: Value) { self.json = json }

  func value() -> Value { json }

  var label: String {
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
  var runsEffectsOnTape: Bool { false }
  var onlyReduces: Bool { true }
  var upgrade: SessionUpgrade? { nil }
  var reducerType: Any.Type { Value.self }
  var stateType: any (Codable & Sendable).Type { Value.self }
  var actionType: any (Codable & Sendable).Type { Value.self }
  var change: @Sendable (inout DependencyValues) -> Void { { _ in } }

  func machine(with state: Value, after step: Int) -> any Machine {
    RemoteMachine(self, ThinState(state), after: step)
  }

  func action(_ value: Value) -> any MachineAction { RemoteAction(value) }
}

extension ThinHost: HostEngine {
  static let engine: HostConnection.Engine = {
    ThinHost($0, hasStart: $1.hasState, report: $2)
  }

  func serve(_ queue: RequestQueue, say: @escaping @Sendable (Int, HostMessage.Content) -> Void) {
    var worker = HostWorker(setup: self, greeting: HostGreeting(name: ""), queue: queue, say: say)
    worker.run()
  }
}
