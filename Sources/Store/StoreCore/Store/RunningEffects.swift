import Platform
import SessionWords

extension RootEngine {
  /// Applies the machine's started and cancelled effects. Bodies begin after the turn, so an effect
  /// cancelled in its first turn never runs.
  func applyChanges(fromOutside isFromOutside: Bool = false) {
    for change in machine.takeChanges() {
      switch change {
      case .started(let effect, let run):
        let token = EffectToken(
          effect: effect, group: group(for: effect), watch: isTest ? EffectWatch() : nil)
        token.group?.enter()
        tokens[effect.number] = token
        aftermath.starting.append((token, run))
        hasAftermath = true
        hooks?.effectChanged(effect, .started)
      case .cancelled(let effect):
        guard let token = tokens.removeValue(forKey: effect.number) else { continue }
        let wasWaiting = token.standing == .waiting
        token.standing = .cancelled
        if let task = token.task {
          aftermath.cancelled.append(task)
          hasAftermath = true
        }
        if wasWaiting, let group = token.group { leave(group, root: effect.rootStep) }
        hooks?.effectChanged(effect, isFromOutside ? .stopped : .cancelled)
      }
    }
    for case .id(let id, let path) in machine.takeCancelledIDs() {
      aftermath.blocks += blocks.removeBlocks(id, in: path)
    }
    if !aftermath.blocks.isEmpty { hasAftermath = true }
  }

  /// Ends the turn with an aftermath. The thread that ends a turn starts its effects before its
  /// call returns.
  func finishTurn() {
    let work = aftermath
    let waiters = work.leaving.flatMap { group, root -> [EffectGroup.Waiter] in
      guard let waiters = group.leave() else { return [] }
      groups[root] = nil
      return waiters
    }
    let starting = work.starting.filter { $0.token.standing == .waiting }
    for (token, _) in starting { token.standing = .running }
    aftermath = AfterStep()
    hasAftermath = false
    turn.end()
    func goOn() {
      for task in work.cancelled { task.cancel() }
      for cancel in work.blocks { cancel() }
      if !starting.isEmpty { dependencyScope.run { start(starting) } }
      for waiter in waiters { waiter.resume() }
    }
    if let serial = executor as? SerialEffectExecutor { serial.holding(goOn) } else { goOn() }
  }

  private func start(_ starting: [(token: EffectToken, run: EffectRun<Action>)]) {
    let tasks = starting.map { token, run in
      if let serial = executor as? SerialEffectExecutor,
        let clock = run.dependencies.continuousClock as? TestClock
      {
        clock.observe(serial)
      }
      return Task(executorPreference: executor, priority: run.priority) {
        await self.perform(run, for: token)
      }
    }
    turn.begin()
    var cancelled: [Task<Void, Never>] = []
    for ((token, _), task) in zip(starting, tasks) {
      token.task = task
      // Another thread may have cancelled it since.
      if token.standing == .cancelled { cancelled.append(task) }
    }
    turn.end()
    for task in cancelled { task.cancel() }
  }

  private func group(for effect: StoreEffect) -> EffectGroup? {
    if case .window = effect.kind { return nil }
    if let known = groups[effect.rootStep] { return known }
    let group = makeGroup()
    group.begin(at: effect.rootStep)
    groups[effect.rootStep] = group
    return group
  }

  func makeGroup() -> EffectGroup {
    var watch: (@Sendable (Int) async -> Void)?
    if isTest { watch = { [weak self] root in await self?.reportIdle(root: root) } }
    return EffectGroup(
      cancel: { [weak self] root in
        self?.inTurn { [weak self] in
          self?.machine.cancel(root: root)
          self?.applyChanges(fromOutside: true)
        }
      }, watch: watch)
  }

  private func reportIdle(root: Int) async {
    guard let serial = executor as? SerialEffectExecutor else { return }
    await serial.settle()
    try? await Task.sleep(for: .seconds(1))
    guard !Task.isCancelled, serial.isSettled, let text = idleText(root: root) else { return }
    dependencyScope.run { reportIssue(text) }
  }

  private func idleText(root: Int) -> String? {
    turn.begin()
    defer { turn.end() }
    let waiting = tokens.values.filter { $0.effect.rootStep == root }
      .sorted { $0.effect.number < $1.effect.number }
    let texts = waiting.compactMap { token in
      token.watch?.text.map { "Nothing has moved for a second. \(token.effect.title): \($0)" }
    }
    return texts.count == waiting.count ? texts.first : nil
  }

  func waitText(effect number: Int) -> String? {
    turn.begin()
    defer { turn.end() }
    return tokens[number]?.watch?.text
  }

  private func perform(_ run: EffectRun<Action>, for token: EffectToken) async {
    let outcome = Locked(StoreEffectChange.finished)
    let send = Send<Action> { action in self.emit(action, from: token) }
    await EffectControl.$current.withValue(control(of: token)) {
      await run.dependencies.run {
        // Not the watch of the effect whose action started this one.
        await EffectWatch.$current.withValue(token.watch) {
          await Dismissal.$current.withValue(nil) { await perform(run, for: token, send, outcome) }
        }
      }
    }
    end(token, outcome.withLock { $0 })
  }

  private func control(of token: EffectToken) -> EffectControl {
    let path = token.effect.scope.path
    let name = { @Sendable [hooks, effect = token.effect] (id: AnyID) in
      hooks?.namesCancelID(effect, "\(id)") ?? ()
    }
    return EffectControl(path: path, blocks: blocks, executor: executor, name: name) {
      [weak self] id in
      self?.inTurn { [weak self] in
        self?.machine.cancel(id: id, in: path)
        self?.applyChanges(fromOutside: true)
      }
    }
  }

  private func perform(
    _ run: EffectRun<Action>, for token: EffectToken, _ send: Send<Action>,
    _ outcome: Locked<StoreEffectChange>
  ) async {
    guard let hooks else { return await self.runBody(run, send, outcome) }
    await hooks.aroundEffect(token.effect) { await self.runBody(run, send, outcome) }
  }

  private func runBody(
    _ run: EffectRun<Action>, _ send: Send<Action>, _ outcome: Locked<StoreEffectChange>
  ) async {
    do {
      try await run.body(send)
    } catch is CancellationError {
      // It ended by itself, so its chain continues.
    } catch {
      if let handler = run.handler { return await handler(error, send) }
      outcome.withLock { $0 = .failed(error) }
      guard !Task.isCancelled else { return }
      reportIssue(
        "An effect failed and has no catch handler: \(error)", at: run.site.place)
    }
  }

  private func emit(_ action: Action, from token: EffectToken) {
    if turn.isMine {
      // An observer or a reducer resumed the effect, on an executor that runs it at once.
      guard !isReleased, token.standing != .cancelled else { return }
      token.unsentCount += 1
      return wait(action, .emission(token))
    }
    turn.begin()
    defer { endTurn() }
    guard !isReleased, token.standing != .cancelled else { return }
    dependencyScope.run {
      if token.standing == .ended {
        reportIssue(
          "An effect sent an action after it had ended.", at: token.effect.place)
      }
      reduce(action, emittedBy: token)
      completeTurn()
    }
  }

  /// Sends an effect's action from inside the turn, and ends the effect if only that was left.
  func send(_ action: Action, waitingFrom token: EffectToken) {
    token.unsentCount -= 1
    if token.standing != .cancelled { reduce(action, emittedBy: token) }
    if token.unsentCount == 0, let outcome = token.outcome { finish(token, outcome) }
  }

  private func reduce(_ action: Action, emittedBy token: EffectToken) {
    hooks?.effectChanged(token.effect, .emitted(step: machine.stepCount + 1))
    reduce(action, cause: .effect(EffectID(token.effect.number)), root: token.effect.rootStep)
  }

  /// After the turn, because waiting actions may start more of the group.
  func leave(_ group: EffectGroup, root: Int) {
    aftermath.leaving.append((group, root))
    hasAftermath = true
  }

  private func end(_ token: EffectToken, _ outcome: StoreEffectChange) {
    inTurn { [self] in
      if token.unsentCount > 0 {
        token.outcome = outcome
      } else {
        finish(token, outcome)
      }
    }
  }

  private func finish(_ token: EffectToken, _ outcome: StoreEffectChange) {
    if let group = token.group { leave(group, root: token.effect.rootStep) }
    guard token.standing == .running else { return }
    token.standing = .ended
    tokens[token.effect.number] = nil
    hooks?.effectChanged(token.effect, outcome)
    machine.ended(effect: token.effect.number)
    applyChanges()
  }
}

/// An effect of a store, from its start until nothing can send from it any more.
///
/// `@unchecked Sendable`: all mutable state is used only inside the store's turn.
final class EffectToken: @unchecked Sendable {
  enum Standing {
    case waiting
    case running
    case ended
    case cancelled
  }

  let effect: StoreEffect
  let group: EffectGroup?
  var standing = Standing.waiting
  var task: Task<Void, Never>?
  let watch: EffectWatch?
  /// The number of its actions that wait in their turn.
  var unsentCount = 0
  var outcome: StoreEffectChange?

  init(effect: StoreEffect, group: EffectGroup?, watch: EffectWatch?) {
    self.effect = effect
    self.group = group
    self.watch = watch
  }
}

/// The sleep of a running effect, if only a test can end it.
package final class EffectWatch: Sendable {
  @TaskLocal static var current: EffectWatch?

  private struct Sleep {
    var clock: TestClock
    var deadline: TestClock.Instant
  }

  private let sleeps = Locked<[Int: Sleep]>([:])

  func begin(_ number: Int, on clock: TestClock, until deadline: TestClock.Instant) {
    sleeps.withLock { $0[number] = Sleep(clock: clock, deadline: deadline) }
  }

  func end(_ number: Int) { sleeps.withLock { $0[number] = nil } }

  package var text: String? {
    let next = sleeps.withLock { $0.values.min { $0.deadline < $1.deadline } }
    return next.map { sleep in
      """
      It sleeps on a test clock until \(sleep.deadline.offset); the clock stands at \
      \(sleep.clock.now.offset). Advance it, or let the store use an ImmediateClock.
      """
    }
  }
}
