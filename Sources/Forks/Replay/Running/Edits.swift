import SessionWords
import StoreCore
import ValueTree

extension Rerun {
  mutating func apply(_ edit: Edit) throws {
    switch edit {
    case .insert(_, let value):
      let planned = Planned(
        action: try setup.decode(value, at: step + 1), value: value, isEdited: true)
      try runTurn(planned, expected: [])
    case .move(let step, _):
      try replayMoved(step)
      try endLate(behind: step)
    case .set(_, let pointer, let value): try set(SetPart(pointer, value: value))
    case .answer(let answer): try apply(answer)
    case .skip, .replace, .read, .reply: break
    }
  }

  /// A step of its own, on which everything after it rests.
  mutating func set(_ part: SetPart, from slot: SourceSlot? = nil) throws {
    let source = slot?.step.number
    let before = try observer.tracker?.branch ?? machine.state(nil)
    let after: Value
    do {
      let change = PatchOperation.replace(part.pointer, part.value)
      after = try Patch([change]).applied(to: before)
      try machine.set(to: after)
    } catch {
      throw ReplayError.badPointer(part.pointer, step: step + 1, reason: "\(error)")
    }
    classifier.assume(.setByHand(part.pointer, at: step))
    let told = Step(step, setting: part)
    begin(told, from: source, patch: patch(from: before, to: after))
    if machine.hasChanges {
      _ = try applyChanges(matching: slot?.begun ?? [], isTrusted: false, source: nil)
    }
    // No reducer ran, so no id cancels anything.
    classifier.markAsRecorded(source)
    observer.tracker?.advance(to: after)
  }

  mutating func begin(
    _ told: Step, from source: Int?, _ outcome: Standing.Outcome = .new,
    action: Standing.Values = .recorded, patch: Value? = nil, remarks: [String] = []
  ) {
    replayCursor.descents.add(step, from: source)
    var told = told
    (told.number, told.time) = (step, clock)
    log.begin(
      BranchStep(
        step: told, descendsFrom: source, standing: classifier.standing(outcome, action: action),
        patch: patch, remarks: remarks))
  }

  /// An effect's answer by the user or a live run.
  mutating func apply(_ answer: EffectAnswer) throws {
    guard let entry = matcher.answered(by: answer) else {
      log.remarks.append(
        "the answer for \(answer.effect.words) after step \(answer.after) was not used: "
          + "it does not run there")
      return
    }
    if let moment = answer.live.map({ (entry.startedAt ?? .zero) + max(.zero, $0.delay) }) {
      clock = clock.map { max($0, moment) }
    }
    switch answer.outcome {
    case .emit(let value):
      var planned = try emission(of: entry, value)
      planned.isEdited = true
      planned.asked = (answer.live?.reads ?? []).map {
        OutsideRead($0, effect: entry.number, step: step, time: clock)
      }
      let how = answer.live == nil ? "given by hand" : "seen in a live run"
      planned.remarks = ["the answer of \(entry.number.words) was \(how)"]
      try runTurn(planned, expected: [])
      if answer.live != nil, replayCursor.script.isLast(answer),
        let entry = matcher.entry(entry.number)
      {
        classifier.assume(.open(entry, after: step, .stoppedLive))
        classifier.endTurn(before: step + 1)
      }
    case .finish: try end(entry, .finished)
    case .fail(let message): try end(entry, .failed(message))
    case .cancel: try stop([entry], from: .alone)
    }
  }

  /// `recordings/undecodable`: an action that does not decode, or is lost. While the branch equals
  /// the recording, it takes the recorded state, here or at the next known one; otherwise it ends.
  mutating func adopt(_ slot: SourceSlot, because reason: String, expected: [Int]) throws {
    let number = slot.step.number
    guard try isOnTheWay || isRecording(before: number) else {
      throw ReplayError.actionDoesNotDecode(step: step + 1, reason: reason)
    }
    guard let recorded = try replayCursor.source.state(after: number),
      (try? machine.pass(to: recorded)) != nil
    else { return try passGap(from: number, because: reason) }
    observer.findings?.undecodable(slot.step, reason)
    let told = Step(
      number: step, label: slot.step.label, action: slot.step.action, cause: slot.step.cause,
      reads: slot.step.reads)
    begin(
      told, from: number, .undecodable,
      patch: observer.tracker.map { patch(from: $0.branch, to: recorded) },
      remarks: ["the action does not decode, the recorded state was taken over: \(reason)"])
    observer.adoptState(recorded, of: number, at: step)
    for event in slot.begun { adopt(event) }
    for output in expected where landed == nil {
      try adopt(try replayCursor.slot(output), because: reason, expected: [])
    }
  }

  /// Skips a step that cannot run and left no state, up to the next known state at a turn's end. A
  /// real branch ends here.
  private mutating func passGap(from first: Int, because reason: String) throws {
    guard isOnTheWay || replayCursor.script.isEmpty,
      let (last, recorded) = try landing(from: first + 1)
    else {
      observer.findings?.passed(first...replayCursor.steps.upperBound, because: reason)
      throw ReplayError.actionDoesNotDecode(step: step + 1, reason: reason)
    }
    observer.findings?.passed(first...last, because: reason)
    for number in first...last {
      let slot = try replayCursor.slot(number)
      try machine.pass(to: number == last ? recorded : nil)
      begin(
        slot.step, from: number, .undecodable,
        patch: number == last ? [["op": "replace", "path": "", "value": recorded]] : nil,
        remarks: ["it cannot be run: \(number == first ? reason : "step \(first) is lost")"])
      log.open?.step.time = slot.step.time
      clock = latest(clock, slot.step.time)
      let ends = number == last ? [] : slot.ends.flatMap { [$0.event] + $0.begun }
      for event in slot.begun + ends { adopt(event) }
      if number < last { replayCursor.track(slot.begun + ends) }
    }
    observer.adoptState(recorded, of: last, at: step)
    landed = last
  }

  private mutating func landing(from first: Int) throws -> (Int, Value)? {
    var next = first
    while var step = try replayCursor.source.knownState(from: next) {
      while step < replayCursor.steps.upperBound, try replayCursor.cursor.isOutput(step + 1) {
        step += 1
      }
      if let recorded = try replayCursor.source.state(after: step),
        (try? setup.machine(with: recorded, after: step)) != nil
      {
        return (step, recorded)
      }
      next = step + 1
    }
    return nil
  }

  mutating func adopt(_ event: EffectEvent) {
    if var origin = event.origin {
      origin.step = step
      matcher.add(EffectMatcher.Entry(recorded: event.effect, origin, hasSpoken: false))
      record(event.effect, .started(origin))
    } else if let entry = matcher.entry(matching: event.effect) {
      if let number = entry.machine {
        machine.cancel(effect: number)
        _ = machine.takeEffects()
      }
      let isEnd = event.kind != .cancelled
      matcher.end(entry.number, isEnd ? .finished : .cancelled)
      record(entry.number, event.kind)
    }
  }
}

extension Rerun {
  /// A step that was skipped when recorded stays a step, with the state before it, like those that
  /// reducers sent after it.
  mutating func passOver(_ slot: SourceSlot, cause: Cause, expected: [Int] = []) throws {
    let number = slot.step.number
    log.close()
    log.stepBegins(step + 1)
    try machine.pass(to: nil)
    let own = step
    var told = slot.step
    told.cause = cause
    begin(told, from: number, remarks: ["it was skipped when it was recorded"])
    for event in slot.begun { adopt(event) }
    if let before = observer.tracker?.branch {
      let isEqual = try isState(after: number)
      log.open?.standing.outcome = Classifier.outcome(isStateEqual: isEqual)
      if isEqual == false { try differs(slot.step) }
      if log.deliver != nil {
        let change = patch(from: before, to: before)
        log.open?.patch = change
      }
    }
    for output in expected {
      let slot = try replayCursor.slot(output)
      if replayCursor.isPassedOver(slot.step) {
        try passOver(slot, cause: .output(of: own))
      } else {
        try omit(slot.step, .notSent)
      }
    }
  }
}
