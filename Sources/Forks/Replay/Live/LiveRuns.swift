import Platform
import SessionFile
import SessionWords
import StoreCore
import ValueTree

extension ReplaySetup {
  /// Runs one effect of a branch live: its body, once, with live dependencies and real side
  /// effects. Nothing else ever runs an effect's body.
  ///
  /// ```swift
  /// let live = try await setup.runLive(effect: 12, of: [script], in: session)
  /// script.edits += live.edits(after: 812)
  /// ```
  ///
  /// With these edits the branch repeats the result without the body. The result is *assumed*,
  /// because it is today's answer.
  public func runLive(
    effect: EffectID, of scripts: [Script], in session: SessionReader,
    limits: LiveLimits = LiveLimits()
  ) async throws -> LiveRun {
    let body = try SessionReplay(session, self).liveBody(of: effect, in: scripts)
    return try await body.run(limits, isCancelled: { Task.isCancelled })
  }
}

extension SessionReplay {
  /// The same for a caller with its own thread: blocks until the effect ends or is stopped.
  package func runLive(
    effect: EffectID, of scripts: [Script], limits: LiveLimits = LiveLimits(),
    control: RunControl = RunControl()
  ) throws -> LiveRun {
    let body = try liveBody(of: effect, in: scripts, control: control)
    let (result, over) = (Locked<Result<LiveRun, any Error>?>(nil), Latch())
    Task {
      do {
        let run = try await body.run(limits, isCancelled: control.isCancelled)
        result.withLock { $0 = .success(run) }
      } catch {
        result.withLock { $0 = .failure(error) }
      }
      over.open()
    }
    over.wait()
    guard let run = result.withLock({ $0 }) else { throw ReplayError.cancelled }
    return try run.get()
  }
}

extension SessionReplay {
  /// Makes the real request that an effect waits for on the tape, once, and nothing else. The
  /// answer is the run's only read; its duration is the run's.
  package func askLive(
    _ question: Question, of effect: EffectID, in scripts: [Script],
    limits: LiveLimits = LiveLimits(),
    control: RunControl = RunControl()
  ) throws -> LiveRun {
    guard setup.runsEffectsOnTape else {
      throw ReplayError.effectDoesNotRun(
        effect, reason: "this host does not run effects on the tape, so none waits for an answer")
    }
    let source = try source(for: scripts, control)
    let body = try liveBody(of: effect, in: scripts, onStage: true, control: control)
    var answers = try recordedRuns.outcomes.answers.get()
    for reply in source.replies { answers.say(reply) }
    let start = try source.step(origin(of: effect, in: source).step).time ?? .zero
    let asking = BodyOnTape(
      body.body, answers, from: start, now: start, to: .seconds(Int64.max), asking: question)
    let asked: (outcome: Read.Outcome, took: Duration)?
    do {
      asked = try asking.ask(atMost: limits.time, isCancelled: control.isCancelled)
    } catch {
      throw ReplayError.effectDoesNotRun(effect, reason: "\(question.text): it \(error.words)")
    }
    if control.isCancelled() { throw ReplayError.cancelled }
    guard let asked else {
      return LiveRun(effect: effect, emissions: [], end: .stopped(.time), duration: limits.time)
    }
    return LiveRun(
      effect: effect, emissions: [], end: .finished, duration: asked.took,
      reads: [Read(key: question.key, arguments: question.arguments, outcome: asked.outcome)])
  }

  /// The body of a branch's effect for a live run (`runs/reducers-only` and `effects/unanswered`):
  /// only on the user's request.
  ///
  /// A body holds the dependencies of its reducer. So the starting step is reduced again with its
  /// recorded reads and with live dependencies in the body, as in the app. On a stage its clock is
  /// the branch's.
  func liveBody(
    of effect: EffectID, in scripts: [Script], onStage: Bool = false,
    control: RunControl = RunControl()
  ) throws -> LiveBody {
    let source = try source(for: scripts, control)
    let origin = try origin(of: effect, in: source)
    guard origin.step > source.steps.lowerBound, source.steps.contains(origin.step) else {
      throw ReplayError.effectDoesNotRun(
        effect, reason: "it was started before the session begins, at step \(origin.step)")
    }
    let step = try source.step(origin.step)
    guard var machine = try machine(of: scripts, beforeStep: origin.step, source, control) else {
      throw ReplayError.stateDoesNotDecode(step: origin.step - 1, reason: "none is known")
    }
    let action = try setup.decode(step.action, at: step.number)
    var place = ReducerSurroundings(
      reads: ReplayReads(),
      dependencyScope: setup.dependencyScope(tape: main.tape, context: .live, onStage: onStage))
    let conditions = ReadConditions(
      seconds: source.startDate + (step.time ?? .zero).inSeconds)
    control.stepBegins(origin.step)
    let input = MachineStep(action: action, keepsEffects: true)
    _ = try place.run(&machine, input, step.reads, in: conditions)
    control.stepBegins(0)
    guard let body = machine.newestEffects().first(where: { $0.effect.isOf(origin) })?.body else {
      throw ReplayError.effectDoesNotRun(
        effect, reason: "with live dependencies step \(origin.step) does not start it")
    }
    return LiveBody(effect: effect, body: body)
  }

  private func origin(
    of effect: EffectID, in source: any ReplaySource
  ) throws -> EffectOrigin {
    if let origin = try OutcomeIndex(source).origin(of: effect) { return origin }
    throw ReplayError.effectDoesNotRun(effect, reason: "the branch does not start it")
  }

  private func machine(
    of scripts: [Script], beforeStep step: Int, _ source: any ReplaySource, _ control: RunControl
  ) throws -> (any Machine)? {
    let value =
      scripts.isEmpty
      ? try state(of: [], after: step - 1, control: control) : try source.state(after: step - 1)
    guard let value else { return nil }
    do {
      return try setup.machine(with: value, after: step - 1)
    } catch {
      throw ReplayError.stateDoesNotDecode(step: step - 1, reason: "\(error)")
    }
  }
}
