import SessionWords
import StoreCore
import StoreRecording

extension Rerun {
  /// Applies the machine's started and cancelled effects, and matches them with recorded ones
  /// (`effects/matching`, `effects/ambiguous-count`, `effects/unanswered`). Returns whether the
  /// same happened in the source.
  mutating func applyChanges(
    matching recorded: [EffectEvent], isTrusted: Bool, isInTime: Bool = false, source: Step?,
    behindEnd isBehindEnd: Bool = false, from outside: Outside? = nil,
    cancelled alreadyCancelled: [EffectID] = []
  ) throws -> Bool {
    let changes = machine.takeEffects()
    // Made once each, because the text of a cancel id is an effect's main cost.
    let origins = changes.compactMap { change in
      if case .started((let effect, _)) = change { EffectOrigin(effect) } else { nil }
    }
    let matches = EffectMatch.matches(
      of: origins.map { origin in
        replayCursor.descents[origin.step].map { EffectPlace(origin, step: $0) }
      }, in: recorded)
    var started = 0
    var activities: [EffectActivity] = []
    var cancelled: [EffectMatcher.Entry] = []
    for change in changes {
      switch change {
      case .started((let effect, let run)):
        let (origin, match) = (origins[started], matches[started])
        started += 1
        let isRecorded = isTrusted && !matcher.changed.contains(effect.step)
        let isAlike = try !isRecorded && isInTime && asksTheSame(run, as: match, recorded)
        try enter(
          effect, origin, run, match, isRecorded ? .recorded : isAlike ? .alike : .other,
          recorded.first { $0.effect == match.effect && $0.origin != nil }?.origin)
        let step = isBehindEnd ? replayCursor.descents[origin.step] ?? 0 : 0
        activities.append(EffectActivity(starting: origin, of: step))
      case .cancelled(let effect):
        guard let entry = matcher.entry(machine: effect.number) else { continue }
        if entry.responder.isUnanswered {
          log.remarks.append(
            "\(entry.words) was cancelled at step \(step) before it was answered")
        }
        if !entry.scheduled.isEmpty {
          log.remarks.append(
            "\(entry.words) was cancelled at step \(step): "
              + "what it did later in its live run is not used")
        }
        matcher.end(entry.number, .cancelled)
        record(entry.number, .cancelled, from: outside)
        guard let matched = entry.matched, outside == nil else { continue }
        activities.append(.cancels(matched))
        cancelled.append(entry)
      }
    }
    let unseen =
      isTrusted || mode == .verification ? try cancelUnseen(recorded) : alreadyCancelled
    guard let source else { return true }
    let known = recorded.filter { $0.kind != .cancelled || !unseen.contains($0.effect) }
    let expected = known.compactMap { EffectActivity($0, behindEnd: isBehindEnd) }
    if expected.isSame(as: activities) { return true }
    try differs(source, recorded: known, expected, rerun: activities, cancelled)
    return false
  }

  /// Effects whose cancel ids the machine does not know, as those that were started before it was: a step
  /// that is as recorded is believed to have cancelled what the recording says.
  private mutating func cancelUnseen(_ recorded: [EffectEvent]) throws -> [EffectID] {
    try recorded.compactMap { event in
      guard event.kind == .cancelled, !event.isFromOutside,
        let entry = matcher.entry(matching: event.effect),
        entry.machine == nil || setup.takesCancellationsAsRecorded
      else { return nil }
      if let number = entry.machine {
        let waiting = machine.outputCount
        machine.cancel(effect: number)
        if setup.takesCancellationsAsRecorded, try !goesOn(behind: entry) {
          while machine.outputCount > waiting {
            _ = machine.removeSent(at: machine.outputCount - 1)
          }
        }
      }
      matcher.end(entry.number, .cancelled)
      record(entry.number, .cancelled)
      return event.effect
    }
  }

  /// Whether the recording goes on behind a cancelled effect with what is chained to it.
  private mutating func goesOn(behind entry: EffectMatcher.Entry) throws -> Bool {
    guard let starter = replayCursor.descents[entry.origin.step] else { return false }
    for number in turn.expected where try replayCursor.step(number).cause == .output(of: starter) {
      return true
    }
    return false
  }

  private mutating func enter(
    _ effect: StoreEffect, _ origin: EffectOrigin, _ run: any EffectBody,
    _ match: EffectMatch, _ circumstances: EffectMatcher.StartConditions,
    _ recorded: EffectOrigin?
  ) throws {
    let number = matcher.start(
      effect, origin, as: match, circumstances, at: clock, replayCursor,
      endsAsRecorded: endsAsRecorded(origin, circumstances, recorded))
    if let foreign = run.foreign {
      let shared = mode.believesSource || !foreign.foreignStep.sharesValues ? nil : try sharedValues
      matcher.update(number) { ($0.foreign, $0.sharedAtStart) = (foreign, shared) }
    }
    if effect.kind == .work {
      if setup.runsEffectsOnTape { stage.bodies[number] = run }
      if try isOutdated(matcher.entry(number), run) {
        matcher.update(number) { $0.responder = .nobody }
      }
      try verifyBody(number, run)
      try runOnTape(number, run)
    }
    if let entry = matcher.entry(number) { classifier.start(entry, after: step) }
    record(number, .started(origin))
  }

  /// Whether a pause ends here as in the source: it started at its recorded time, and today's
  /// reducer gives it the same length.
  private func endsAsRecorded(
    _ origin: EffectOrigin, _ circumstances: EffectMatcher.StartConditions,
    _ recorded: EffectOrigin?
  ) -> Bool {
    guard mode.hasClock else { return true }
    guard let recorded else { return false }
    let isAsLong = recorded.pause.map { $0 == origin.pause } ?? (circumstances != .other)
    return isOnTheWay || turn.isTimely && isAsLong
  }

  mutating func apply(_ plan: ScriptPlan) throws {
    replayCursor.script = plan
    for assumption in replayCursor.source.assumptions(standingAfter: plan.leavesAt) {
      if case .effect(let effect) = assumption.subject {
        if plan.answers[effect] != nil { continue }
        if assumption.kind == .open, try isReplied(effect) { continue }
      }
      classifier.inherit(assumption)
    }
    for number in matcher.inFlight.keys.sorted() {
      if try isOutdated(matcher.entry(number), stage.bodies[number]) {
        matcher.update(number) { $0.responder = .nobody }
        try runOnTape(number)
      }
      matcher.answerByHand(number, plan)
    }
  }

  mutating func pending() throws -> [PendingEffect] {
    let entries = matcher.inFlight.values.sorted { $0.number < $1.number }
    guard !entries.isEmpty, mode == .fork else { return [] }
    return try entries.map { entry in
      var pending = PendingEffect(
        effect: entry.number, origin: entry.origin,
        isUnanswered: entry.responder != .user
          && (entry.responder.isUnanswered || entry.responder.isOnTape || entry.due != nil
            || entry.asksOtherwise || entry.isPause && entry.number.isOfFork
            || classifier.isOpen(entry.number)),
        recorded: try recordedRuns.outcomes.outcomes(for: entry, after: replayCursor.position))
      pending.question = classifier.question(of: entry.number)
      if case .endOfTape(let question?) = entry.responder { pending.question = question }
      if entry.responder == .tape, let last = entry.history.last?.question {
        pending.question = last
      }
      return pending
    }
  }

  mutating func record(_ effect: EffectID, _ kind: EffectEvent.Kind, from outside: Outside? = nil) {
    log.add(
      EffectEvent(
        effect: effect, step: step, time: clock, kind: kind, isFromOutside: outside != nil,
        isAlone: outside == .alone))
  }

  /// The origin of a cancellation from outside: a task, the user of the branch for one effect, the
  /// store's release with its throttles, or another effect by an id. Effects that a fork started
  /// survive a release, because the user may want to answer them.
  enum Outside: Equatable {
    case task, alone, release
    case id(String, by: EffectID?)

    /// An effect's cancellation may be a task's, too; only the recorded names tell them apart.
    var isTask: Bool { self != .alone && self != .release }
  }

  mutating func end(
    _ entry: EffectMatcher.Entry, _ kind: EffectEvent.Kind, chained: [EffectEvent] = [],
    expected: [Int] = [], at newest: Step? = nil
  ) throws {
    record(entry.number, kind)
    matcher.end(entry.number, .finished)
    stage.bodies[entry.number] = nil
    turn.isTimely = entry.responder == .recording && entry.due == nil
    if let number = entry.machine {
      let isAsRecorded = entry.isChainTrusted && turn.isTimely
      let hasUnseen = !isAsRecorded && watchUnseen()
      machine.ended(effect: number)
      let unseen = hasUnseen ? cancelUnseenNamed() : []
      cancelForeign(behind: entry, isTrusted: isAsRecorded)
      if machine.outputCount > 0, entry.asksOtherwise, entry.responder != .user {
        classifier.assume(.oldEnd(of: entry, at: step + 1))
      }
      _ = try applyChanges(
        matching: chained, isTrusted: isAsRecorded,
        isInTime: entry.isTrusted && turn.isTimely, source: newest, behindEnd: true,
        cancelled: unseen)
      try runOutputs(expected: expected, behind: entry)
    } else {
      for event in chained where event.origin != nil { adopt(event) }
    }
  }

  /// Cancels effects from outside: alone, or, like a `send` task, with all descendants of the same
  /// user action. Then what a throttle held back for others continues, and so do chained effects.
  mutating func stop(
    _ entries: [EffectMatcher.Entry], from outside: Outside, isDoubtful: Bool = false,
    chained: [EffectEvent] = [], expected: [Int] = []
  ) throws {
    turn.isTimely = true
    let running = isDoubtful ? matcher.inFlight : [:]
    if case .id(let text, let effect) = outside {
      machine.cancel(
        idNamed: text, by: effect.flatMap { matcher.entry(matching: $0)?.machine },
        of: entries.compactMap(\.machine))
    }
    for entry in entries {
      guard let number = entry.machine else {
        matcher.end(entry.number, .cancelled)
        record(entry.number, .cancelled, from: outside)
        continue
      }
      if case .id = outside {
        if mode.believesSource { machine.cancel(effect: number) }
        continue
      }
      if outside == .release {
        let own = matcher.inFlight.values.filter { !$0.isPause && mode.hasClock }
        let stopped = entries.compactMap(\.machine)
        machine.cancelAll(but: Set(own.compactMap(\.machine)).subtracting(stopped))
      } else if outside == .task, let root = machine.root(ofEffect: number) {
        machine.cancel(root: root)
      } else {
        machine.cancel(effect: number)
      }
    }
    let isTrusted = entries.allSatisfy(\.isChainTrusted)
    _ = try applyChanges(
      matching: chained, isTrusted: isTrusted, source: nil, from: outside)
    for number in running.keys.sorted() where matcher.entry(number) == nil {
      if let entry = running[number] {
        classifier.assume(.open(entry, after: step, .notCancelledByEffect))
      }
    }
    for entry in entries {
      if let entry = matcher.entry(entry.number) { try isNotCancelled(entry) }
    }
    try runOutputs(expected: expected, behind: entries.first)
  }

  /// Advances the branch's clock, ends due pauses (`endings/pause`), and gives due answers of live
  /// runs.
  mutating func advanceClock(to time: Duration?, for rival: ConcurrentEvent = .user) throws {
    while matcher.hasPauses,
      let due = matcher.firstDue(
        by: time, at: replayCursor.position, withNew: { rival.mayFollow($0, at: time) })
    {
      if due.isTied, due.isDeed { classifier.assume(.tie(due.entry, at: step + 1)) }
      if due.time == time, due.isDeed {
        switch try isFirst(due, before: rival, at: due.time) {
        case true?: break
        case false?:
          clock = latest(clock, time)
          return
        case nil: classifier.assume(.tie(due.entry, at: step + 1))
        }
      }
      try apply(due)
    }
    if let time { clock = max(clock ?? .zero, time) }
  }

  private mutating func apply(_ due: EffectMatcher.Due) throws {
    if case .taped(let event) = due.what, case .goesOn = event.what {
      return try apply(event, of: due.entry)
    }
    if clock != nil { clock = max(clock ?? .zero, due.time) }
    if let clock, let end = replayCursor.source.end, clock > end {
      classifier.endOfRecording(matcher, after: step)
    }
    switch due.what {
    case .pauseIsOver:
      let end = try recordedRuns.outcomes.end(of: due.entry.matched)
      try self.end(due.entry, .finished, endedAt: end?.kind == .finished ? end?.step : nil)
    case .answer(let answer):
      matcher.update(due.entry.number) { $0.scheduled.removeFirst() }
      try apply(answer)
    case .taped(let event): try apply(event, of: due.entry)
    }
  }

  /// After the source's last step, time continues until the source ends and all live answers are
  /// given.
  mutating func giveScheduledAnswers() throws {
    if !replayCursor.isFreeStepping, mode.hasClock,
      let time = latest(clock, replayCursor.source.end)
    {
      try advanceClock(to: time)
    }
    while let due = matcher.firstDue(by: nil, at: .max) {
      try apply(matcher.firstDue(by: due.time, at: .max) ?? due)
    }
    for effect in replayCursor.script.scheduled.keys.sorted()
    where !matcher.scheduled.contains(effect) {
      log.remarks.append(
        "what \(effect.words) did in a live run was not used: the branch does not start it"
      )
    }
  }

  mutating func markUncancelled(_ events: [EffectEvent]) throws {
    for event in events where event.kind == .cancelled && !event.isFromOutside {
      if let entry = matcher.entry(matching: event.effect) { try isNotCancelled(entry) }
    }
    classifier.endTurn(before: step + 1)
  }

  private mutating func isNotCancelled(_ entry: EffectMatcher.Entry) throws {
    guard !entry.responder.isOnTape, matcher.goesOn(entry) else { return }
    try runOnTape(entry.number)
    if matcher.entry(entry.number)?.responder.isUnanswered == true {
      classifier.assume(.open(entry, after: step, .notCancelled))
    }
  }
}

extension [EffectActivity] {
  func isSame(as rerun: [EffectActivity]) -> Bool {
    count == rerun.count && zip(self, rerun).allSatisfy { $1.isSame(asRecorded: $0) }
  }
}
