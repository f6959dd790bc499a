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
/// for change in machine.takeChanges() { … }
/// ```
package struct StoreMachine<Base: Reducer>: Sendable {
  /// An action that waits for its turn: a reducer returned it as a `send`.
  package struct Output: Sendable {
    package var action: Base.Action
    package var cause: StoreCause
    /// The step of the user's action that this one descends from; nil when it is one.
    package var root: Int?
    /// What the store knows it by until it has a step.
    var ticket: Int?
  }

  /// What became of effects, in order.
  package enum Change: Sendable {
    case started(StoreEffect, EffectRun<Base.Action>)
    case cancelled(StoreEffect)
  }

  package var state: Base.State
  package let reducer: Base
  /// How many steps were reduced.
  package private(set) var stepCount = 0
  package private(set) var ledger = EffectLedger<Base.Action>()
  private var outputs: [Output] = []
  private var nextOutput = 0
  private var changes: [Change] = []

  package init(initialState: Base.State, reducer: Base) {
    state = initialState
    self.reducer = reducer
  }

  /// Runs the reducer once. What it sends waits in ``takeOutput()``, and which effects it started
  /// and cancelled in ``takeChanges()``.
  ///
  /// `root` is the step of the user's action that this one descends from; nil when it is one.
  @discardableResult
  package mutating func reduce(
    _ action: Base.Action, cause: StoreCause, root: Int? = nil,
    hooks: (any StoreHooks<Base.State, Base.Action>)? = nil
  ) -> Int {
    stepCount += 1
    let effect: Effect<Base.Action>
    if let hooks {
      effect = reduce(
        StoreStep(number: stepCount, action: action, cause: cause), around: hooks)
    } else {
      effect = reducer.reduce(into: &state, action: action)
    }
    if case .none = effect.operation { return stepCount }
    let origin = EffectOrigin(step: stepCount, root: root ?? stepCount)
    follow(ledger.accept(effect, from: origin))
    return stepCount
  }

  /// The next action that a reducer sent at once.
  package mutating func takeOutput() -> Output? {
    guard nextOutput < outputs.count else { return nil }
    let output = outputs[nextOutput]
    nextOutput += 1
    if nextOutput == outputs.count || nextOutput >= 1024 {
      outputs.removeFirst(nextOutput)
      nextOutput = 0
    }
    return output
  }

  /// How many actions wait.
  package var outputCount: Int { outputs.count - nextOutput }

  /// Lets an action of the user wait behind the first `place` actions that wait already.
  mutating func insert(_ action: Base.Action, ticket: Int, at place: Int) {
    outputs.insert(
      Output(action: action, cause: .user, root: nil, ticket: ticket), at: nextOutput + place)
  }

  /// The effects that were started and cancelled since this was last asked.
  package mutating func takeChanges() -> [Change] {
    guard !changes.isEmpty else { return [] }
    defer { changes = [] }
    return changes
  }

  package var hasChanges: Bool { !changes.isEmpty }

  /// The body of this effect is over; what was chained to it goes on.
  package mutating func ended(effect number: Int) { follow(ledger.ended(number)) }

  /// Cancels this effect.
  package mutating func cancel(effect number: Int) { follow(ledger.cancel(effect: number)) }

  /// Cancels all effects that descend from this step of the user.
  package mutating func cancel(root: Int) { follow(ledger.cancel(root: root)) }

  package mutating func cancelAll() { follow(ledger.cancelAll()) }

  private mutating func reduce(
    _ step: StoreStep<Base.Action>, around hooks: any StoreHooks<Base.State, Base.Action>
  ) -> Effect<Base.Action> {
    var effect = Effect<Base.Action>.none
    let before = state
    hooks.aroundReduce(step, before: before) {
      effect = reducer.reduce(into: &state, action: step.action)
      return state
    }
    return effect
  }

  private mutating func follow(_ commands: [EffectLedger<Base.Action>.Command]) {
    for command in commands {
      switch command {
      case .send(let action, let origin):
        outputs.append(
          Output(action: action, cause: .output(of: origin.step), root: origin.root))
      case .start(let effect, let run): changes.append(.started(effect, run))
      case .cancel(let effect): changes.append(.cancelled(effect))
      }
    }
  }
}
