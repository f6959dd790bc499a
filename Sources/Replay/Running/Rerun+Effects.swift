import SessionWords
import StoreCore
import StoreRecording

extension Rerun {
  /// Takes over what the machine started and cancelled, and finds out which recorded effects these
  /// are (rules 6, 7, 13). Says whether the same happened in the source.
  mutating func takeChanges(
    matching recorded: [EffectEvent], isTrusted: Bool, source: Step?, isFromOutside: Bool = false
  ) throws -> Bool {
    let changes = machine.takeChanges()
    var matches = matches(of: changes, recorded)
    var deeds: [EffectDeed] = []
    var cancelled: [EffectBook.Entry] = []
    for change in changes {
      switch change {
      case .started(let effect, let run):
        try enter(effect, run, matches.removeFirst(), isTrusted)
        deeds.append(EffectDeed(starting: effect.sessionOrigin))
      case .cancelled(let effect):
        guard let entry = book.entry(machine: effect.number) else { continue }
        noteSilence(of: entry)
        if !entry.scheduled.isEmpty {
          log.remarks.append(
            "\(entry.words) was cancelled at step \(step): "
              + "what it did later in its live run is not used")
        }
        book.end(entry.number, .cancelled)
        note(entry.number, .cancelled, fromOutside: isFromOutside)
        guard let matched = entry.matched, !isFromOutside else { continue }
        deeds.append(.cancels(matched))
        cancelled.append(entry)
      }
    }
    let unseen = isTrusted || findings != nil ? cancelUnseen(recorded) : []
    guard let source else { return true }
    let known = recorded.filter { $0.kind != .cancelled || !unseen.contains($0.effect) }
    if known.compactMap(EffectDeed.init).isSame(as: deeds) { return true }
    try differs(source, recorded: known, rerun: deeds, cancelled)
    return false
  }

  /// Which recorded effects the started ones are, in their order.
  private func matches(
    of changes: [StoreMachine<State, Action>.Change], _ recorded: [EffectEvent]
  ) -> [EffectMatches.Match] {
    let places = changes.compactMap { change -> EffectPlace?? in
      guard case .started(let effect, _) = change else { return nil }
      return .some(descents[effect.step].map { EffectPlace(effect.sessionOrigin, step: $0) })
    }
    let matches = EffectMatches(started: places, recorded: recorded)
    return places.indices.map { matches[$0] }
  }

  /// Effects whose cancel ids the machine does not know, as those that were started before it was: a step
  /// that is as recorded is believed to have cancelled what the recording says.
  private mutating func cancelUnseen(_ recorded: [EffectEvent]) -> [Int] {
    recorded.compactMap { event in
      guard event.kind == .cancelled, !event.isFromOutside,
        let entry = book.entry(matching: event.effect),
        entry.machine == nil || takesCancellationsAsRecorded
      else { return nil }
      if let number = entry.machine { machine.cancel(effect: number) }
      book.end(entry.number, .cancelled)
      note(entry.number, .cancelled)
      return event.effect
    }
  }

  private mutating func enter(
    _ effect: StoreEffect, _ run: EffectRun<Action>, _ match: EffectMatches.Match,
    _ isTrusted: Bool
  ) throws {
    var entry = EffectBook.Entry(
      number: match.effect ?? 0, machine: effect.number, origin: effect.sessionOrigin,
      matched: match.effect, candidates: match.candidates, isTrusted: isTrusted,
      isUnanswered: match.effect.map { withoutAnswer.contains($0) } ?? true)
    entry.isPause = effect.kind != .work
    if displaced.contains(effect.step) {
      displace(&entry)
    } else if let matched = entry.matched, cursor.source.answeredByHand.contains(matched) {
      // What the user says of it holds wherever it is started.
      entry.isTrusted = true
    }
    switch effect.kind {
    case .work: break
    case .pause(let duration), .window(let duration):
      if case .window = effect.kind { entry.isWindow = true }
      entry.pauseEnd = clock.map { $0 + duration }
      // A verification ends only what was recorded.
      if entry.matched == nil, findings == nil {
        entry.due = entry.pauseEnd
        entry.isUnanswered = entry.due == nil
      }
    }
    entry.startedAt = clock
    let number = book.add(entry)
    answerByHand(number)
    if keepsBodies, !entry.isPause {
      bodies[number] = run
      try runOnTape(number)
    }
    judgeStart(of: number)
    note(number, .started(entry.origin))
  }

  /// Takes over a script where the branch leaves its source.
  mutating func follow(_ plan: ScriptPlan) throws {
    script = plan
    for assumption in cursor.source.assumptions(standingAfter: plan.leavesAt) {
      if case .effect(let effect) = assumption.subject {
        if plan.answers[effect] != nil { continue }
        if assumption.kind == .open, try isReplied(effect) { continue }
      }
      judge.assume(assumption)
    }
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
  mutating func pending() throws -> [PendingEffect] {
    let entries = book.inFlight.values.sorted { $0.number < $1.number }
    guard !entries.isEmpty else { return [] }
    return try entries.map { entry in
      var pending = PendingEffect(
        effect: entry.number, origin: entry.origin,
        isUnanswered: !entry.isAnsweredByHand
          && (entry.isUnanswered || entry.due != nil || entry.asksOtherwise
            || entry.isPause && EffectEvent.isOfBranch(entry.number)
            || judge.isOpen(entry.number)),
        recorded: try outcomes.outcomes(for: entry, after: position))
      pending.question = entry.question ?? judge.question(of: entry.number)
      return pending
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
    expected: [Int] = [], at newest: Step? = nil
  ) throws {
    note(entry.number, kind)
    book.end(entry.number, .finished)
    bodies[entry.number] = nil
    if let number = entry.machine {
      machine.ended(effect: number)
      if machine.outputCount > 0, entry.asksOtherwise, !entry.isAnsweredByHand {
        assume(.oldEnd(of: entry, at: step + 1))
      }
      _ = try takeChanges(
        matching: chained, isTrusted: entry.isTrusted, source: findings == nil ? nil : newest)
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
    // All at once, and nothing came of it: the store was let go, with what its throttles held back.
    // What a fork started goes on: the user may want to answer it.
    let isRelease =
      withTheirTasks && expected.isEmpty && book.isAll(entries, orOwn: findings != nil)
    for entry in entries {
      guard let number = entry.machine else {
        book.end(entry.number, .cancelled)
        note(entry.number, .cancelled, fromOutside: true)
        continue
      }
      if isRelease {
        machine.cancelAll()
      } else if withTheirTasks, let root = machine.ledger.root(ofEffect: number) {
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
  mutating func advanceClock(to time: Duration?, for rival: Rival = .user) throws {
    while book.hasPauses,
      let due = book.firstDue(by: time, at: position, withNew: rival.isUser)
    {
      if !rival.isUser, due.time == time, case .taped(let event) = due.what, event.isDeed {
        switch try isFirst(due, before: rival, at: due.time) {
        case true?: break
        case false?:
          clock = latest(clock, time)
          return
        case nil: assume(.tie(due.entry, at: step + 1))
        }
      }
      try follow(due)
    }
    if let time { clock = max(clock ?? .zero, time) }
  }

  private mutating func follow(_ due: EffectBook.Due) throws {
    if case .taped(let event) = due.what, case .goesOn = event.what {
      return try follow(event, of: due.entry)
    }
    if clock != nil { clock = max(clock ?? .zero, due.time) }
    judgeEnd()
    switch due.what {
    case .pauseIsOver: try end(due.entry, .finished)
    case .answer(let answer):
      book.update(due.entry.number) { $0.scheduled.removeFirst() }
      try apply(answer)
    case .taped(let event): try follow(event, of: due.entry)
    }
  }

  /// After the last step of the source time goes on until the source is over, and all answers of live
  /// runs are given.
  mutating func giveScheduledAnswers() throws {
    if !isFreeStepping, findings == nil, let time = latest(clock, cursor.source.end) {
      try advanceClock(to: time)
    }
    while let due = book.firstDue(by: nil, at: .max) {
      try follow(book.firstDue(by: due.time, at: .max) ?? due)
    }
    for effect in script.scheduled.keys.sorted() where !scheduledEffects.contains(effect) {
      log.remarks.append(
        "what \(EffectEvent.words(effect)) did in a live run was not used: the branch does not start it"
      )
    }
  }

  /// Rule 12: what was cancelled in the recording and is not cancelled here.
  mutating func markUncancelled(_ events: [EffectEvent]) throws {
    for event in events where event.kind == .cancelled && !event.isFromOutside {
      guard let entry = book.entry(matching: event.effect), !entry.isOnTape else { continue }
      book.update(entry.number) { entry in
        if entry.pauseEnd != nil {
          entry.due = entry.pauseEnd
        } else {
          entry.isUnanswered = true
        }
      }
      if entry.pauseEnd == nil, !entry.isAnsweredByHand {
        try runOnTape(entry.number)
        if book.entry(entry.number)?.isUnanswered == true {
          assume(.open(entry, after: step, .notCancelled))
        }
      }
    }
    endTurn()
  }
}

extension [EffectDeed] {
  /// In the order in which they were done.
  fileprivate func isSame(as rerun: [EffectDeed]) -> Bool {
    count == rerun.count && zip(self, rerun).allSatisfy { $1.isSame(asRecorded: $0) }
  }
}

extension StoreEffect {
  var sessionOrigin: EffectOrigin { EffectOrigin(self) }
}
