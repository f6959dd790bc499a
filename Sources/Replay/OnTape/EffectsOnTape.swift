import SessionWords
import StoreCore
import ValueTree

/// What runs on the tape, and what it needs.
struct TapeDeck<Action: Sendable> {
  /// What services answer; nil unless effects of the branch are run on the tape.
  var answers: TapeAnswers?
  let keepsBodies: Bool
  /// Of the effects in flight, by their numbers.
  var bodies: [Int: EffectRun<Action>] = [:]
}

/// Effects on the tape: where an effect of a branch is not the recorded one, its body is run with the
/// recorded answers behind it, and what it does comes by the branch's clock.
extension Rerun {
  /// Finds out what an effect does here of which nobody knows that: runs its body on the tape, or takes
  /// the course of a recorded one that asked the same.
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
    // What it did up to here was recorded, and is the same or nothing is known of it.
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

  /// What the user made of its emissions in the parent.
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

  /// An effect of the parent that waits for what the user answers here.
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

  /// The user changes what some effect of the same step sent: that may have been about this one, which
  /// is none of the recorded ones.
  private mutating func areKinTouched(_ entry: EffectBook.Entry) throws -> Bool {
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

  /// What the recorded effect sent and the user makes something else of; nil where it is moved, which
  /// is about the recorded emissions and not about others.
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

  /// The action that the user has put in the place of what an effect sent, here or in the parent.
  private mutating func replacement(for step: Int) throws -> Value? {
    if let action = follower.script.replaced[step] { return action }
    guard follower.source.replacedSteps.contains(step) else { return nil }
    return try follower.slot(step).step.action
  }

  /// Which recorded steps the emissions are: the n-th is the n-th, as long as their labels agree or the
  /// user says what becomes of it.
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

  /// From here on nobody knows what the effect does.
  private mutating func stop(_ number: Int, _ words: String, _ question: Question?) {
    book.update(number) {
      $0.voice = .endOfTape(question)
      $0.course = []
    }
    guard let entry = book.entry(number) else { return }
    judge.assume(.open(entry, after: step, .onTape(words, question)))
  }

  /// What an effect on the tape does now.
  mutating func follow(_ event: TapedEvent, of entry: EffectBook.Entry) throws {
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

  /// An end at the branch's own time. What followed the recorded one follows this one.
  mutating func end(
    _ entry: EffectBook.Entry, _ kind: EffectEvent.Kind, endedAt twin: Int?
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

  /// A recorded emission of an effect that is on the tape here: it comes by the tape, or not at all.
  /// False where it is to be followed as any other.
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

/// What comes of the recording at a time at which an effect on the tape does something, too.
enum Rival {
  /// They come behind.
  case user
  /// A recorded effect, at this step of the source: what it sent, or its end.
  case effect(EffectBook.Entry, at: Int)
  /// The rest of a turn that has begun.
  case turn
  case nobodyKnows

  var isUser: Bool { if case .user = self { true } else { false } }

  /// Whether what an effect begins at this time may come before it: before the user, and before an effect
  /// that started later at this time.
  func mayFollow(_ new: EffectBook.Entry, at time: Duration?) -> Bool {
    guard case .effect(let entry, _) = self else { return isUser }
    guard let earlier = new.machine, let later = entry.machine else { return false }
    return new.startedAt == time && entry.startedAt == time && earlier < later
  }
}

/// Of two effects that act at one time the one that has waited longer comes first; of two that began to
/// wait at one time the one that started first.
extension Rerun {
  func rival(_ step: Step) -> Rival {
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

  /// Whether what is due comes before what the recording has at this time; nil where nobody knows.
  mutating func isFirst(
    _ due: EffectBook.Due, before rival: Rival, at time: Duration
  ) throws -> Bool? {
    switch rival {
    case .user: return true
    case .turn: return false
    case .nobodyKnows: return nil
    case .effect(let entry, let step):
      guard let waiting = due.since else { return nil }
      let since = try waitedSince(entry, at: step, time)
      // Nobody has waited longer than they run.
      guard let earliest = since ?? entry.startedAt else { return nil }
      if waiting < earliest { return true }
      if let since, since < waiting { return false }
      // Who was woken first of two that were woken then, nobody knows.
      guard let own = due.entry.machine, let other = entry.machine, waiting == earliest,
        due.entry.startedAt == earliest, entry.startedAt == earliest
      else { return nil }
      return own < other ? true : since.map { _ in false }
    }
  }

  /// Since when an effect that is as recorded has waited for what it does at this time: its body says so
  /// on the tape.
  private mutating func waitedSince(
    _ entry: EffectBook.Entry, at step: Int, _ time: Duration
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
