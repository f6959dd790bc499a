import SessionWords

/// A store without threads and tasks: its state, its effects in flight, and its rules. Its inputs
/// determine everything it does.
///
/// As a value, a copy is a checkpoint. ``Store`` runs one behind a lock; a replay runs one from a
/// recording:
///
/// ```swift
/// machine.reduce(action, cause: .user)
/// while let output = machine.takeOutput() {
///   machine.reduce(output.action, cause: output.cause, root: output.root)
/// }
/// for change in machine.takeChanges() { print(change) }
/// ```
package struct StoreMachine<State: Sendable, Action: Sendable>: Sendable {
  package struct Output: Sendable {
    package var action: Action
    package var cause: Cause
    /// Its root step; nil if it is the user's.
    package var root: Int?
    var ticket: Int?
  }

  package enum Change: Sendable {
    case started(StoreEffect, EffectRun<Action>)
    case cancelled(StoreEffect)
  }

  package typealias Step = @Sendable (inout State, Action) -> Effect<Action>

  // The counts duplicate the arrays, and the state is last. So an action without effects needs no
  // generic type from the runtime, which is most of the cost of a `send`.

  package private(set) var stepCount = 0
  package private(set) var outputCount = 0
  package private(set) var hasChanges = false
  private var hasLiveChildren = false
  private var carried: CarriedContents
  private var nextOutput = 0
  private var outputs: [Output] = []
  private var changes: [Change] = []
  private var newestEffect: [Effect<Action>] = []
  private var newestEffectStep: Int?
  /// Whether to keep it, for ``newestRuns()``.
  package var keepsEffects = false
  private let step: Step
  package internal(set) var ledger = EffectLedger<Action>()
  package var state: State

  /// `stepCount` is the number of earlier steps, for a start in the middle of a session.
  package init(initialState: State, reducer: some Reducer<State, Action>, stepCount: Int = 0) {
    // Checked once, so that other actions cost nothing more.
    if Action.self is any BindableAction.Type {
      step = { state, action in
        BindingWatch.reducing(action) { reducer.reduce(into: &state, action: action) }
      }
    } else {
      step = { state, action in reducer.reduce(into: &state, action: action) }
    }
    state = initialState
    self.stepCount = stepCount
    carried = CarriedContents(&state)
  }

  /// Sets the state after a step without the reducer. Cancels the effects of missing children.
  package mutating func pass(state: State) {
    stepCount += 1
    self.state = state
    if hasLiveChildren { apply(ledger.cancelAbsent(in: state)) }
  }

  package mutating func countOn(from step: Int) { stepCount = step }

  /// Runs the reducer once. Then ``takeOutput()`` has its actions, and ``takeChanges()`` its
  /// effects.
  ///
  /// `root` is the step of the user's action behind this one; nil if it is the user's.
  package mutating func reduce(_ action: Action, cause: Cause, root: Int? = nil) {
    stepCount += 1
    let effect = carried.around(&state, step, action)
    if case .none = effect.operation {} else { accept(effect, root: root) }
    if hasLiveChildren { apply(ledger.cancelAbsent(in: state)) }
  }

  /// The same for a reducer elsewhere, which has run.
  package mutating func reduced(to state: State, _ effect: Effect<Action>, root: Int? = nil) {
    stepCount += 1
    self.state = state
    if case .none = effect.operation {} else { accept(effect, root: root) }
  }

  package mutating func reduce(
    _ action: Action, cause: Cause, root: Int? = nil,
    hooks: any StoreHooks<State, Action>
  ) {
    stepCount += 1
    let effect = Self.reduce(
      action, in: StoreStep(number: stepCount, cause: cause), &state, &carried, step, hooks)
    if case .none = effect.operation {} else { accept(effect, root: root) }
    if hasLiveChildren { apply(ledger.cancelAbsent(in: state)) }
  }

  // As parameters, these need no lookup in the generic machine.
  private static func reduce(
    _ action: Action, in step: StoreStep, _ state: inout State, _ carried: inout CarriedContents,
    _ reducer: Step, _ hooks: any StoreHooks<State, Action>
  ) -> Effect<Action> {
    var effect = Effect<Action>.none
    let before = state
    hooks.aroundReduce(action, in: step, before: before) {
      effect = carried.around(&state, reducer, action)
      return state
    }
    return effect
  }

  var hasChangedFiles: Bool { carried.hasChangedFiles }

  mutating func takeChangedFiles() -> [SharedValues.File] { carried.takeChangedFiles() }

  package mutating func takeOutput() -> Output? {
    guard outputCount > 0 else { return nil }
    outputCount -= 1
    let output = outputs[nextOutput]
    nextOutput += 1
    if outputCount == 0 || (nextOutput >= 1024 && nextOutput > outputCount) {
      outputs.removeFirst(nextOutput)
      nextOutput = 0
    }
    return output
  }

  package var waitingOutputs: ArraySlice<Output> { outputs[nextOutput...] }

  package mutating func removeOutput(at index: Int) -> Output {
    outputCount -= 1
    let output = outputs.remove(at: index)
    if outputCount == 0 {
      outputs = []
      nextOutput = 0
    }
    return output
  }

  /// Queues an action of the user behind the first `place` waiting actions.
  mutating func insert(_ action: Action, ticket: Int, at place: Int) {
    outputCount += 1
    outputs.insert(
      Output(action: action, cause: .user, root: nil, ticket: ticket), at: nextOutput + place)
  }

  package mutating func takeChanges() -> [Change] {
    hasChanges = false
    return exchange(&changes, with: [])
  }

  package mutating func ended(effect number: Int) { apply(ledger.ended(number)) }

  package mutating func cancel(effect number: Int) { apply(ledger.cancel(effect: number)) }

  package mutating func cancel(root: Int) { apply(ledger.cancel(root: root)) }

  mutating func cancel(id: AnyID, in path: [EffectPathElement]) {
    apply(ledger.cancel(id: id, in: path))
  }

  /// The same, for an id of which a recording has the text.
  package mutating func cancel(idNamed text: String, by effect: Int?, of others: [Int]) {
    apply(ledger.cancel(idNamed: text, by: effect, of: others))
  }

  mutating func collectCancelledIDs() { ledger.cancelledIDs = [] }

  mutating func takeCancelledIDs() -> [ScopeKey] {
    guard let ids = ledger.cancelledIDs, !ids.isEmpty else { return [] }
    ledger.cancelledIDs = []
    return ids
  }

  package mutating func cancelAll(but kept: Set<Int> = []) {
    apply(ledger.cancelAll(but: kept))
  }

  package func newestRuns() -> [(effect: StoreEffect, run: EffectRun<Action>)] {
    guard newestEffectStep == stepCount, let effect = newestEffect.first else { return [] }
    var alone = EffectLedger<Action>()
    var commands = alone.accept(effect, from: EffectStart(step: stepCount, root: stepCount))
    if alone.hasLiveChildren { commands += alone.cancelAbsent(in: state) }
    var runs: [(effect: StoreEffect, run: EffectRun<Action>)] = []
    while true {
      let known = runs.count
      for case .start(let effect, let run) in commands { runs.append((effect, run)) }
      guard runs.count > known else { return runs }
      commands = runs[known...].flatMap { alone.ended($0.effect.number) }
    }
  }

  private mutating func accept(_ effect: Effect<Action>, root: Int?) {
    if keepsEffects { (newestEffect, newestEffectStep) = ([effect], stepCount) }
    let origin = EffectStart(step: stepCount, root: root ?? stepCount)
    if case .send(let action) = effect.operation { return wait(action, origin) }
    apply(ledger.accept(effect, from: origin))
  }

  private mutating func wait(_ action: Action, _ origin: EffectStart) {
    outputCount += 1
    outputs.append(Output(action: action, cause: .output(of: origin.step), root: origin.root))
  }

  private mutating func apply(_ commands: [EffectLedger<Action>.Command]) {
    for command in commands {
      switch command {
      case .send(let action, let origin): wait(action, origin)
      case .start(let effect, let run):
        changes.append(.started(effect, run))
        hasChanges = true
      case .cancel(let effect):
        changes.append(.cancelled(effect))
        hasChanges = true
      }
    }
    hasLiveChildren = ledger.hasLiveChildren
    if ledger.cancelledIDs?.isEmpty == false { hasChanges = true }
  }
}
