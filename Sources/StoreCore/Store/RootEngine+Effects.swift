extension RootEngine {
  /// Takes over what the machine started and cancelled. Bodies begin when the turn is over, so an
  /// effect that is cancelled in the turn that started it never runs.
  func followChanges(fromOutside isFromOutside: Bool = false) {
    for change in machine.takeChanges() {
      switch change {
      case .started(let effect, let run):
        let token = EffectToken(effect: effect, group: group(for: effect))
        token.group?.enter()
        tokens[effect.number] = token
        unstarted.append((token, run))
        hasUnstarted = true
        hooks?.effectChanged(effect, .started)
      case .cancelled(let effect):
        guard let token = tokens.removeValue(forKey: effect.number) else { continue }
        let wasWaiting = token.standing == .waiting
        token.standing = .cancelled
        token.task?.cancel()
        if wasWaiting, let group = token.group { leave(group, root: effect.rootStep) }
        hooks?.effectChanged(effect, isFromOutside ? .stopped : .cancelled)
      }
    }
  }

  func startEffects() {
    let starting = unstarted
    unstarted = []
    hasUnstarted = false
    for (token, run) in starting where token.standing == .waiting {
      token.standing = .running
      if let serial = executor as? SerialEffectExecutor,
        let clock = run.dependencies.continuousClock as? TestClock
      {
        clock.observe(serial)
      }
      token.task = Task(executorPreference: executor, priority: run.priority) {
        await self.perform(run, for: token)
      }
    }
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
    EffectGroup { [weak self] root in
      self?.inTurn { [weak self] in
        self?.machine.cancel(root: root)
        self?.followChanges(fromOutside: true)
      }
    }
  }

  private func perform(_ run: EffectRun<Action>, for token: EffectToken) async {
    let outcome = LockedBox(EffectOutcome.finished)
    let send = Send<Action> { action in self.emit(action, from: token) }
    await run.dependencies.run {
      // The effect that sent the action which started this one may have been presented.
      if Dismissal.current != nil {
        return await Dismissal.$current.withValue(nil) {
          await perform(run, for: token, send, outcome)
        }
      }
      await perform(run, for: token, send, outcome)
    }
    end(token, outcome.withValue { $0 })
  }

  private func perform(
    _ run: EffectRun<Action>, for token: EffectToken, _ send: Send<Action>,
    _ outcome: LockedBox<EffectOutcome>
  ) async {
    guard let hooks else { return await self.runBody(run, send, outcome) }
    await hooks.aroundEffect(token.effect) { await self.runBody(run, send, outcome) }
  }

  private func runBody(
    _ run: EffectRun<Action>, _ send: Send<Action>, _ outcome: LockedBox<EffectOutcome>
  ) async {
    do {
      try await run.body(send)
    } catch is CancellationError {
      outcome.withValue { $0 = .cancelled }
    } catch {
      if let handler = run.handler { return await handler(error, send) }
      outcome.withValue { $0 = .failed(error) }
      guard !Task.isCancelled else { return }
      reportIssue(
        "An effect failed and has no catch handler: \(error)", at: run.site.place)
    }
  }

  private func emit(_ action: Action, from token: EffectToken) {
    turn.begin()
    defer { turn.end() }
    guard !isReleased, token.standing != .cancelled else { return }
    scene.run {
      if token.standing == .ended {
        reportIssue(
          "An effect sent an action after it had ended.", at: token.effect.place)
      }
      hooks?.effectChanged(token.effect, .emitted(step: machine.stepCount + 1))
      reduce(action, cause: .effect(token.effect.number), root: token.effect.rootStep)
      completeTurn()
    }
  }

  private func end(_ token: EffectToken, _ outcome: EffectOutcome) {
    inTurn { [self] in
      if token.standing == .running {
        token.standing = .ended
        tokens[token.effect.number] = nil
        hooks?.effectChanged(token.effect, outcome.change)
        machine.ended(effect: token.effect.number)
        followChanges()
      }
    }
    if let group = token.group {
      inTurn { [self] in leave(group, root: token.effect.rootStep) }
    }
  }
}
