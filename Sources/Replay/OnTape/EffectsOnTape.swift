import SessionWords
import StoreCore
import ValueTree

struct TapePlayer<Action: Sendable> {
  /// The answers of services; nil unless the branch's effects run on the tape.
  var answers: TapeAnswers?
  let keepsBodies: Bool
  var bodies: [Int: EffectRun<Action>] = [:]
}

/// Effects on the tape. If a branch's effect is not the recorded one, its body runs with the
/// recorded answers, and the branch's clock times its events.
extension Rerun {
  /// Finds out an unknown effect's events: runs its body on the tape, or takes the course of a
  /// recorded one that asked the same.
  mutating func runOnTape(_ number: Int, _ run: EffectRun<Action>? = nil) throws {
    guard findings == nil, !isOnTheWay, !follower.isFreeStepping, !takesCancellationsAsRecorded,
      let clock,
      let entry = book.entry(number), !entry.isPause, entry.voice != .user,
      entry.voice.isUnanswered || entry.asksOtherwise, let horizon = follower.source.end
    else { return }
    let start = entry.startedAt ?? clock
    let known = deck.answers == nil ? try knownCourse(of: entry, run, from: start) : nil
    guard known != nil || deck.answers != nil else { return }
    let recorded = try recordedRuns.outcomes.own(ofEffect: entry.matched)
    guard let edits = try entry.matched.map(follower.source.emissionEdits) ?? [:],
      let touched = try touched(recorded), try entry.matched != nil || !areKinTouched(entry)
    else { return }
    var events = known?.events ?? []
    if let answers = deck.answers {
      guard let body = deck.bodies[number] else { return }
      let ran = BodyOnTape(body, answers, from: start, now: clock, to: max(horizon, clock))
        .perform()
      log.noteLive(ran.liveCalls, at: step)
      events = ran.events
    }
    edit(&events, edits)
    pair(&events, with: recorded, touched)
    let isNew = run != nil && entry.voice == .recording
    let past = events.prefix {
      $0.isDeed && !isNew && ($0.time < clock || $0.twin.map { $0 <= follower.position } ?? false)
    }
    let seen = start < clock ? recorded.count { $0.isEmission && $0.step <= follower.position } : 0
    guard past.count == seen, past.allSatisfy({ $0.twin != nil }) else { return }
    events.removeFirst(past.count)
    if known != nil, let first = events.first, !first.isDeed, first.time <= clock { return }
    book.update(number) {
      $0.voice = .tape
      $0.course = events
      $0.example = known?.example
    }
    if let first = events.first, case .stops(let words, let question) = first.what,
      first.time <= clock
    {
      stop(number, words, question)
    }
  }

  private func edit(_ events: inout [TapedEvent], _ edits: [Int: EmissionEdit]) {
    guard !edits.isEmpty else { return }
    var place = -1
    events = events.compactMap { event in
      guard case .emits = event.what else { return event }
      place += 1
      var event = event
      switch edits[place] {
      case .skipped: return nil
      case .replaced(let action): event.replacement = action
      case nil: break
      }
      return event
    }
  }

  mutating func isReplied(_ effect: Int) throws -> Bool {
    guard deck.answers != nil, follower.script.hasReplies, let entry = book.entry(matching: effect),
      !entry.voice.isUnanswered
    else { return false }
    book.update(entry.number) { $0.voice = .nobody }
    try runOnTape(entry.number)
    let isKnown = book.entry(entry.number)?.voice == .tape
    if !isKnown { book.update(entry.number) { $0 = entry } }
    return isKnown
  }

  /// Whether the user changes what an effect of the same step sent. That may have been this one,
  /// which has no match.
  private mutating func areKinTouched(_ entry: EffectMatcher.Entry) throws -> Bool {
    guard let source = follower.descents[entry.origin.step] else { return false }
    if try follower.source.hasEditedKin(startedBy: source) { return true }
    let open = follower.source.assumptions(raisedAt: source).filter {
      $0.kind == .open && $0.question == nil
    }
    for effect in try follower.source.effects(startedBy: source) {
      let sent = try recordedRuns.outcomes.own(ofEffect: effect).filter(\.isEmission)
      if follower.source.touchedEffects.contains(effect)
        || open.contains(where: { $0.subject == .effect(effect) })
        || sent.contains(where: {
          follower.script.changes($0.step) || follower.source.replacedSteps.contains($0.step)
        })
      {
        return true
      }
    }
    return false
  }

  /// The recorded effect's emissions that the user changes; nil if moved, because a move is about
  /// the recorded emissions alone.
  private mutating func touched(_ recorded: [RecordedOutcome]) throws -> Set<Int>? {
    var touched: Set<Int> = []
    for outcome in recorded where outcome.isEmission {
      let sent = try follower.outputs(after: outcome.step)
      if ([outcome.step] + sent).contains(where: follower.script.moved.contains) { return nil }
      if try follower.script.skipped.contains(outcome.step) || replacement(for: outcome.step) != nil
      {
        touched.insert(outcome.step)
      }
    }
    return touched
  }

  private mutating func replacement(for step: Int) throws -> Value? {
    if let action = follower.script.replaced[step] { return action }
    guard follower.source.replacedSteps.contains(step) else { return nil }
    return try follower.slot(step).step.action
  }

  /// Pairs emissions with recorded steps in order, as long as labels agree or the user decides
  /// their fate.
  func pair(
    _ events: inout [TapedEvent], with recorded: [RecordedOutcome], _ touched: Set<Int>
  ) {
    for (index, outcome) in zip(events.indices, recorded) {
      switch (events[index].what, outcome.outcome) {
      case (.emits(_, let label), .emit)
      where label == outcome.label || touched.contains(outcome.step):
        events[index].twin = outcome.step
      case (.ends, .finish), (.ends, .fail): events[index].twin = outcome.step
      default: return
      }
    }
  }

  private mutating func stop(_ number: Int, _ words: String, _ question: Question?) {
    book.update(number) {
      $0.voice = .endOfTape(question)
      $0.course = []
    }
    guard let entry = book.entry(number) else { return }
    judge.assume(.open(entry, after: step, .onTape(words, question)))
  }

  mutating func follow(_ event: TapedEvent, of entry: EffectMatcher.Entry) throws {
    book.update(entry.number) { $0.course.removeFirst() }
    switch event.what {
    case .emits(let action, _):
      var expected: [Int] = []
      var replacement = event.replacement
      if let twin = event.twin {
        expected = try follower.outputs(after: twin)
        follower.claimed.formUnion([twin] + expected)
        log.leftOut.removeAll { $0.recordedStep == twin }
        if follower.script.skipped.contains(twin) {
          return try leaveOut(try follower.step(twin), .skipped, with: expected)
        }
        replacement = try self.replacement(for: twin) ?? replacement
      }
      let value = replacement ?? action
      var planned = try emission(of: entry, value, from: event.twin)
      planned.isEdited = replacement != nil
      planned.remarks = [
        entry.example.map {
          "\(EffectEvent.words(entry.number)) was asked what \(EffectEvent.words($0)) was asked"
        } ?? "\(EffectEvent.words(entry.number)) was run on the tape"
      ]
      try runTurn(planned, expected: expected)
    case .ends(let kind):
      try end(entry, kind, endedAt: event.twin)
    case .stops(let words, let question):
      stop(entry.number, words, question)
      judge.endTurn(before: step + 1)
    case .goesOn:
      judge.assume(.open(entry, after: step, .pastTheEnd))
      judge.endTurn(before: step + 1)
    }
  }

  /// Ends it at the branch's own time. Followers of the recorded end follow this one.
  mutating func end(
    _ entry: EffectMatcher.Entry, _ kind: EffectEvent.Kind, endedAt twin: Int?
  ) throws {
    var chained: [EffectEvent] = []
    var expected: [Int] = []
    if let twin {
      let ends = try follower.slot(twin).ends
      if let end = ends.first(where: { $0.event.effect == entry.matched }) {
        chained = end.begun
        if end.event == ends.last?.event { expected = try follower.outputs(afterEndsOf: twin) }
      }
    }
    follower.claimed.formUnion(expected)
    log.leftOut.removeAll { expected.contains($0.recordedStep) }
    try end(entry, kind, chained: chained, expected: expected)
  }

  /// Whether a recorded emission belongs to an effect that runs on the tape here: the tape supplies
  /// it, or nothing does. If false, follow it as usual.
  mutating func comesByTape(_ step: Step, _ expected: [Int]) throws -> Bool {
    if follower.claimed.contains(step.number) { return true }
    guard case .effect(let effect) = step.cause, let entry = book.entry(matching: effect),
      entry.voice.isOnTape
    else { return false }
    if entry.course.contains(where: { $0.twin == step.number }) { return true }
    leaveOut(step, entry.voice.isUnanswered ? .unanswered : .otherwise)
    for output in expected { leaveOut(try follower.step(output), .notSent) }
    return true
  }
}

/// An event of the recording at the same time as one on the tape.
enum ConcurrentEvent {
  /// The user's actions come last.
  case user
  case effect(EffectMatcher.Entry, at: Int)
  case turn
  case nobodyKnows

  var isUser: Bool { if case .user = self { true } else { false } }

  /// Whether events of a new effect may come before it: before the user's, and before those of an
  /// effect that started later at this time.
  func mayFollow(_ new: EffectMatcher.Entry, at time: Duration?) -> Bool {
    guard case .effect(let entry, _) = self else { return isUser }
    guard let earlier = new.machine, let later = entry.machine else { return false }
    return new.startedAt == time && entry.startedAt == time && earlier < later
  }
}

/// Of two simultaneous effects, the longer wait comes first, then the earlier start.
extension Rerun {
  func rival(_ step: Step) -> ConcurrentEvent {
    switch step.cause {
    case .user: return .user
    case .output: return .turn
    case .effect(let effect):
      guard let entry = book.entry(matching: effect), !entry.voice.isOnTape,
        book.absence(of: step.cause) == nil, !follower.script.skipped.contains(step.number),
        !follower.script.moved.contains(step.number)
      else { return .user }
      return .effect(entry, at: step.number)
    }
  }

  /// Whether the due event comes before the recording's at this time; nil if unknown.
  mutating func isFirst(
    _ due: EffectMatcher.Due, before rival: ConcurrentEvent, at time: Duration
  ) throws -> Bool? {
    switch rival {
    case .user: return true
    case .turn: return false
    case .nobodyKnows: return nil
    case .effect(let entry, let step):
      guard let waiting = due.since else { return nil }
      let since = try waitedSince(entry, at: step, time)
      guard let earliest = since ?? entry.startedAt else { return nil }
      if waiting < earliest { return true }
      if let since, since < waiting { return false }
      // If both woke at once, their order is unknown.
      guard let own = due.entry.machine, let other = entry.machine, waiting == earliest,
        due.entry.startedAt == earliest, entry.startedAt == earliest
      else { return nil }
      return own < other ? true : since.map { _ in false }
    }
  }

  /// The start of a recorded effect's wait for its event at this time, from running its body on the
  /// tape.
  private mutating func waitedSince(
    _ entry: EffectMatcher.Entry, at step: Int, _ time: Duration
  ) throws -> Duration? {
    if entry.isPause { return entry.pauseEnd == time ? entry.startedAt : nil }
    guard entry.isTrusted, entry.voice != .user, let body = deck.bodies[entry.number],
      let start = entry.startedAt, let answers = deck.answers
    else { return nil }
    let recorded = try recordedRuns.outcomes.own(ofEffect: entry.matched)
    let ran = BodyOnTape(body, answers, from: start, now: start, to: time).perform()
    log.noteLive(ran.liveCalls, at: self.step)
    var events = ran.events
    pair(&events, with: recorded, [])
    return events.first { $0.twin == step && $0.time == time }?.since
  }
}
