import StoreCore

/// What happened in a store, and how much of it a test has asserted.
struct TestTimeline<State: Sendable, Action: Sendable>: Sendable {
  /// An action that no statement of the test sent.
  struct Received: Sendable {
    var action: Action
    var state: State
    /// The statement that set it off.
    var place: SourcePlace
  }

  /// The state as far as it was asserted.
  var asserted: State
  /// The state of the store.
  var latest: State
  var received: [Received] = []
  var inFlight: [Int: StoreEffect] = [:]
  var exhaustivity = Exhaustivity.on
  /// The statement of the test that is running or ran last.
  var statement: SourcePlace
  /// The state after the action that is being sent; nil while it is not reduced yet.
  var sent: State?
  var isSending = false
  /// By step, the statement that set it off.
  private var places: [Int: SourcePlace] = [:]
  private var gates: [Gate] = []

  init(state: State, place: SourcePlace) {
    asserted = state
    latest = state
    statement = place
  }

  mutating func add(_ step: StoreStep<Action>, after state: State) {
    latest = state
    let place = place(of: step.cause)
    places[step.number] = place
    if isSending, step.cause == .user {
      isSending = false
      sent = state
    } else {
      received.append(Received(action: step.action, state: state, place: place))
    }
  }

  mutating func add(_ effect: StoreEffect, _ change: StoreEffectChange) {
    switch change {
    case .started:
      // Nobody waits for the window of a throttle.
      if case .window = effect.kind { return }
      inFlight[effect.number] = effect
    case .emitted: break
    case .finished, .failed, .cancelled, .stopped: inFlight[effect.number] = nil
    }
  }

  private func place(of cause: StoreCause) -> SourcePlace {
    switch cause {
    case .user: statement
    case .output(let step): places[step] ?? statement
    case .effect(let number): inFlight[number].map(place) ?? statement
    }
  }

  /// The statement of the test that started an effect.
  func place(of effect: StoreEffect) -> SourcePlace { places[effect.step] ?? statement }

  /// The effects in flight, oldest first.
  var running: [StoreEffect] { inFlight.values.sorted { $0.number < $1.number } }

  /// Takes all that was received as if it were asserted.
  mutating func takeReceived() -> [Received] {
    defer {
      received = []
      asserted = latest
    }
    return received
  }

  /// A gate that opens when something happens.
  mutating func nextChange() -> Gate {
    let gate = Gate()
    gates.append(gate)
    return gate
  }

  mutating func takeGates() -> [Gate] {
    defer { gates = [] }
    return gates
  }
}
