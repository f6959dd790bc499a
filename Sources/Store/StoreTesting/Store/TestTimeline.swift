import SessionWords
import StoreCore

/// The events of a store, and how far the test has asserted them.
struct TestTimeline<State: Sendable, Action: Sendable>: Sendable {
  struct Received: Sendable {
    var action: Action
    var before: State
    var state: State
    var place: SourcePlace
    var generators: TestGenerators?
  }

  struct Sent: Sendable {
    var state: State
    var generators: TestGenerators?
  }

  var asserted: State
  var latest: State
  var received: [Received] = []
  /// Actions that were due before a later send: already reported, but still receivable.
  var overdue: [Received] = []
  var inFlight: [Int: StoreEffect] = [:]
  var started: [StoreEffect] = []
  var exhaustivity = Exhaustivity.on
  var statement: SourcePlace
  /// Nil while the sent action is not reduced yet.
  var sent: Sent?
  var generators: TestGenerators?
  var isDismissed = false {
    didSet { inFlight = [:] }
  }
  var isSending = false
  private var places: [Int: SourcePlace] = [:]
  private var effects: [Int: Int] = [:]
  private var gates: [Gate] = []

  init(state: State, place: SourcePlace) {
    asserted = state
    latest = state
    statement = place
  }

  mutating func add(_ action: Action, in step: StoreStep, after state: State) {
    let before = latest
    latest = state
    let place = place(of: step.cause)
    places[step.number] = place
    if isSending, step.cause == .user {
      isSending = false
      sent = Sent(state: state, generators: generators)
    } else if !isDismissed {
      received.append(
        Received(
          action: action, before: before, state: state, place: place, generators: generators))
    }
  }

  mutating func add(_ effect: StoreEffect, _ change: StoreEffectChange) {
    switch change {
    case .started:
      // A throttle's window needs no wait.
      if case .window = effect.kind { return }
      guard !isDismissed else { return }
      effects[effect.number] = effect.step
      inFlight[effect.number] = effect
      started.append(effect)
    case .emitted: break
    case .finished, .failed, .cancelled, .stopped:
      inFlight[effect.number] = nil
      effects[effect.number] = nil
    }
  }

  private func place(of cause: Cause) -> SourcePlace {
    switch cause {
    case .user, .outside, .unknown: statement
    case .output(let step): places[step] ?? statement
    case .effect(let effect): effects[effect.number].flatMap { places[$0] } ?? statement
    }
  }

  func place(of effect: StoreEffect) -> SourcePlace { places[effect.step] ?? statement }

  var running: [StoreEffect] { inFlight.values.sorted { $0.number < $1.number } }

  func isRunning(root: Int) -> Bool { inFlight.values.contains { $0.rootStep == root } }

  /// Skips the received actions, which stay receivable.
  mutating func skipReceived() -> [Received] {
    if exhaustivity == .on { overdue += received }
    return takeReceived()
  }

  mutating func takeReceived() -> [Received] {
    asserted = latest
    return exchange(&received, with: [])
  }

  mutating func nextChange() -> Gate {
    let gate = Gate()
    gates.append(gate)
    return gate
  }

  mutating func takeGates() -> [Gate] { exchange(&gates, with: []) }
}
