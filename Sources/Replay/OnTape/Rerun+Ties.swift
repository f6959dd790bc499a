import SessionWords

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
}

/// Of two effects that act at one time the one that has waited longer comes first; of two that began to
/// wait at one time the one that started first.
extension Rerun {
  func rival(_ step: Step) -> Rival {
    switch step.cause {
    case .user: return .user
    case .output: return .turn
    case .effect(let effect):
      guard let entry = book.entry(matching: effect), !entry.isOnTape,
        absence(of: step.cause) == nil, !script.skipped.contains(step.number),
        !script.moved.contains(step.number)
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
      guard let since = try waitedSince(entry, at: step, time) else { return nil }
      if due.since != since { return due.since < since }
      // Who was woken first of two that were woken then, nobody knows.
      guard let own = due.entry.machine, let other = entry.machine,
        due.entry.startedAt == since, entry.startedAt == since
      else { return nil }
      return own < other
    }
  }

  /// Since when an effect that is as recorded has waited for what it does at this time: its body says so
  /// on the tape.
  private mutating func waitedSince(
    _ entry: EffectBook.Entry, at step: Int, _ time: Duration
  ) throws -> Duration? {
    if entry.isPause { return entry.pauseEnd == time ? entry.startedAt : nil }
    guard entry.isTrusted, !entry.isAnsweredByHand, let body = bodies[entry.number],
      let start = entry.startedAt, let answers
    else { return nil }
    let recorded = try outcomes.own(ofEffect: entry.matched)
    let ran = BodyOnTape(body, answers, from: start, now: start, to: time).perform()
    log.noteLive(ran.liveCalls, at: self.step)
    var events = ran.events
    pair(&events, with: recorded, [])
    return events.first { $0.twin == step && $0.time == time }?.since
  }
}
