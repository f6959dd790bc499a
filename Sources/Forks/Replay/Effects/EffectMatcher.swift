import Platform
import SessionWords
import StoreCore
import StoreRecording
import ValueTree

/// The effects of a branch: which recorded effect each one is, and who answers it.
struct EffectMatcher: Sendable {
  struct Entry: Sendable {
    /// As in the source if it matches, else a number that the source does not use.
    var number: EffectID
    var machine: Int?
    var origin: EffectOrigin
    var matched: EffectID?
    /// The same effects of the source, if they could not be told apart (`effects/ambiguous-count`).
    var candidates: [EffectID] = []
    var responder = EffectResponder.recording
    var circumstances = StartConditions.recorded
    var kind = StoreEffect.Kind.work
    /// The end of a pause on the branch's clock; nil if it ends as recorded.
    var due: Duration?
    var pauseEnd: Duration?
    var startedAt: Duration?
    var foreign: (any ForeignRun)?
    var sharedAtStart: [String: Value]?
    /// Its future events, from a run on the tape or from a recorded effect.
    var history: [TapedEvent] = []
    var example: EffectID?
    var scheduled: [EffectAnswer] = []
    var hasSpoken = false
    /// Whether something that it sent was left out, so its later actions may differ
    /// (`effects/orphan`).
    var hasLostEmission = false

    var isPause: Bool { kind != .work }

    var isTrusted: Bool { circumstances != .other }
    var isChainTrusted: Bool { isTrusted && circumstances != .alike }

    var asksOtherwise: Bool {
      matched != nil && circumstances == .other && !isPause && !responder.isOnTape
    }

    var nextAnswer: Duration? {
      scheduled.first?.live.map { max(.zero, startedAt ?? .zero) + max(.zero, $0.delay) }
    }

    var words: String { origin.words(number) }
  }

  enum EffectResponder: Sendable, Equatable {
    /// The recording; for a pause that is not in it, the clock.
    case recording
    case nobody
    /// Its body, run on the tape, or a recorded effect that asked the same.
    case tape
    /// Unknown from here: its body, run on the tape, may wait for this question.
    case endOfTape(Question?)
    case user

    var isUnanswered: Bool { if case .endOfTape = self { true } else { self == .nobody } }

    var isOnTape: Bool { if case .endOfTape = self { true } else { self == .tape } }
  }

  enum StartConditions: Sendable {
    /// By a step with the same action, the same state before and the same reads
    /// (`effects/stale-answer`).
    case recorded
    /// By another step, but at the same time and with the same code, captures and dependencies.
    /// Says nothing about chained effects.
    case alike
    case other
  }

  struct Due {
    enum What {
      case pauseIsOver
      case answer(EffectAnswer)
      case taped(TapedEvent)
    }

    var entry: Entry
    var time: Duration
    /// The start of its wait: of two simultaneous events, the longer wait comes first.
    var since: Duration? = .zero
    var what: What
    /// Another event is due at the same time, in unknown order.
    var isTied = false

    var isDeed: Bool {
      switch what {
      case .pauseIsOver: true
      case .taped(let event): event.isDeed
      case .answer: false
      }
    }
  }

  private(set) var inFlight: [EffectID: Entry] = [:]
  private var byMachine: [Int: EffectID] = [:]
  private var byMatched: [EffectID: EffectID] = [:]
  /// By effect of the source: why its emissions are left out.
  private var over: [EffectID: LeftOutStep.Reason] = [:]
  private var nextNumber: EffectID
  private(set) var scheduled: Set<EffectID> = []
  private var uselessAnswers: [EffectID: Int] = [:]
  /// The effects that had sent nothing before the user answered them.
  private(set) var answeredByHand: Set<EffectID> = []
  private var withoutAnswer: Set<EffectID> = []
  /// Moved steps of the branch, and the steps they sent. Their effects' outcomes at the new time
  /// are unknown.
  private var displaced: Set<Int> = []
  /// Changed steps of the branch that a throttle may hold back something of.
  var changed: Set<Int> = []
  /// Effects that only the source knows, of steps that were left out.
  var unstarted: Set<EffectID> = []
  private let seesEffects: Bool

  init(firstNumber: EffectID = .firstOfFork, seesEffects: Bool = true) {
    (nextNumber, self.seesEffects) = (firstNumber, seesEffects)
  }

  @discardableResult
  mutating func add(_ entry: Entry) -> EffectID {
    var entry = entry
    // A branch as source can have such numbers, too.
    if entry.matched == nil || inFlight[entry.number] != nil {
      while inFlight[nextNumber] != nil || over[nextNumber] != nil { nextNumber = nextNumber.next }
      entry.number = nextNumber
      nextNumber = nextNumber.next
    }
    inFlight[entry.number] = entry
    if let machine = entry.machine { byMachine[machine] = entry.number }
    if let matched = entry.matched {
      byMatched[matched] = entry.number
      over[matched] = nil
    }
    for candidate in entry.candidates { over[candidate] = .unanswered }
    return entry.number
  }

  func entry(machine: Int) -> Entry? { byMachine[machine].flatMap { inFlight[$0] } }
  func entry(matching effect: EffectID) -> Entry? { byMatched[effect].flatMap { inFlight[$0] } }
  func entry(_ number: EffectID) -> Entry? { inFlight[number] }

  func knows(_ effect: EffectID) -> Bool {
    byMatched[effect] != nil || [.finished, .cancelled].contains(over[effect])
  }

  mutating func update(_ number: EffectID, _ change: (inout Entry) -> Void) {
    guard var entry = inFlight[number] else {
      return impossible("only an effect in flight changes")
    }
    change(&entry)
    inFlight[number] = entry
  }

  mutating func end(_ number: EffectID, _ reason: LeftOutStep.Reason) {
    guard let entry = inFlight.removeValue(forKey: number) else { return }
    if let machine = entry.machine { byMachine[machine] = nil }
    if let matched = entry.matched {
      byMatched[matched] = nil
      over[matched] = reason
    }
  }

  /// The first event due by this time: the end of a pause, or a live run's answer. Without a time,
  /// the first such answer. Excludes effects that start at this very time after other events.
  func firstDue(by time: Duration?, at position: Int, withNew: (Entry) -> Bool = { _ in true })
    -> Due?
  {
    var first: Due?
    for entry in inFlight.values {
      if let time, let end = entry.due, end <= time {
        chooseEarlier(
          Due(entry: entry, time: end, since: entry.startedAt ?? .zero, what: .pauseIsOver), &first)
      }
      if let event = entry.history.first, event.time <= time ?? event.time,
        event.time != time || event.since != time || withNew(entry)
      {
        chooseEarlier(
          Due(entry: entry, time: event.time, since: event.since, what: .taped(event)), &first)
      }
      if let moment = entry.nextAnswer, moment <= time ?? moment,
        let answer = entry.scheduled.first, answer.after <= position
      {
        chooseEarlier(Due(entry: entry, time: moment, what: .answer(answer)), &first)
      }
    }
    return first
  }

  private func chooseEarlier(_ due: Due, _ first: inout Due?) {
    guard let known = first else {
      first = due
      return
    }
    let isTied =
      due.time == known.time && (due.since == nil || known.since == nil || known.isTied)
    defer { if isTied { first?.isTied = true } }
    // If two started at the same time, the earlier start wins; the source's numbers do not show
    // that.
    let place = due.entry.machine ?? .min
    let other = known.entry.machine ?? .min
    if (due.time, due.since ?? .zero, place, due.entry.number)
      < (known.time, known.since ?? .zero, other, known.entry.number)
    {
      first = due
    }
  }

  var hasPauses: Bool {
    inFlight.values.contains { $0.due != nil || !$0.scheduled.isEmpty || !$0.history.isEmpty }
  }

  func isExactly(_ effects: Set<EffectID>) -> Bool {
    inFlight.count == effects.count
      && inFlight.values.allSatisfy { entry in
        guard let matched = entry.matched else { return false }
        // A throttle may hold back more than is known.
        if case .window = entry.kind { return false }
        return effects.contains(matched) && entry.responder == .recording
          && entry.circumstances == .recorded && !entry.hasLostEmission && entry.due == nil
      }
  }
}

// MARK: - What starts

extension EffectMatcher {
  /// Adds a started effect and returns its number. One without a match is unanswered
  /// (`effects/unanswered`), but a pause ends by the clock (`endings/pause`), unless it ends as
  /// recorded.
  mutating func start(
    _ effect: StoreEffect, _ origin: EffectOrigin, as match: EffectMatch,
    _ circumstances: StartConditions, at clock: Duration?, _ replayCursor: ReplayCursor,
    endsAsRecorded: Bool
  ) -> EffectID {
    var entry = Entry(
      number: match.effect ?? 0, machine: effect.number, origin: origin,
      matched: match.effect, candidates: match.candidates)
    if match.effect.map(withoutAnswer.contains) ?? true { entry.responder = .nobody }
    entry.circumstances = circumstances
    entry.kind = effect.kind
    if displaced.contains(effect.step) {
      displace(&entry, replayCursor)
    } else if let matched = entry.matched, replayCursor.source.answeredByHand.contains(matched) {
      // A user's answer is valid wherever the effect starts.
      entry.circumstances = .recorded
    }
    switch effect.kind {
    case .work: break
    case .pause(let duration), .window(let duration):
      entry.pauseEnd = clock.map { $0 + duration }
      if !endsAsRecorded || displaced.contains(effect.step) {
        entry.due = entry.pauseEnd
        entry.responder = entry.due == nil ? .nobody : .recording
      }
    }
    entry.startedAt = clock
    let number = add(entry)
    answerByHand(number, replayCursor.script)
    return number
  }

  mutating func markDisplaced(of step: Int, sentBy sender: Int?, isMoved: Bool) {
    if isMoved || sender.map(displaced.contains) ?? false { displaced.insert(step) }
  }

  /// An effect at another time is another question, and its recorded past cannot repeat
  /// (`edits/moved-starter` and `edits/moved-step`). A pause keeps its length.
  private func displace(_ entry: inout Entry, _ replayCursor: ReplayCursor) {
    entry.circumstances = .other
    guard let matched = entry.matched else { return }
    if entry.isPause {
      entry.matched = nil
    } else if !replayCursor.inFlight.contains(matched),
      replayCursor.position >= (replayCursor.descents[entry.origin.step] ?? .max)
    {
      entry.responder = .nobody
    }
  }
}

// MARK: - The user's and the recording's answers

extension EffectMatcher {
  /// A manual answer replaces everything recorded for the effect, unless it came before the effect
  /// started (`answers/by-hand`).
  mutating func answerByHand(_ number: EffectID, _ script: ScriptPlan) {
    guard let count = script.answers[number], count > uselessAnswers[number] ?? 0 else { return }
    let live = script.scheduled[number] ?? []
    if !live.isEmpty { scheduled.insert(number) }
    update(number) {
      $0.responder = .user
      $0.scheduled = live
    }
  }

  mutating func answered(by answer: EffectAnswer) -> Entry? {
    guard let entry = inFlight[answer.effect] else {
      uselessAnswers[answer.effect, default: 0] += 1
      return nil
    }
    update(entry.number) { $0.responder = .user }
    if answer.live == nil, !entry.hasSpoken { answeredByHand.insert(entry.number) }
    return entry
  }

  /// The reason that an emission did not happen here (`effects/orphan`); nil if it did.
  func absence(of cause: Cause) -> LeftOutStep.Reason? {
    guard case .effect(let effect) = cause else { return nil }
    guard seesEffects else { return unstarted.contains(effect) ? .notStarted : nil }
    guard let entry = entry(matching: effect) else { return over[effect] ?? .notStarted }
    if entry.responder == .user { return .answered }
    return entry.responder.isUnanswered ? .unanswered : nil
  }

  /// Leaves out an emission of a source's effect, which makes later ones stale (`effects/orphan`).
  mutating func loseEmission(of effect: EffectID, isMoved: Bool) {
    if let entry = entry(matching: effect) {
      update(entry.number) { $0.hasLostEmission = true }
    } else if isMoved {
      // The user moved it to a place where its effect does not run, so no answer is known.
      withoutAnswer.insert(effect)
    }
  }

  /// The recording cancelled it, and the branch did not (`endings/missing-cancel`): a pause
  /// continues, anything else is unknown. Returns whether to find out.
  mutating func goesOn(_ entry: Entry) -> Bool {
    update(entry.number) { entry in
      if entry.pauseEnd != nil {
        entry.due = entry.pauseEnd
      } else if entry.responder != .user {
        entry.responder = .nobody
      }
    }
    return entry.pauseEnd == nil && entry.responder != .user
  }
}

extension EffectMatcher.Entry {
  init(recorded number: EffectID, _ origin: EffectOrigin, hasSpoken: Bool) {
    self.init(number: number, machine: nil, origin: origin, matched: number)
    self.hasSpoken = hasSpoken
  }
}
