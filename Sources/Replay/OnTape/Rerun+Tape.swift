import SessionWords
import StoreCore
import ValueTree

/// Effects on the tape: where an effect of a branch is not the recorded one, its body is run with the
/// recorded answers behind it, and what it does comes by the branch's clock.
extension Rerun {
  /// Runs the body of an effect of which nobody knows what it does here.
  mutating func runOnTape(_ number: Int) throws {
    guard findings == nil, !isOnTheWay, !isFreeStepping, !takesCancellationsAsRecorded, let answers,
      let clock,
      let entry = book.entry(number), !entry.isPause, !entry.isAnsweredByHand,
      entry.isUnanswered || entry.asksOtherwise, let body = bodies[number],
      let horizon = cursor.source.end
    else { return }
    let recorded = try outcomes.own(ofEffect: entry.matched)
    guard let edits = try entry.matched.map(cursor.source.emissionEdits) ?? [:],
      let touched = try touched(recorded), try entry.matched != nil || !areKinTouched(entry)
    else { return }
    let start = entry.startedAt ?? clock
    let ran = BodyOnTape(body, answers, from: start, now: clock, to: max(horizon, clock))
      .perform()
    log.noteLive(ran.liveCalls, at: step)
    var events = ran.events
    edit(&events, edits)
    pair(&events, with: recorded, touched)
    // What it did up to here was recorded, and is the same or nothing is known of it.
    let past = events.prefix {
      $0.isDeed && ($0.time < clock || $0.twin.map { $0 <= position } ?? false)
    }
    let seen = start < clock ? recorded.count { $0.isEmission && $0.step <= position } : 0
    guard past.count == seen, past.allSatisfy({ $0.twin != nil }) else { return }
    events.removeFirst(past.count)
    book.update(number) {
      $0.isUnanswered = false
      $0.isOnTape = true
      $0.course = events
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
    guard answers != nil, script.hasReplies, let entry = book.entry(matching: effect),
      !entry.isUnanswered
    else { return false }
    book.update(entry.number) { $0.isUnanswered = true }
    try runOnTape(entry.number)
    let isKnown = book.entry(entry.number).map { $0.isOnTape && !$0.isUnanswered } ?? false
    if !isKnown { book.update(entry.number) { $0 = entry } }
    return isKnown
  }

  /// The user changes what some effect of the same step sent: that may have been about this one, which
  /// is none of the recorded ones.
  private mutating func areKinTouched(_ entry: EffectBook.Entry) throws -> Bool {
    guard let source = descents[entry.origin.step] else { return false }
    if try cursor.source.hasEditedKin(startedBy: source) { return true }
    let open = cursor.source.assumptions(raisedAt: source).filter {
      $0.kind == .open && $0.question == nil
    }
    for event in try cursor.slot(source).begun where event.origin != nil {
      let sent = try outcomes.own(ofEffect: event.effect).filter(\.isEmission)
      if cursor.source.touchedEffects.contains(event.effect)
        || open.contains(where: { $0.subject == .effect(event.effect) })
        || sent.contains(where: {
          script.changes($0.step) || cursor.source.replacedSteps.contains($0.step)
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
      let sent = try outputs(after: outcome.step)
      if ([outcome.step] + sent).contains(where: script.moved.contains) { return nil }
      if try script.skipped.contains(outcome.step) || replacement(for: outcome.step) != nil {
        touched.insert(outcome.step)
      }
    }
    return touched
  }

  /// The action that the user has put in the place of what an effect sent, here or in the parent.
  private mutating func replacement(for step: Int) throws -> Value? {
    if let action = script.replaced[step] { return action }
    guard cursor.source.replacedSteps.contains(step) else { return nil }
    return try cursor.slot(step).step.action
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
      $0.isUnanswered = true
      $0.course = []
      $0.question = question
    }
    guard let entry = book.entry(number) else { return }
    assume(.open(entry, after: step, .onTape(words, question)))
  }

  /// What an effect on the tape does now.
  mutating func follow(_ event: TapedEvent, of entry: EffectBook.Entry) throws {
    book.update(entry.number) { $0.course.removeFirst() }
    switch event.what {
    case .emits(let action, _):
      var expected: [Int] = []
      var replacement = event.replacement
      if let twin = event.twin {
        expected = try outputs(after: twin)
        claimed.formUnion([twin] + expected)
        log.leftOut.removeAll { $0.recordedStep == twin }
        if script.skipped.contains(twin) {
          return try leaveOut(try cursor.slot(twin).step, .skipped, with: expected)
        }
        replacement = try self.replacement(for: twin) ?? replacement
      }
      let value = replacement ?? action
      var planned = Planned(
        action: try decode(value, at: step + 1), value: value, cause: .effect(entry.number),
        storeCause: .effect(entry.machine ?? entry.number),
        root: entry.machine.flatMap { machine.ledger.root(ofEffect: $0) }, source: event.twin,
        isEdited: replacement != nil, values: replacement == nil ? .recorded : .edited)
      planned.remarks = ["\(EffectEvent.words(entry.number)) was run on the tape"]
      try runTurn(planned, expected: expected)
    case .ends(let kind):
      var chained: [EffectEvent] = []
      var expected: [Int] = []
      if let twin = event.twin {
        let ends = try cursor.slot(twin).ends
        if let end = ends.first(where: { $0.event.effect == entry.matched }) {
          chained = end.begun
          if end.event == ends.last?.event { expected = try outputs(afterEndsOf: twin) }
        }
      }
      claimed.formUnion(expected)
      try end(entry, kind, chained: chained, expected: expected)
    case .stops(let words, let question):
      stop(entry.number, words, question)
      endTurn()
    case .goesOn:
      assume(.open(entry, after: step, .pastTheEnd))
      endTurn()
    }
  }

  /// A recorded emission of an effect that is on the tape here: it comes by the tape, or not at all.
  /// False where it is to be followed as any other.
  mutating func comesByTape(_ step: Step, _ expected: [Int]) throws -> Bool {
    if claimed.contains(step.number) { return true }
    guard case .effect(let effect) = step.cause, let entry = book.entry(matching: effect),
      entry.isOnTape
    else { return false }
    if entry.course.contains(where: { $0.twin == step.number }) { return true }
    leaveOut(step, entry.isUnanswered ? .unanswered : .otherwise)
    for output in expected { leaveOut(try cursor.slot(output).step, .notSent) }
    return true
  }
}
