import SessionWords

/// A store without threads and tasks: its state, its effects in flight, and the rules by which
/// actions change them. Everything it does follows from what it is told.
///
/// A value: a copy is a checkpoint. The ``Store`` runs one behind a lock; a replay runs one from a
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
  /// An action that waits for its turn: a reducer returned it as a `send`.
  package struct Output: Sendable {
    package var action: Action
    package var cause: Cause
    /// The step of the user's action that this one descends from; nil when it is one.
    package var root: Int?
    /// What the store knows it by until it has a step.
    var ticket: Int?
  }

  /// What became of effects, in order.
  package enum Change: Sendable {
    case started(StoreEffect, EffectRun<Action>)
    case cancelled(StoreEffect)
  }

  package typealias Step = @Sendable (inout State, Action) -> Effect<Action>

  // The counts repeat what the arrays know, and the state stands last, so that the way of an action
  // without effects asks the runtime for no generic type: that is most of what a `send` costs.

  /// How many steps were reduced.
  package private(set) var stepCount = 0
  /// How many actions wait.
  package private(set) var outputCount = 0
  package private(set) var hasChanges = false
  private var hasLiveChildren = false
  private var carried: CarriedContents
  private var nextOutput = 0
  private var outputs: [Output] = []
  private var changes: [Change] = []
  /// The effect that the newest of all steps with one has returned, and which step that was.
  private var newestEffect: [Effect<Action>] = []
  private var newestEffectStep: Int?
  /// Whether it is kept, for ``newestRuns()``.
  package var keepsEffects = false
  private let step: Step
  package private(set) var ledger = EffectLedger<Action>()
  package var state: State

  /// A machine that goes on from the middle of a session counts its steps from there.
  package init(initialState: State, reducer: some Reducer<State, Action>, stepCount: Int = 0) {
    // Asked once: the way of other actions costs nothing more.
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

  /// A step without the reducer: the state after it is known from elsewhere. The effects of children
  /// that are not in it end.
  package mutating func pass(state: State) {
    stepCount += 1
    self.state = state
    if hasLiveChildren { follow(ledger.cancelAbsent(in: state)) }
  }

  /// The next step is the one after this.
  package mutating func countOn(from step: Int) { stepCount = step }

  /// Runs the reducer once. What it sends waits in ``takeOutput()``, and which effects it started
  /// and cancelled in ``takeChanges()``.
  ///
  /// `root` is the step of the user's action that this one descends from; nil when it is one.
  package mutating func reduce(_ action: Action, cause: Cause, root: Int? = nil) {
    stepCount += 1
    let effect = carried.around(&state, step, action)
    if case .none = effect.operation {} else { accept(effect, root: root) }
    if hasLiveChildren { follow(ledger.cancelAbsent(in: state)) }
  }

  /// The same, with hooks around it.
  package mutating func reduce(
    _ action: Action, cause: Cause, root: Int? = nil,
    hooks: any StoreHooks<State, Action>
  ) {
    stepCount += 1
    let effect = Self.reduce(
      action, in: StoreStep(number: stepCount, cause: cause), &state, &carried, step, hooks)
    if case .none = effect.operation {} else { accept(effect, root: root) }
    if hasLiveChildren { follow(ledger.cancelAbsent(in: state)) }
  }

  // What the closure changes are places of their own: in the machine it would have to look for them.
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

  /// Whether a shared value that is kept in a file has changed.
  var hasChangedFiles: Bool { carried.hasChangedFiles }

  /// What is to be written into files since this was last asked.
  mutating func takeChangedFiles() -> [SharedValues.File] { carried.takeChangedFiles() }

  /// The next action that a reducer sent at once.
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

  /// The actions that wait, in the order of their turns.
  package var waitingOutputs: ArraySlice<Output> { outputs[nextOutput...] }

  /// Takes one of ``waitingOutputs`` before its turn.
  package mutating func takeOutput(at index: Int) -> Output {
    outputCount -= 1
    let output = outputs.remove(at: index)
    if outputCount == 0 {
      outputs = []
      nextOutput = 0
    }
    return output
  }

  /// Lets an action of the user wait behind the first `place` actions that wait already.
  mutating func insert(_ action: Action, ticket: Int, at place: Int) {
    outputCount += 1
    outputs.insert(
      Output(action: action, cause: .user, root: nil, ticket: ticket), at: nextOutput + place)
  }

  /// The effects that were started and cancelled since this was last asked.
  package mutating func takeChanges() -> [Change] {
    hasChanges = false
    return exchange(&changes, with: [])
  }

  /// The body of this effect is over; what was chained to it goes on.
  package mutating func ended(effect number: Int) { follow(ledger.ended(number)) }

  /// Cancels this effect.
  package mutating func cancel(effect number: Int) { follow(ledger.cancel(effect: number)) }

  /// Cancels all effects that descend from this step of the user.
  package mutating func cancel(root: Int) { follow(ledger.cancel(root: root)) }

  /// Cancels the effects with this id, in this child and below.
  mutating func cancel(id: AnyID, in path: [EffectPathElement]) {
    follow(ledger.cancel(id: id, in: path))
  }

  /// The same, of an id of which a recording has the text, as an effect did it.
  package mutating func cancel(idNamed text: String, by effect: Int?, of others: [Int]) {
    follow(ledger.cancel(idNamed: text, by: effect, of: others))
  }

  /// From now on ``takeCancelledIDs()`` gives what was cancelled by its id.
  mutating func noteCancelledIDs() { ledger.cancelledIDs = [] }

  mutating func takeCancelledIDs() -> [ScopeKey] {
    guard let ids = ledger.cancelledIDs, !ids.isEmpty else { return [] }
    ledger.cancelledIDs = []
    return ids
  }

  /// Cancels all effects but these, with what is held back.
  package mutating func cancelAll(but kept: Set<Int> = []) {
    follow(ledger.cancelAll(but: kept))
  }

  /// The work that the newest step starts, at once or after other work, whatever else is in flight.
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
    follow(ledger.accept(effect, from: origin))
  }

  private mutating func wait(_ action: Action, _ origin: EffectStart) {
    outputCount += 1
    outputs.append(Output(action: action, cause: .output(of: origin.step), root: origin.root))
  }

  private mutating func follow(_ commands: [EffectLedger<Action>.Command]) {
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
