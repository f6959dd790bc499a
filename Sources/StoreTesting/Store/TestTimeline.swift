import SessionWords
import StoreCore

/// What happened in a store, and how much of it a test has asserted.
struct TestTimeline<State: Sendable, Action: Sendable>: Sendable {
  /// An action that no statement of the test sent.
  struct Received: Sendable {
    var action: Action
    var before: State
    var state: State
    /// The statement that set it off.
    var place: SourcePlace
    var generators: TestGenerators?
  }

  /// What became of the action that a statement sent.
  struct Sent: Sendable {
    var state: State
    var generators: TestGenerators?
  }

  /// The state as far as it was asserted.
  var asserted: State
  /// The state of the store.
  var latest: State
  var received: [Received] = []
  /// Those that should have been asserted before something else was sent: told of already, they can
  /// still be received.
  var overdue: [Received] = []
  var inFlight: [Int: StoreEffect] = [:]
  var exhaustivity = Exhaustivity.on
  /// The statement of the test that is running or ran last.
  var statement: SourcePlace
  /// Nil while the action that is being sent is not reduced yet.
  var sent: Sent?
  /// Those of the step that is being reduced.
  var generators: TestGenerators?
  var isDismissed = false {
    didSet { inFlight = [:] }
  }
  var isSending = false
  /// By step, the statement that set it off.
  private var places: [Int: SourcePlace] = [:]
  /// By effect, the step that started it.
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
      // Nobody waits for the window of a throttle.
      if case .window = effect.kind { return }
      guard !isDismissed else { return }
      effects[effect.number] = effect.step
      inFlight[effect.number] = effect
    case .emitted: break
    case .finished, .failed, .cancelled, .stopped:
      inFlight[effect.number] = nil
      effects[effect.number] = nil
    }
  }

  private func place(of cause: Cause) -> SourcePlace {
    switch cause {
    case .user: statement
    case .output(let step): places[step] ?? statement
    case .effect(let number): effects[number].flatMap { places[$0] } ?? statement
    }
  }

  /// The statement of the test that started an effect.
  func place(of effect: StoreEffect) -> SourcePlace { places[effect.step] ?? statement }

  /// The effects in flight, oldest first.
  var running: [StoreEffect] { inFlight.values.sorted { $0.number < $1.number } }

  func isRunning(root: Int) -> Bool { inFlight.values.contains { $0.rootStep == root } }

  /// Goes on without what was received. It can be received later.
  mutating func leaveReceived() -> [Received] {
    if exhaustivity == .on { overdue += received }
    return takeReceived()
  }

  /// Takes all that was received as if it were asserted.
  mutating func takeReceived() -> [Received] {
    asserted = latest
    return exchange(&received, with: [])
  }

  /// A gate that opens when something happens.
  mutating func nextChange() -> Gate {
    let gate = Gate()
    gates.append(gate)
    return gate
  }

  mutating func takeGates() -> [Gate] { exchange(&gates, with: []) }
}
