/// Runs a ``StoreMachine``: lets one thread at a time in, starts tasks for its effects, tells hooks
/// and observers.
///
/// `@unchecked Sendable`: everything that changes is only touched inside the turn.
final class RootEngine<Base: Reducer>: StoreEngine, @unchecked Sendable {
  typealias State = Base.State
  typealias Action = Base.Action
  typealias Hooks = any StoreHooks<State, Action>

  let turn = Turn()
  let dependencies: DependencyValues
  let hooks: Hooks?
  let executor: (any TaskExecutor)?
  var machine: StoreMachine<Base>
  var isReducing = false
  var isReleased = false
  /// Sent from inside the turn; they have no place in the machine's queue yet.
  var reentrant: [(action: Action, ticket: Int)] = []
  var tickets: [Int: EffectGroup] = [:]
  var ticketCount = 0
  var groups: [Int: EffectGroup] = [:]
  var tokens: [Int: EffectToken] = [:]
  var unstarted: [(token: EffectToken, run: EffectRun<Action>)] = []
  var observers: [Int: @Sendable (State) -> Void] = [:]
  var observerCount = 0

  init(
    initialState: State, reducer: Base, hooks: Hooks?, dependencies: DependencyValues
  ) {
    machine = StoreMachine(initialState: initialState, reducer: reducer)
    self.hooks = hooks
    self.dependencies = dependencies
    executor = dependencies.effectExecutor
    if let serial = executor as? SerialEffectExecutor,
      let clock = dependencies.continuousClock as? TestClock
    {
      clock.observe(serial)
    }
    hooks?.started(with: initialState)
  }

  var state: State {
    if turn.isMine {
      precondition(
        !isReducing,
        "A store was asked for its state by its own reducer. Use the state the reducer was given.")
      return machine.state
    }
    turn.begin()
    defer { turn.end() }
    return machine.state
  }

  func send(_ action: Action, at place: SourcePlace) -> StoreTask {
    if turn.isMine { return sendInside(action, at: place) }
    turn.begin()
    defer { turn.end() }
    let root = machine.stepCount + 1
    dependencies.run {
      reduce(action, cause: .user, root: nil)
      completeTurn()
    }
    return StoreTask(group: groups.isEmpty ? nil : groups[root])
  }

  func observe(_ observer: @escaping @Sendable (State) -> Void) -> Subscription {
    let number = inTurn {
      observerCount += 1
      observers[observerCount] = observer
      observer(machine.state)
      return observerCount
    }
    return Subscription { [weak self] in
      self?.inTurn { self?.observers[number] = nil }
    }
  }

  func release() {
    inTurn {
      isReleased = true
      observers = [:]
      machine.cancelAll()
      followChanges()
    }
  }

  func inTurn<Result>(_ work: () -> Result) -> Result {
    if turn.isMine { return work() }
    turn.begin()
    defer { turn.end() }
    return work()
  }
}

extension RootEngine {
  func reduce(_ action: Action, cause: StoreCause, root: Int?) {
    let waiting = machine.outputCount
    isReducing = true
    machine.reduce(action, cause: cause, root: root, hooks: hooks)
    isReducing = false
    if !reentrant.isEmpty {
      for (offset, sent) in reentrant.enumerated() {
        machine.insert(sent.action, ticket: sent.ticket, at: waiting + offset)
      }
      reentrant = []
    }
    if machine.hasChanges { followChanges() }
  }

  /// Reduces all that waits, tells the observers, and starts the effects that are left.
  func completeTurn() {
    repeat {
      reduceOutputs()
      publish()
    } while machine.outputCount > 0
    startEffects()
  }

  private func reduceOutputs() {
    while let output = machine.takeOutput() {
      if let ticket = output.ticket, let group = tickets.removeValue(forKey: ticket) {
        groups[machine.stepCount + 1] = group
        reduce(output.action, cause: output.cause, root: output.root)
        leave(group, root: machine.stepCount)
      } else {
        reduce(output.action, cause: output.cause, root: output.root)
      }
    }
  }

  private func publish() {
    guard !observers.isEmpty else { return }
    for number in observers.keys.sorted() { observers[number]?(machine.state) }
    for sent in reentrant {
      machine.insert(sent.action, ticket: sent.ticket, at: machine.outputCount)
    }
    reentrant = []
  }

  private func sendInside(_ action: Action, at place: SourcePlace) -> StoreTask {
    reportIssue(
      """
      An action was sent from inside a reducer or an observer of the same store. \
      It runs after the current action; return an effect instead.
      """, at: place)
    ticketCount += 1
    let group = EffectGroup {}
    group.enter()
    tickets[ticketCount] = group
    reentrant.append((action, ticketCount))
    return StoreTask(group: group)
  }

  func leave(_ group: EffectGroup, root: Int) {
    if group.leave() { groups[root] = nil }
  }
}
