import Platform
import SessionWords
import Synchronization

enum Ticket {
  case send(EffectGroup)
  case emission(EffectToken)
}

/// Runs a ``StoreMachine``: admits one thread at a time, starts tasks for its effects, calls hooks
/// and observers.
///
/// `@unchecked Sendable`: all mutable state is used only inside the turn.
final class RootEngine<State: Sendable, Action: Sendable>: StoreEngine, @unchecked Sendable {
  let turn = Turn()
  let dependencyScope: DependencyScope
  let hooks: (any StoreHooks<State, Action>)?
  let hasHooks: Bool
  let executor: (any TaskExecutor)?
  let isTest: Bool
  let blocks = CancellableBlocks()
  var isReducing = false
  var isReleased = false

  /// Actions sent inside the turn, not yet in the machine's queue.
  var reentrant: [(action: Action, ticket: Int)] = []
  var tickets: [Int: Ticket] = [:]
  var ticketCount = 0
  /// Requests of the running reducer, executed after it returns.
  var postponed: [() -> Void] = []
  var insideCount = 0
  var groups: [Int: EffectGroup] = [:]
  var tokens: [Int: EffectToken] = [:]
  var aftermath = AfterStep<Action>()
  var hasAftermath = false

  var observers: [Int: @Sendable (State) -> Void] = [:]
  var observerCount = 0
  let nextObserver = Atomic<Int>(0)

  /// Unchecked, because the turn admits one thread, and `isReducing` guards against that thread.
  @exclusivity(unchecked) var machine: StoreMachine<State, Action>

  init(
    initialState: State, reducer: some Reducer<State, Action>,
    hooks: (any StoreHooks<State, Action>)?, dependencies: DependencyValues
  ) {
    machine = StoreMachine(initialState: initialState, reducer: reducer)
    machine.collectCancelledIDs()
    self.hooks = hooks
    hasHooks = hooks != nil
    dependencyScope = DependencyScope(dependencies)
    executor = dependencies.effectExecutor
    isTest = dependencies.context == .test
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
    defer { endTurn() }
    let root = machine.stepCount + 1
    dependencyScope.run {
      reduce(action, cause: .user, root: nil)
      completeTurn()
    }
    return StoreTask(group: groups.isEmpty ? nil : groups[root])
  }

  func observe(_ observer: @escaping @Sendable (State) -> Void) -> Subscription {
    let number = nextObserver.add(1, ordering: .relaxed).newValue
    inTurn { [self] in
      observers[number] = observer
      observerCount += 1
      observer(machine.state)
    }
    return Subscription { [weak self] in
      self?.inTurn { [weak self] in
        if self?.observers.removeValue(forKey: number) != nil { self?.observerCount -= 1 }
      }
    }
  }

  func release() {
    inTurn { [self] in
      isReleased = true
      observers = [:]
      observerCount = 0
      machine.cancelAll()
      applyChanges(fromOutside: true)
    }
  }

  /// Does work inside the turn, and its consequences. From inside the reducer, it waits until the
  /// reducer returns.
  func inTurn(_ work: @escaping () -> Void) {
    if turn.isMine {
      guard isReducing else { return work() }
      postponed.append(work)
      insideCount += 1
      return
    }
    turn.begin()
    defer { endTurn() }
    work()
    if machine.outputCount > 0 || insideCount > 0 { dependencyScope.run { completeTurn() } }
  }

  /// Admits others, then does the work that belongs outside the turn.
  @inline(__always)
  func endTurn() {
    if hasAftermath { finishTurn() } else { turn.end() }
  }
}

extension RootEngine {
  func reduce(_ action: Action, cause: Cause, root: Int?) {
    let waiting = machine.outputCount
    isReducing = true
    if hasHooks, let hooks {
      machine.reduce(action, cause: cause, root: root, hooks: hooks)
    } else {
      machine.reduce(action, cause: cause, root: root)
    }
    isReducing = false
    if insideCount > 0 { queueReentrant(at: waiting) }
    if machine.hasChanges { applyChanges() }
  }

  func completeTurn() {
    repeat {
      // Observers of a cancellation may have sent or cancelled more.
      while insideCount > 0 { queueReentrant(at: machine.outputCount) }
      if machine.outputCount > 0 { reduceOutputs() }
      if machine.hasChangedFiles { writeFiles() }
      if observerCount > 0 && insideCount == 0 { publish() }
    } while machine.outputCount > 0 || insideCount > 0
  }

  private func reduceOutputs() {
    var cancelled: [Int] = []
    while let output = machine.takeOutput() {
      switch output.ticket.flatMap({ tickets.removeValue(forKey: $0) }) {
      case nil: reduce(output.action, cause: output.cause, root: output.root)
      case .send(let group):
        let root = machine.stepCount + 1
        if group.begin(at: root) { cancelled.append(root) }
        groups[root] = group
        reduce(output.action, cause: .user, root: nil)
        leave(group, root: root)
      case .emission(let token):
        send(output.action, waitingFrom: token)
      }
    }
    for root in cancelled { machine.cancel(root: root) }
    if machine.hasChanges { applyChanges(fromOutside: true) }
  }

  private func writeFiles() {
    var latest: [String: any Sendable] = [:]
    for file in machine.takeChangedFiles() { latest[file.path] = file.value }
    let storage = DependencyValues.current.sharedStorage
    for (path, value) in latest.sorted(by: { $0.key < $1.key }) {
      guard let value = value as? any Encodable else { continue }
      do {
        storage.save(path, try SharedStorage.text(of: value))
      } catch {
        reportIssue("A shared value could not be encoded for \(path): \(error)")
      }
    }
  }

  private func publish() {
    for number in observers.keys.sorted() { observers[number]?(machine.state) }
    if insideCount > 0 { queueReentrant(at: machine.outputCount) }
  }

  private func queueReentrant(at place: Int) {
    for (offset, sent) in reentrant.enumerated() {
      machine.insert(sent.action, ticket: sent.ticket, at: place + offset)
    }
    let works = postponed
    reentrant = []
    postponed = []
    insideCount = 0
    for work in works { work() }
  }

  private func sendInside(_ action: Action, at place: SourcePlace) -> StoreTask {
    reportIssue(
      """
      An action was sent from inside a reducer or an observer of the same store. \
      It runs after the current action; return an effect instead.
      """, at: place)
    let group = makeGroup()
    group.enter()
    wait(action, .send(group))
    return StoreTask(group: group)
  }

  func wait(_ action: Action, _ ticket: Ticket) {
    ticketCount += 1
    tickets[ticketCount] = ticket
    reentrant.append((action, ticketCount))
    insideCount += 1
  }
}

final class Turn: Sendable {
  private let lock = Lock()
  private let owner = Atomic<UInt>(0)

  var isMine: Bool { owner.load(ordering: .relaxed) == ThreadID.current }

  func begin() {
    lock.lock()
    owner.store(ThreadID.current, ordering: .relaxed)
  }

  func end() {
    owner.store(0, ordering: .relaxed)
    lock.unlock()
  }
}

/// The consequences of a turn, executed after it, because they may call the app's code on this
/// thread. An executor can run a job while enqueuing it, and cancelling a task runs its handlers.
struct AfterStep<Action: Sendable> {
  var cancelled: [Task<Void, Never>] = []
  var blocks: [@Sendable () -> Void] = []
  var starting: [(token: EffectToken, run: EffectRun<Action>)] = []
  var leaving: [(group: EffectGroup, root: Int)] = []
}
