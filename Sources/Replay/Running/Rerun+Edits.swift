import SessionLog
import StoreCore
import ValueTree

extension Rerun {
  mutating func apply(_ later: ScriptPlan.Later, after number: Int) throws {
    switch later {
    case .insert(let value):
      let planned = Planned(
        action: try decode(value, at: step + 1), value: value, cause: .user, storeCause: .user,
        isEdited: true, values: .edited)
      try runTurn(planned, expected: [])
    case .move(let from):
      try followMoved(from)
    case .set(let pointer, let value):
      try set(pointer, to: value)
    case .answer(let answer):
      try apply(answer)
    }
  }

  /// Rule 16: a step of its own, on which everything after it rests.
  mutating func set(_ pointer: String, to value: Value, source: Int? = nil) throws {
    let before = try tracker?.branch ?? ValueEncoder().encode(machine.state)
    let after: Value
    do {
      let change = PatchOperation.replace(try Pointer(pointer), value)
      after = try Patch([change]).applied(to: before)
      let state = try ValueDecoder().decode(State.self, from: after)
      machine.pass(state: state)
    } catch {
      throw ReplayError.badPointer(pointer, step: step + 1, reason: "\(error)")
    }
    descents.add(step, from: source)
    doubt = max(doubt, .edited)
    log.begin(
      BranchStep(
        step: Step(
          number: step, time: clock, label: Self.setLabel,
          action: ["pointer": .string(pointer), "value": value]),
        descendsFrom: source, standing: Standing(doubt, .new),
        patch: patch(from: before, to: after),
        remarks: ["\(pointer.isEmpty ? "the state" : pointer) was set by hand"]))
    tracker?.advance(to: after)
  }

  static var setLabel: String { "state set by hand" }

  /// Rule 13: what the user says that an effect does, or what it did when it ran live.
  mutating func apply(_ answer: EffectAnswer) throws {
    guard let entry = book.entry(answer.effect) else {
      uselessAnswers[answer.effect, default: 0] += 1
      log.remarks.append(
        "the answer for effect \(answer.effect) after step \(answer.after) was not used: "
          + "it does not run there")
      return
    }
    book.update(entry.number) { $0.isAnsweredByHand = true }
    if let moment = answer.live.map({ (entry.startedAt ?? .zero) + max(.zero, $0.delay) }) {
      clock = clock.map { max($0, moment) }
    }
    switch answer.outcome {
    case .emit(let value):
      var planned = Planned(
        action: try decode(value, at: step + 1), value: value, cause: .effect(entry.number),
        storeCause: .effect(entry.machine ?? entry.number),
        root: entry.machine.flatMap { machine.ledger.root(ofEffect: $0) }, isEdited: true,
        values: .edited)
      planned.remarks = ["the answer of effect \(entry.number) was given by hand"]
      if answer.live != nil {
        // Today's answer: nobody knows what it would have been then.
        planned.isAssumed = true
        planned.remarks = ["the answer of effect \(entry.number) was seen in a live run"]
      }
      try runTurn(planned, expected: [])
    case .finish: try end(entry, .finished)
    case .fail(let message): try end(entry, .failed(message))
    case .cancel: try stop([entry], withTheirTasks: false)
    }
  }

  /// Rule 15: an action that does not decode. As long as the branch is the recording, the recorded
  /// state is taken over; otherwise the branch ends.
  mutating func adopt(_ slot: SourceSlot, because reason: String, expected: [Int]) throws {
    let number = slot.step.number
    guard try isOnTheWay || isRecording(after: number - 1),
      let recorded = try cursor.source.state(after: number),
      let state = try? ValueDecoder().decode(State.self, from: recorded)
    else { throw ReplayError.actionDoesNotDecode(step: step + 1, reason: reason) }
    machine.pass(state: state)
    descents.add(step, from: number)
    takenOver = (step, number)
    findings?.undecodable(slot.step, reason)
    log.begin(
      BranchStep(
        step: Step(
          number: step, time: clock, label: slot.step.label, action: slot.step.action,
          cause: slot.step.cause, reads: slot.step.reads),
        descendsFrom: number, standing: Standing(doubt, .undecodable),
        patch: tracker.map { patch(from: $0.branch, to: recorded) },
        remarks: ["the action does not decode, the recorded state was taken over: \(reason)"]))
    tracker?.advance(to: recorded)
    for event in slot.begun { adopt(event) }
    for output in expected { try adopt(try cursor.slot(output), because: reason, expected: []) }
  }

  /// Whether the branch's state is what was recorded here, told or not.
  private mutating func isRecording(after number: Int) throws -> Bool {
    if tracker != nil {
      return try tracker?.isEqual(toStateAfter: number, of: &cursor) ?? false
    }
    if let takenOver, takenOver == (step, number) { return true }
    guard let recorded = try cursor.source.state(after: number) else { return false }
    return try ValueEncoder().encode(machine.state).isExactlyEqual(to: recorded)
  }

  /// An effect that the recording started where no reducer ran.
  mutating func adopt(_ event: EffectEvent) {
    if var origin = event.origin {
      origin.step = step
      book.add(
        EffectBook.Entry(
          number: event.effect, machine: nil, origin: origin, matched: event.effect,
          isTrusted: true, isUnanswered: false))
      note(event.effect, .started(origin))
    } else if let entry = book.entry(matching: event.effect) {
      if let number = entry.machine {
        machine.cancel(effect: number)
        _ = machine.takeChanges()
      }
      book.end(entry.number, .cancelled)
      note(entry.number, .cancelled)
    }
  }
}
