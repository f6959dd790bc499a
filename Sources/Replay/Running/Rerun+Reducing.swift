import Recorder
import SessionWords
import StoreCore
import ValueTree

extension Rerun {
  /// Runs the reducer once, with the reads recorded for the step it descends from.
  mutating func reduce(_ planned: Planned) throws {
    let slot = try planned.source.map { try cursor.slot($0) }
    let recorded = slot?.step.reads ?? []
    log.close()
    log.stepBegins(step + 1)
    // A copy makes the reducer copy what it changes, so there is none unless it is needed.
    let isRunTwice = findings?.runsTwice(slot, tracker?.branch) == true
    var twin = isRunTwice ? machine : nil
    let isSameBefore = try isStateBeforeEqual(to: planned.source, slot)
    var place = surroundings(of: planned)
    if !isSameBefore { place.ids.doubt() }
    let isTimely = isTimely || isOnTheWay || findings != nil
    if !isTimely {
      place.time = clock ?? .zero
      place.recordedTime = slot?.step.time
    }
    if findings != nil { noteInput(planned, recorded) }
    let result = Self.run(&machine, planned, recorded, in: place)
    var after: Value?
    if tracker != nil { after = try encoder.encode(machine.state) }
    if let after { try compareWithSecondRun(of: &twin, planned, recorded, after: after) }
    assumed = result.assumed
    log.noteLive(result.reads.live, at: step)
    descents.add(step, from: planned.source)
    if !script.moved.isEmpty { noteDisplacement(of: planned) }

    var planned = planned
    judge(result.reads, &planned, isSameBefore: isSameBefore)
    inherit(result.reads, planned)
    if let slot { findings?.compare(result.reads, at: slot.step) }

    log.begin(
      BranchStep(
        step: Step(
          number: step, time: clock, label: "", action: .null, cause: planned.cause,
          reads: result.reads.used),
        descendsFrom: planned.source,
        standing: Standing(max(planned.values, judge.values), .new, judge.takeNew()),
        remarks: planned.remarks))
    let isTrusted =
      !planned.isEdited && planned.source != nil && isSameBefore && result.reads.isAsRecorded
      && isTimely
    if !isTrusted { judgeUnseen() }
    let sameEffects = try takeChanges(
      matching: slot?.begun ?? [], isTrusted: isTrusted, source: slot?.step)
    try tell(planned, after: after, sameEffects: sameEffects)
  }

  /// Rule 10: the same whether steps are told or not. Untold, only steps are looked at in which an
  /// effect started or was cancelled, or something was read of which nobody recorded what was asked:
  /// nothing else hangs on it.
  private mutating func isStateBeforeEqual(
    to source: Int?, _ slot: SourceSlot?
  ) throws -> Bool {
    guard let source else { return false }
    if tracker != nil {
      return try tracker?.isEqual(toStateAfter: source - 1, of: &cursor) ?? isUntouched(source)
    }
    if isOnTheWay { return true }
    guard let slot, !slot.begun.isEmpty || slot.step.reads.contains(where: \.isUnclear) else {
      return false
    }
    guard let recorded = try cursor.source.state(after: source - 1) else {
      return isUntouched(source)
    }
    return try encoder.encode(machine.state).isExactlyEqual(to: recorded)
  }

  /// Where no states are recorded, a state is known to be the source's only as long as nothing was
  /// edited.
  func isUntouched(_ source: Int) -> Bool {
    script.isEmpty || source <= script.leavesAt
  }

  struct Ran {
    var reads: StepReads
    var assumed: AssumedValues
  }

  /// What holds around a reducer. Apart from the machine, because a second hold on its state would
  /// make the reducer copy it.
  typealias Surroundings = ReducerSurroundings

  func surroundings(of planned: Planned) -> Surroundings {
    Surroundings(
      reads: reads, scene: scene, isInScene: isInScene,
      edits: script.reads.isEmpty ? [] : planned.source.flatMap { script.reads[$0] } ?? [],
      assumed: assumed,
      ids: StackIDs(
        areOnTape: hasStackIDs, isInserted: planned.source == nil, isEdited: planned.isEdited),
      seconds: cursor.source.startDate + (clock ?? .zero).inSeconds)
  }

  /// Of a step that is nothing but the recorded action of the user.
  var plainSurroundings: Surroundings {
    Surroundings(
      reads: reads, scene: scene, isInScene: isInScene, edits: [], assumed: assumed,
      ids: StackIDs(areOnTape: hasStackIDs, isInserted: false, isEdited: false), seconds: 0)
  }

  static func run(
    _ machine: inout StoreMachine<State, Action>, _ planned: Planned, _ recorded: [Read],
    in place: Surroundings
  ) -> Ran {
    run(&machine, planned.action, planned.storeCause, root: planned.root, recorded, in: place)
  }

  static func run(
    _ machine: inout StoreMachine<State, Action>, _ action: Action, _ cause: Cause,
    root: Int?, _ recorded: [Read], in place: Surroundings
  ) -> Ran {
    place.reads.begin(recorded, in: place)
    if place.isInScene {
      machine.reduce(action, cause: cause, root: root)
    } else {
      TapeContext.with(place.reads) {
        place.scene.run { machine.reduce(action, cause: cause, root: root) }
      }
    }
    let (stepReads, assumed) = place.reads.end()
    return Ran(reads: stepReads, assumed: assumed)
  }

  /// Completes the newest step: its state, how it compares, and what it is worth.
  private mutating func tell(
    _ planned: Planned, after: Value?, sameEffects: Bool
  ) throws {
    guard var tracker, let after else { return }
    let before = tracker.branch
    var label: String?
    let change = Patch(from: before, to: after).value
    tracker.advance(to: after)
    var outcome = Standing.Outcome.new
    if let source = planned.source {
      let step = try cursor.slot(source).step
      switch try tracker.isEqual(toStateAfter: source, of: &cursor, change: change) {
      case true?: outcome = .equal
      case false?:
        outcome = .different
        try differs(step, &tracker)
      case nil: outcome = .new
      }
      if !sameEffects { outcome = .different }
      let value = try planned.value ?? ValueEncoder().encode(planned.action)
      if !planned.isEdited, !value.isExactlyEqual(to: step.action) { outcome = .different }
      log.open?.step.action = value
      if outcome == .equal { label = step.label }
    } else {
      let value = try planned.value ?? ValueEncoder().encode(planned.action)
      log.open?.step.action = value
    }
    log.open?.step.label = label ?? actionLabel(planned.action)
    log.open?.standing.outcome = outcome
    if log.deliver != nil {
      let isFirst = step == script.leavesAt + 1
      let told = isFirst ? patch(from: before, to: after) : change
      log.open?.patch = told
    }
    self.tracker = tracker
  }

  /// A verification goes on from what was recorded, so that every finding is one of its own step.
  mutating func differs(_ step: Step, _ tracker: inout StateTracker) throws {
    guard findings != nil, let recorded = try tracker.state(after: step.number, of: &cursor) else {
      return
    }
    if try !isExplainedByOrder(step.number, step) {
      findings?.differentState(at: step, recorded: recorded, rerun: tracker.branch)
    }
    guard decodesStates, let state = try? ValueDecoder().decode(State.self, from: recorded) else {
      return
    }
    machine.state = state
    tracker.advance(to: recorded)
  }
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

/// What holds around a reducer while it runs.
struct ReducerSurroundings {
  var reads: ReplayReads
  var scene: DependencyScene
  var isInScene: Bool
  var edits: [EditedRead]
  var assumed: AssumedValues
  var ids: StackIDs
  var seconds: Double
  /// Where the source's step has another time: this one's and that one's.
  var time: Duration?
  var recordedTime: Duration?
}
