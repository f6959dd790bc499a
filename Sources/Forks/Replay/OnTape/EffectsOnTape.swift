import Platform
import SessionWords
import StoreCore
import ValueTree

struct EffectStage {
  /// The answers of services; nil unless the branch's effects run on the tape.
  var answers: TapeAnswers?
  var bodies: [EffectID: any EffectBody] = [:]
  /// The questions of each recorded effect.
  var asked: [EffectID?: [OutsideRead]]?
}

extension Rerun {
  /// Checks that a recorded effect's body still sends what it sent (`runs/verified`).
  mutating func verifyBody(_ number: EffectID, _ run: any EffectBody) throws {
    guard mode == .verification, setup.verifiesBodies,
      let matched = matcher.entry(number)?.matched,
      let (step, what) = try deviation(of: matched, run)
    else { return }
    switch what {
    case .emits(let action, _):
      observer.findings?.differentOutput(
        step, rerun: action, hint: "what the effect sends with the recorded answers")
    case .stops(let words, _):
      observer.findings?.differentOutput(step, rerun: .null, hint: "the effect \(words)")
    case .ends, .goesOn:
      observer.findings?.differentOutput(
        step, rerun: .null, hint: "the effect sends it no more")
    }
  }

  /// The first thing that today's body of a recorded effect does otherwise, with its answers.
  private mutating func deviation(
    of matched: EffectID, _ run: any EffectBody
  ) throws -> (step: Step, what: TapedEvent.What)? {
    let recorded = try recordedRuns.outcomes.own(ofEffect: matched).filter(\.isEmission)
    guard !recorded.isEmpty else { return nil }
    let answers = TapeAnswers(try asked(by: matched))
    let ran = BodyOnTape(run, answers, from: .zero, now: .zero, to: .seconds(1 << 31)).perform()
    for (event, outcome) in zip(ran.events, recorded) {
      let step = try replayCursor.source.step(outcome.step)
      switch event.what {
      case .emits(let action, _):
        if action.isExactlyEqual(to: step.action) { continue }
      case .stops(_, let question):
        guard let question, !Question.isDrawn(question.key) else { return nil }
      case .ends, .goesOn: break
      }
      return (step, event.what)
    }
    return nil
  }

  /// Whether a recorded effect's own events do not count in the fork: the user says another answer to
  /// what it asked (`answers/reply`), or its body of today does something else (`runs/today`).
  mutating func isOutdated(_ entry: EffectMatcher.Entry?, _ run: (any EffectBody)?) throws -> Bool {
    guard mode == .fork, stage.answers != nil, let entry, entry.responder == .recording,
      let matched = entry.matched
    else { return false }
    let replies = replayCursor.script.replies
    let isContradicted =
      try !replies.isEmpty
      && asked(by: matched).contains { read in
        replies.contains {
          $0.outcome != read.read.outcome && Question(read.read).isSame(as: $0.question) == true
        }
      }
    guard !isContradicted, setup.verifiesBodies, let run else { return isContradicted }
    let sent = try recordedRuns.outcomes.own(ofEffect: matched).filter(\.isEmission).map(\.step)
    // An action that the user has it send counts anyway.
    guard !sent.contains(where: replayCursor.script.changes) else { return false }
    return try deviation(of: matched, run) != nil
  }

  private mutating func asked(by effect: EffectID) throws -> [OutsideRead] {
    let asked =
      try stage.asked
      ?? Dictionary(grouping: replayCursor.source.outsideReads(), by: \.effect)
    stage.asked = asked
    return asked[effect] ?? []
  }
}

/// Effects on the tape. If a branch's effect is not the recorded one, its body runs with the
/// recorded answers, and the branch's clock times its events.
extension Rerun {
  /// Finds out an unknown effect's events: runs its body on the tape, or takes the course of a
  /// recorded one that asked the same.
  mutating func runOnTape(_ number: EffectID, _ run: (any EffectBody)? = nil) throws {
    guard !mode.believesSource, !replayCursor.isFreeStepping,
      !setup.takesCancellationsAsRecorded || stage.bodies[number]?.foreign != nil,
      let clock,
      let entry = matcher.entry(number), !entry.isPause, entry.responder != .user,
      entry.responder.isUnanswered || entry.asksOtherwise, let horizon = replayCursor.source.end
    else { return }
    let start = entry.startedAt ?? clock
    let known = stage.answers == nil ? try knownCourse(of: entry, run, from: start) : nil
    guard known != nil || stage.answers != nil else { return }
    let recorded = try recordedRuns.outcomes.own(ofEffect: entry.matched)
    guard let edits = try entry.matched.map(replayCursor.source.emissionEdits) ?? [:],
      let touched = try touched(recorded), try entry.matched != nil || !areKinTouched(entry)
    else { return }
    var events = known?.events ?? []
    if let answers = stage.answers {
      guard let body = stage.bodies[number] else { return }
      let end = max(horizon, clock)
      var ran = BodyOnTape(body, answers, from: start, now: clock, to: end).perform()
      if let question = ran.events.last?.question,
        let answers = try self.answers(answers, withSilenceOf: question, for: entry)
      {
        ran = BodyOnTape(body, answers, from: start, now: clock, to: end).perform()
      }
      log.recordLive(ran.liveCalls, at: step)
      events = ran.events
    }
    edit(&events, edits)
    pair(&events, with: recorded, touched)
    let isNew = run != nil && entry.responder == .recording
    let past = events.prefix {
      $0.isDeed && !isNew
        && ($0.time < clock || $0.twin.map { $0 <= replayCursor.position } ?? false)
    }
    let seen =
      start < clock ? recorded.count { $0.isEmission && $0.step <= replayCursor.position } : 0
    guard past.count == seen, past.allSatisfy({ $0.twin != nil }) else { return }
    let asked = past.flatMap(\.asked)
    events.removeFirst(past.count)
    if !events.isEmpty { events[0].asked = asked + events[0].asked }
    if known != nil, let first = events.first, !first.isDeed, first.time <= clock { return }
    matcher.update(number) {
      $0.responder = .tape
      $0.history = events
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
    var asked: [OutsideRead] = []
    events = events.compactMap { event in
      var event = event
      event.asked = exchange(&asked, with: []) + event.asked
      guard case .emits = event.what else { return event }
      place += 1
      switch edits[place] {
      case .skipped:
        asked = event.asked
        return nil
      case .replaced(let action): event.replacement = action
      case nil: break
      }
      return event
    }
  }

  mutating func isReplied(_ effect: EffectID) throws -> Bool {
    guard stage.answers != nil, !replayCursor.script.replies.isEmpty,
      let entry = matcher.entry(matching: effect),
      !entry.responder.isUnanswered
    else { return false }
    matcher.update(entry.number) { $0.responder = .nobody }
    try runOnTape(entry.number)
    let isKnown = matcher.entry(entry.number)?.responder == .tape
    if !isKnown { matcher.update(entry.number) { $0 = entry } }
    return isKnown
  }

  /// Whether the user changes what an effect of the same step sent. That may have been this one,
  /// which has no match.
  private mutating func areKinTouched(_ entry: EffectMatcher.Entry) throws -> Bool {
    guard let source = replayCursor.descents[entry.origin.step] else { return false }
    if try replayCursor.source.hasEditedKin(startedBy: source) { return true }
    let open = replayCursor.source.assumptions(raisedAt: source).filter {
      $0.kind == .open && $0.question == nil
    }
    for effect in try recordedRuns.outcomes.effects(startedBy: source) {
      let sent = try recordedRuns.outcomes.own(ofEffect: effect).filter(\.isEmission)
      if replayCursor.source.touchedEffects.contains(effect)
        || open.contains(where: { $0.subject == .effect(effect) })
        || sent.contains(where: {
          replayCursor.script.changes($0.step)
            || replayCursor.source.replacedSteps.contains($0.step)
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
      let sent = try replayCursor.outputs(after: outcome.step)
      if ([outcome.step] + sent).contains(where: replayCursor.script.moved.contains) { return nil }
      if try replayCursor.script.skipped.contains(outcome.step)
        || replacement(for: outcome.step) != nil
      {
        touched.insert(outcome.step)
      }
    }
    return touched
  }

  private mutating func replacement(for step: Int) throws -> Value? {
    if let action = replayCursor.script.replaced[step] { return action }
    guard replayCursor.source.replacedSteps.contains(step) else { return nil }
    return try replayCursor.slot(step).step.action
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

  private mutating func stop(_ number: EffectID, _ words: String, _ question: Question?) {
    matcher.update(number) {
      $0.responder = .endOfTape(question)
      $0.history = []
    }
    guard let entry = matcher.entry(number) else {
      return impossible("an effect that the tape stops is in flight")
    }
    classifier.assume(.open(entry, after: step, .onTape(words, question)))
  }

  mutating func apply(_ event: TapedEvent, of entry: EffectMatcher.Entry) throws {
    matcher.update(entry.number) { $0.history.removeFirst() }
    switch event.what {
    case .emits(let action, _):
      var expected: [Int] = []
      var replacement = event.replacement
      if let twin = event.twin {
        expected = try replayCursor.outputs(after: twin)
        replayCursor.claimed.formUnion([twin] + expected)
        log.leftOut.removeAll { $0.recordedStep == twin }
        if replayCursor.script.skipped.contains(twin) {
          matcher.update(entry.number) {
            if !$0.history.isEmpty { $0.history[0].asked = event.asked + $0.history[0].asked }
          }
          return try omit(try replayCursor.step(twin), .skipped, with: expected)
        }
        replacement = try self.replacement(for: twin) ?? replacement
      }
      let value = replacement ?? action
      var planned = try emission(of: entry, value, from: event.twin)
      planned.isEdited = replacement != nil
      planned.asked = event.asked.map {
        OutsideRead($0.read, effect: entry.number, step: step, time: $0.time, took: $0.took)
      }
      planned.remarks = [
        entry.example.map {
          "\(entry.number.words) was asked what \($0.words) was asked"
        } ?? "\(entry.number.words) was run on the tape"
      ]
      try runTurn(planned, expected: expected)
      try doubtSharedReaders(at: replayCursor.position)
    case .ends(let kind):
      try end(entry, kind, endedAt: event.twin)
    case .stops(let words, let question):
      stop(entry.number, words, question)
      classifier.endTurn(before: step + 1)
    case .goesOn:
      // Behind a recorded end nothing comes.
      if replayCursor.source.knowsEnd { break }
      classifier.assume(.open(entry, after: step, .pastTheEnd))
      classifier.endTurn(before: step + 1)
    }
  }

  /// Ends it at the branch's own time. Followers of the recorded end follow this one.
  mutating func end(
    _ entry: EffectMatcher.Entry, _ kind: EffectEvent.Kind, endedAt twin: Int?
  ) throws {
    var chained: [EffectEvent] = []
    var expected: [Int] = []
    if let twin {
      let ends = try replayCursor.slot(twin).ends
      if let end = ends.first(where: { $0.event.effect == entry.matched }) {
        chained = end.begun
        if end.event == ends.last?.event { expected = try replayCursor.outputs(afterEndsOf: twin) }
      }
    }
    replayCursor.claimed.formUnion(expected)
    log.leftOut.removeAll { expected.contains($0.recordedStep) }
    try end(entry, kind, chained: chained, expected: expected)
  }

  /// Whether a recorded emission belongs to an effect that runs on the tape here: the tape supplies
  /// it, or nothing does. If false, follow it as usual.
  mutating func comesByTape(_ step: Step, _ expected: [Int]) throws -> Bool {
    if replayCursor.claimed.contains(step.number) { return true }
    guard case .effect(let effect) = step.cause, let entry = matcher.entry(matching: effect),
      entry.responder.isOnTape
    else { return false }
    if entry.history.contains(where: { $0.twin == step.number }) { return true }
    try omit(step, entry.responder.isUnanswered ? .unanswered : .otherwise, with: expected)
    return true
  }
}

/// An event of the recording at the same time as one on the tape.
enum ConcurrentEvent {
  case user
  case effect(EffectMatcher.Entry, at: Int)
  case turn
  case nobodyKnows

  /// Whether events of a new effect may come before it: before the user's, and before those of an
  /// effect that started later at this time.
  func mayFollow(_ new: EffectMatcher.Entry, at time: Duration?) -> Bool {
    if case .user = self { return true }
    guard case .effect(let entry, _) = self, let earlier = new.machine, let later = entry.machine
    else { return false }
    return new.startedAt == time && entry.startedAt == time && earlier < later
  }
}

/// Of two simultaneous effects, the longer wait comes first, then the earlier start.
extension Rerun {
  func rival(_ step: Step) -> ConcurrentEvent {
    switch step.cause {
    case .user, .outside, .unknown: return .user
    case .output: return .turn
    case .effect(let effect):
      guard let entry = matcher.entry(matching: effect), !entry.responder.isOnTape,
        matcher.absence(of: step.cause) == nil, !replayCursor.script.skipped.contains(step.number),
        !replayCursor.script.moved.contains(step.number)
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
    guard entry.isTrusted, entry.responder != .user, let body = stage.bodies[entry.number],
      let start = entry.startedAt, let answers = stage.answers
    else { return nil }
    let recorded = try recordedRuns.outcomes.own(ofEffect: entry.matched)
    let ran = BodyOnTape(body, answers, from: start, now: start, to: time).perform()
    log.recordLive(ran.liveCalls, at: self.step)
    var events = ran.events
    pair(&events, with: recorded, [])
    return events.first { $0.twin == step && $0.time == time }?.since
  }
}
