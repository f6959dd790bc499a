import SessionLog
import StoreCore
import ValueTree

extension SessionReplay {
  /// The body of an effect of a branch, to run it live (rules 1 and 13): only when the user asks for
  /// this one.
  ///
  /// A body holds the dependencies of the reducer that made it, so the step that started the effect
  /// is reduced once more, with what was recorded for it and live dependencies around.
  func liveBody(
    of effect: Int, in scripts: [Script], control: RunControl = RunControl()
  ) throws -> LiveBody<Action> {
    let source = try source(for: scripts, control)
    let origin = try origin(of: effect, in: source)
    guard origin.step > source.steps.lowerBound, source.steps.contains(origin.step) else {
      throw ReplayError.effectDoesNotRun(
        effect, reason: "it was started before the session begins, at step \(origin.step)")
    }
    let step = try source.step(origin.step)
    guard let before = try state(of: scripts, beforeStep: origin.step, source, control) else {
      throw ReplayError.stateDoesNotDecode(step: origin.step - 1, reason: "none is known")
    }
    let action = try decode(step)
    var machine = setup.machine(with: before, after: origin.step - 1)
    let reads = ReplayReads()
    reads.begin(
      step.reads, seconds: source.startDate + (step.time ?? .zero).inSeconds)
    control.stepBegins(origin.step)
    TapeContext.with(reads) {
      liveScene.run { machine.reduce(action, cause: .user, root: nil) }
    }
    control.stepBegins(0)
    guard let run = machine.run(ofEffectAt: EffectPlace(origin, step: 0), origin.ordinal) else {
      throw ReplayError.effectDoesNotRun(
        effect, reason: "with live dependencies step \(origin.step) does not start it")
    }
    return LiveBody(effect: effect, run: run)
  }

  private func origin(
    of effect: Int, in source: any ReplaySource
  ) throws -> SessionLog.EffectOrigin {
    for event in try source.effectEvents(in: source.steps) where event.effect == effect {
      if let origin = event.origin { return origin }
    }
    if let known = source.inFlightAtStart.first(where: { $0.effect == effect }) {
      return known.origin
    }
    throw ReplayError.effectDoesNotRun(effect, reason: "the branch does not start it")
  }

  private func state(
    of scripts: [Script], beforeStep step: Int, _ source: any ReplaySource, _ control: RunControl
  ) throws -> State? {
    let value =
      scripts.isEmpty
      ? try state(of: [], after: step - 1, control: control) : try source.state(after: step - 1)
    guard let value else { return nil }
    do {
      return try ValueDecoder().decode(State.self, from: value)
    } catch {
      throw ReplayError.stateDoesNotDecode(step: step - 1, reason: "\(error)")
    }
  }

  private func decode(_ step: Step) throws -> Action {
    do {
      return try ValueDecoder().decode(Action.self, from: step.action)
    } catch {
      throw ReplayError.actionDoesNotDecode(step: step.number, reason: "\(error)")
    }
  }

  /// As in the app: nothing stands in for anything. What is on tape is evidence.
  private var liveScene: DependencyScene { setup.scene(tape: main.tape, context: .live) }
}

extension StoreMachine {
  /// The work of an effect that the newest step starts, at once or after others that it is chained to.
  fileprivate mutating func run(
    ofEffectAt place: EffectPlace, _ ordinal: Int
  ) -> EffectRun<Action>? {
    while true {
      var started: [StoreEffect] = []
      for case .started(let effect, let run) in takeChanges() {
        let origin = effect.sessionOrigin
        if origin.ordinal == ordinal, EffectPlace(origin, step: 0).isSite(of: place) { return run }
        started.append(effect)
      }
      guard !started.isEmpty else { return nil }
      for effect in started { ended(effect: effect.number) }
    }
  }
}

extension EffectPlace {
  /// Cancel ids of children can hold numbers of their own; the ordinal tells such effects apart.
  fileprivate func isSite(of other: EffectPlace) -> Bool {
    file == other.file && name == other.name
  }
}
