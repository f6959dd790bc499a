import SessionLog
import StoreCore

extension Rerun {
  /// Takes over what the machine started and cancelled, and finds out which recorded effects these
  /// are (rules 6, 7, 13). Says whether the same happened in the source.
  mutating func takeChanges(
    matching recorded: [EffectEvent], isTrusted: Bool, source: Step?, isFromOutside: Bool = false
  ) throws -> Bool {
    var started: [StoreEffect] = []
    var cancelled: [Int] = []
    for change in machine.takeChanges() {
      switch change {
      case .started(let effect, _): started.append(effect)
      case .cancelled(let effect):
        // An effect can be cancelled in the turn that started it: its book entry comes first.
        if let index = started.firstIndex(where: { $0.number == effect.number }) {
          enter(started[...index].map { $0 }, recorded, isTrusted)
          started.removeSubrange(...index)
        }
        guard let entry = book.entry(machine: effect.number) else { continue }
        noteSilence(of: entry)
        if !entry.scheduled.isEmpty {
          log.remarks.append(
            "effect \(entry.number) of step \(entry.origin.step) was cancelled at step \(step): "
              + "what it did later in its live run is not used")
        }
        if let matched = entry.matched { cancelled.append(matched) }
        book.end(entry.number, .cancelled)
        note(entry.number, .cancelled, fromOutside: isFromOutside)
      }
    }
    enter(started, recorded, isTrusted)
    if isTrusted { cancelled += cancelUnseen(recorded) }
    guard let source else { return true }
    return compareEffects(recorded, cancelled, at: source)
  }

  /// Effects that were started before the machine was: their cancel ids are not known to it, so a step
  /// that is as recorded is believed to have cancelled what the recording says.
  private mutating func cancelUnseen(_ recorded: [EffectEvent]) -> [Int] {
    recorded.compactMap { event in
      guard event.kind == .cancelled, !event.isFromOutside,
        let entry = book.entry(matching: event.effect), entry.machine == nil
      else { return nil }
      book.end(entry.number, .cancelled)
      note(entry.number, .cancelled)
      return event.effect
    }
  }

  private mutating func enter(
    _ started: [StoreEffect], _ recorded: [EffectEvent], _ isTrusted: Bool
  ) {
    guard !started.isEmpty else { return }
    let matches = EffectMatches(
      started: started.map { effect in
        descents[effect.step].map { EffectPlace(effect.sessionOrigin, step: $0) }
      }, recorded: recorded)
    for (index, effect) in started.enumerated() {
      let match = matches[index]
      var entry = EffectBook.Entry(
        number: match.effect ?? 0, machine: effect.number, origin: effect.sessionOrigin,
        matched: match.effect, candidates: match.candidates, isTrusted: isTrusted,
        isUnanswered: match.effect.map { cursor.source.unanswered.contains($0) } ?? true)
      entry.isPause = effect.kind != .work
      if displaced.contains(effect.step) { displace(&entry) }
      switch effect.kind {
      case .work: break
      case .pause(let duration), .window(let duration):
        if case .window = effect.kind { entry.isWindow = true }
        entry.pauseEnd = clock.map { $0 + duration }
        if entry.matched == nil {
          entry.due = entry.pauseEnd
          entry.isUnanswered = entry.due == nil
        }
      }
      entry.startedAt = clock
      let number = book.add(entry)
      answerByHand(number)
      note(number, .started(entry.origin))
    }
  }

  /// Takes over a script where the branch leaves its source.
  mutating func follow(_ plan: ScriptPlan) {
    script = plan
    for number in book.inFlight.keys.sorted() { answerByHand(number) }
  }

  /// An answer by hand takes the place of everything that was recorded for the effect, unless it
  /// came before the effect was there.
  private mutating func answerByHand(_ number: Int) {
    guard let count = script.answers[number], count > uselessAnswers[number] ?? 0 else { return }
    let scheduled = script.scheduled[number] ?? []
    if !scheduled.isEmpty { scheduledEffects.insert(number) }
    book.update(number) {
      $0.isAnsweredByHand = true
      $0.scheduled = scheduled
    }
  }

  /// Effects that have not ended, with what is known of them.
  func pending() throws -> [PendingEffect] {
    let entries = book.inFlight.values.sorted { $0.number < $1.number }
    guard !entries.isEmpty else { return [] }
    var index = OutcomeIndex(cursor.source)
    return try entries.map { entry in
      PendingEffect(
        effect: entry.number, origin: entry.origin,
        isUnanswered: (entry.isUnanswered || entry.due != nil || entry.asksOtherwise)
          && !entry.isAnsweredByHand,
        recorded: try index.outcomes(for: entry, after: position))
    }
  }

  /// Writes an event of an effect down at the newest step.
  mutating func note(_ effect: Int, _ kind: EffectEvent.Kind, fromOutside: Bool = false) {
    log.add(
      EffectEvent(
        effect: effect, step: step, time: clock, kind: kind, isFromOutside: fromOutside))
  }

  /// The end of an effect, recorded, answered by the user, or by the clock. What is chained to it
  /// goes on.
  mutating func end(
    _ entry: EffectBook.Entry, _ kind: EffectEvent.Kind, chained: [EffectEvent] = [],
    expected: [Int] = []
  ) throws {
    note(entry.number, kind)
    book.end(entry.number, .finished)
    noteQuietEnd(of: entry)
    if let number = entry.machine {
      machine.ended(effect: number)
      if machine.outputCount > 0, entry.asksOtherwise, !entry.isAnsweredByHand {
        doubt = max(doubt, .assumed)
      }
      _ = try takeChanges(matching: chained, isTrusted: entry.isTrusted, source: nil)
      try runOutputs(expected: expected)
    } else {
      for event in chained where event.origin != nil { adopt(event) }
    }
  }

  /// Cancels effects from outside: alone, or, as the task of a `send` does, with all that descends
  /// from the same action of the user. What a throttle held back for others goes on then, and so does
  /// what is chained.
  mutating func stop(
    _ entries: [EffectBook.Entry], withTheirTasks: Bool, chained: [EffectEvent] = [],
    expected: [Int] = []
  ) throws {
    for entry in entries {
      guard let number = entry.machine else {
        book.end(entry.number, .cancelled)
        note(entry.number, .cancelled, fromOutside: true)
        continue
      }
      if withTheirTasks, let root = machine.ledger.root(ofEffect: number) {
        machine.cancel(root: root)
      } else {
        machine.cancel(effect: number)
      }
    }
    let isTrusted = entries.allSatisfy(\.isTrusted)
    _ = try takeChanges(
      matching: chained, isTrusted: isTrusted, source: nil, isFromOutside: true)
    try runOutputs(expected: expected)
  }

  /// Moves the branch's clock, ends the pauses that are over by then (rule 3), and gives the answers
  /// of live runs that are due.
  mutating func advanceClock(to time: Duration?) throws {
    while book.hasPauses, let due = book.firstDue(by: time, at: position) { try follow(due) }
    if let time { clock = max(clock ?? .zero, time) }
  }

  private mutating func follow(_ due: EffectBook.Due) throws {
    if clock != nil { clock = max(clock ?? .zero, due.time) }
    guard let answer = due.answer else { return try end(due.entry, .finished) }
    book.update(due.entry.number) { $0.scheduled.removeFirst() }
    try apply(answer)
  }

  /// After the last step of the source time goes on until all answers of live runs are given.
  mutating func giveScheduledAnswers() throws {
    while let due = book.firstDue(by: nil, at: .max) { try follow(due) }
    for effect in script.scheduled.keys.sorted() where !scheduledEffects.contains(effect) {
      log.remarks.append(
        "what effect \(effect) did in a live run was not used: the branch does not start it")
    }
  }

  /// Rule 12: what was cancelled in the recording and is not cancelled here.
  mutating func markUncancelled(_ events: [EffectEvent]) {
    for event in events where event.kind == .cancelled && !event.isFromOutside {
      guard let entry = book.entry(matching: event.effect) else { continue }
      book.update(entry.number) { entry in
        if entry.pauseEnd != nil {
          entry.due = entry.pauseEnd
        } else {
          entry.isUnanswered = true
        }
      }
    }
  }

  /// Which effects the source started and cancelled at this step, against those of the branch.
  private mutating func compareEffects(
    _ recorded: [EffectEvent], _ cancelled: [Int], at step: Step
  ) -> Bool {
    let started = log.open?.effects.compactMap(\.origin) ?? []
    let before = recorded.compactMap(\.origin).map { EffectPlace($0, step: 0) }
    let now = started.map { EffectPlace($0, step: 0) }
    let recordedCancelled = recorded.filter { $0.kind == .cancelled && !$0.isFromOutside }
      .map(\.effect)
    let isSame =
      before.counted == now.counted && recordedCancelled.sorted() == cancelled.sorted()
    if !isSame {
      findings?.differentEffects(
        at: step, recorded: (before, recordedCancelled), rerun: (now, cancelled))
    }
    return isSame
  }
}

extension [EffectPlace] {
  var counted: [EffectPlace: Int] {
    reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}

extension StoreEffect {
  var sessionOrigin: SessionLog.EffectOrigin {
    SessionLog.EffectOrigin(
      step: step, name: name, file: fileID, line: line, cancelID: cancelID, ordinal: ordinal)
  }
}
