import SessionWords
import StoreCore
import StoreRecording

/// The effects of a branch: which recorded effect each one is, and who says what it does.
struct EffectBook: Sendable {
  struct Entry: Sendable {
    /// As in the source where it matches, else a number that the source does not use.
    var number: Int
    /// Its number in the store machine; nil where it was started before the machine was.
    var machine: Int?
    /// Its step is the branch's.
    var origin: EffectOrigin
    /// The source's effect that it is.
    var matched: Int?
    /// The same effects of the source, when they could not be told apart
    /// (`effects/ambiguous-count`).
    var candidates: [Int] = []
    var voice = Voice.recording
    var circumstances = Circumstances.recorded
    var kind = Kind.work
    /// When a pause is over on the branch's clock; nil where it ends as recorded.
    var due: Duration?
    /// When a pause would be over by its length.
    var pauseEnd: Duration?
    /// When it started, on the branch's clock.
    var startedAt: Duration?
    /// What it does from now on, where its body was run on the tape or a recorded one tells.
    var course: [TapedEvent] = []
    /// The recorded effect whose course that is, where it was not run.
    var example: Int?
    /// Its answers from a live run that are still to come, in order.
    var scheduled: [EffectAnswer] = []
    /// Something that it sent was taken from the recording.
    var hasSpoken = false
    /// Something that it sent was left out, and what it sends later may be something else
    /// (`effects/orphan`).
    var hasLostEmission = false

    /// It only waits, for as long as its reducer said.
    var isPause: Bool { kind != .work }

    var isTrusted: Bool { circumstances != .other }
    /// What is chained to it is as recorded, too.
    var isChainTrusted: Bool { isTrusted && circumstances != .alike }

    /// It was started under other circumstances than the recorded effect that it is.
    var asksOtherwise: Bool {
      matched != nil && circumstances == .other && !isPause && !voice.isOnTape
    }

    /// When its next answer from a live run comes; zero where the branch has no clock.
    var nextAnswer: Duration? {
      scheduled.first?.live.map { max(.zero, startedAt ?? .zero) + max(.zero, $0.delay) }
    }

    var words: String { origin.words(number) }
  }

  /// Who says what an effect does from now on.
  enum Voice: Sendable, Equatable {
    /// The recording; of a pause that it does not have, the clock.
    case recording
    /// Nobody, and nothing recorded may be used.
    case nobody
    /// Its body, which was run on the tape, or a recorded effect that was asked the same.
    case tape
    /// Nobody from here on: its body was run on the tape, and may wait for this.
    case endOfTape(Question?)
    /// The user.
    case user

    var isUnanswered: Bool {
      switch self {
      case .nobody, .endOfTape: true
      case .recording, .tape, .user: false
      }
    }

    /// Nothing recorded is used of it.
    var isOnTape: Bool {
      switch self {
      case .tape, .endOfTape: true
      case .recording, .nobody, .user: false
      }
    }
  }

  /// How an effect was started, beside the recorded one that it is.
  enum Circumstances: Sendable {
    /// By a step with the same action, the same state before and the same reads
    /// (`effects/stale-answer`).
    case recorded
    /// By another one, but at its time and with the same code, captured values and dependencies: that says
    /// nothing of what is chained to it.
    case alike
    case other
  }

  enum Kind: Sendable {
    case work, pause
    /// Of a throttle, which may hold back more than the book knows.
    case window
  }

  /// What the branch's clock brings about.
  struct Due {
    enum What {
      case pauseIsOver
      case answer(EffectAnswer)
      case taped(TapedEvent)
    }

    var entry: Entry
    var time: Duration
    /// Since when it was waited for: of two at one time the one that waited longer comes first.
    var since: Duration? = .zero
    var what: What
    /// Something else comes at its time, and nobody knows what is first.
    var isTied = false

    /// What comes at its time by itself and changes something.
    var isDeed: Bool {
      switch what {
      case .pauseIsOver: true
      case .taped(let event): event.isDeed
      case .answer: false
      }
    }
  }

  private(set) var inFlight: [Int: Entry] = [:]
  private var byMachine: [Int: Int] = [:]
  private var byMatched: [Int: Int] = [:]
  /// Why emissions of these effects of the source are left out.
  private var over: [Int: LeftOutStep.Reason] = [:]
  /// Effects that the source does not know are numbered from here.
  private var nextNumber: Int
  /// Those that the branch started of the effects with answers from live runs.
  private(set) var scheduled: Set<Int> = []
  /// How many answers for an effect came where it did not run.
  private var uselessAnswers: [Int: Int] = [:]
  /// Effects that had said nothing before the user said what they do.
  private(set) var answeredByHand: Set<Int> = []
  /// Effects of the source whose answer was moved away from them.
  private var withoutAnswer: Set<Int> = []
  /// Steps of the branch that were moved, and those that they sent: nobody knows how their effects
  /// would have gone at another time.
  private var displaced: Set<Int> = []

  init(firstNumber: Int = EffectEvent.firstOfBranch) { nextNumber = firstNumber }

  /// Gives the number that it has from now on.
  @discardableResult
  mutating func add(_ entry: Entry) -> Int {
    var entry = entry
    // The recording of a branch can have such numbers, too.
    if entry.matched == nil || inFlight[entry.number] != nil {
      while inFlight[nextNumber] != nil || over[nextNumber] != nil { nextNumber += 1 }
      entry.number = nextNumber
      nextNumber += 1
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
  func entry(matching effect: Int) -> Entry? { byMatched[effect].flatMap { inFlight[$0] } }
  func entry(_ number: Int) -> Entry? { inFlight[number] }

  /// Whether this effect of the source runs here, or did.
  func knows(_ effect: Int) -> Bool {
    byMatched[effect] != nil || [.finished, .cancelled].contains(over[effect])
  }

  mutating func update(_ number: Int, _ change: (inout Entry) -> Void) {
    guard var entry = inFlight[number] else { return }
    change(&entry)
    inFlight[number] = entry
  }

  mutating func end(_ number: Int, _ reason: LeftOutStep.Reason) {
    guard let entry = inFlight.removeValue(forKey: number) else { return }
    if let machine = entry.machine { byMachine[machine] = nil }
    if let matched = entry.matched {
      byMatched[matched] = nil
      over[matched] = reason
    }
  }

  /// What is due first, at this time or before: a pause that is over, or an answer of a live run
  /// whose place the branch has reached. Without a time, the first of such answers.
  ///
  /// What begins at this very time is left out where what others do then comes first.
  func firstDue(by time: Duration?, at position: Int, withNew: (Entry) -> Bool = { _ in true })
    -> Due?
  {
    var first: Due?
    for entry in inFlight.values {
      if let time, let end = entry.due, end <= time {
        keepEarlier(
          Due(entry: entry, time: end, since: entry.startedAt ?? .zero, what: .pauseIsOver), &first)
      }
      if let event = entry.course.first, event.time <= time ?? event.time,
        event.time != time || event.since != time || withNew(entry)
      {
        keepEarlier(
          Due(entry: entry, time: event.time, since: event.since, what: .taped(event)), &first)
      }
      if let moment = entry.nextAnswer, moment <= time ?? moment,
        let answer = entry.scheduled.first, answer.after <= position
      {
        keepEarlier(Due(entry: entry, time: moment, what: .answer(answer)), &first)
      }
    }
    return first
  }

  private func keepEarlier(_ due: Due, _ first: inout Due?) {
    guard let known = first else {
      first = due
      return
    }
    let isTied =
      due.time == known.time && (due.since == nil || known.since == nil || known.isTied)
    defer { if isTied { first?.isTied = true } }
    // Of two that began at one time the one that started first: numbers of the source say nothing of that.
    let place = due.entry.machine ?? .min
    let other = known.entry.machine ?? .min
    if (due.time, due.since ?? .zero, place, due.entry.number)
      < (known.time, known.since ?? .zero, other, known.entry.number)
    {
      first = due
    }
  }

  /// Something comes about by the clock alone.
  var hasPauses: Bool {
    inFlight.values.contains { $0.due != nil || !$0.scheduled.isEmpty || !$0.course.isEmpty }
  }

  /// Every effect is the source's, and nothing about it is in doubt.
  func isExactly(_ effects: Set<Int>) -> Bool {
    inFlight.count == effects.count
      && inFlight.values.allSatisfy { entry in
        guard let matched = entry.matched else { return false }
        return effects.contains(matched) && entry.voice == .recording
          && entry.circumstances == .recorded && !entry.hasLostEmission && entry.due == nil
          && entry.kind != .window
      }
  }
}

// MARK: - What starts

extension EffectBook {
  /// Takes in what starts now, and gives its number. One that the recording does not know is
  /// unanswered (`effects/unanswered`), but a pause ends by the clock (`endings/pause`), unless it
  /// ends as recorded.
  mutating func start(
    _ effect: StoreEffect, _ origin: EffectOrigin, as match: EffectMatches.Match,
    _ circumstances: Circumstances, at clock: Duration?, _ follower: Follower, endsAsRecorded: Bool
  ) -> Int {
    var entry = Entry(
      number: match.effect ?? 0, machine: effect.number, origin: origin,
      matched: match.effect, candidates: match.candidates)
    if match.effect.map(withoutAnswer.contains) ?? true { entry.voice = .nobody }
    entry.circumstances = circumstances
    if effect.kind != .work { entry.kind = .pause }
    if displaced.contains(effect.step) {
      displace(&entry, follower)
    } else if let matched = entry.matched, follower.source.answeredByHand.contains(matched) {
      // What the user says of it holds wherever it is started.
      entry.circumstances = .recorded
    }
    switch effect.kind {
    case .work: break
    case .pause(let duration), .window(let duration):
      if case .window = effect.kind { entry.kind = .window }
      entry.pauseEnd = clock.map { $0 + duration }
      if !endsAsRecorded || displaced.contains(effect.step) {
        entry.due = entry.pauseEnd
        entry.voice = entry.due == nil ? .nobody : .recording
      }
    }
    entry.startedAt = clock
    let number = add(entry)
    answerByHand(number, follower.script)
    return number
  }

  /// A moved step, and all that it sends.
  mutating func noteDisplacement(of step: Int, sentBy sender: Int?, isMoved: Bool) {
    if isMoved || sender.map(displaced.contains) ?? false { displaced.insert(step) }
  }

  /// An effect at another time is another question; what the recording has said of it by now cannot be
  /// said again (`edits/moved-starter` and `edits/moved-step`). A pause takes as long as it takes.
  private func displace(_ entry: inout Entry, _ follower: Follower) {
    entry.circumstances = .other
    guard let matched = entry.matched else { return }
    if entry.isPause {
      entry.matched = nil
    } else if !follower.inFlight.contains(matched),
      follower.position >= (follower.descents[entry.origin.step] ?? .max)
    {
      entry.voice = .nobody
    }
  }
}

// MARK: - What the user and the recording say

extension EffectBook {
  /// An answer by hand takes the place of everything that was recorded for the effect, unless it
  /// came before the effect was there (`answers/by-hand`).
  mutating func answerByHand(_ number: Int, _ script: ScriptPlan) {
    guard let count = script.answers[number], count > uselessAnswers[number] ?? 0 else { return }
    let live = script.scheduled[number] ?? []
    if !live.isEmpty { scheduled.insert(number) }
    update(number) {
      $0.voice = .user
      $0.scheduled = live
    }
  }

  /// The effect that an answer of the user is for; nil where it does not run, and the answer is for
  /// nothing.
  mutating func answered(by answer: EffectAnswer) -> Entry? {
    guard let entry = inFlight[answer.effect] else {
      uselessAnswers[answer.effect, default: 0] += 1
      return nil
    }
    update(entry.number) { $0.voice = .user }
    if answer.live == nil, !entry.hasSpoken { answeredByHand.insert(entry.number) }
    return entry
  }

  /// Why an emission did not happen here (`effects/orphan`); nil when it did, and for actions of
  /// the user.
  func absence(of cause: Cause) -> LeftOutStep.Reason? {
    guard case .effect(let effect) = cause else { return nil }
    guard let entry = entry(matching: effect) else { return over[effect] ?? .notStarted }
    if entry.voice == .user { return .answered }
    return entry.voice.isUnanswered ? .unanswered : nil
  }

  /// An emission of an effect of the source is left out: the later ones are stale
  /// (`effects/orphan`).
  mutating func loseEmission(of effect: Int, isMoved: Bool) {
    if let entry = entry(matching: effect) {
      update(entry.number) { $0.hasLostEmission = true }
    } else if isMoved {
      // It was moved to where its effect does not run: then nobody knows an answer.
      withoutAnswer.insert(effect)
    }
  }

  /// It was cancelled in the recording and is not here (`endings/missing-cancel`): a pause goes on,
  /// and of anything else nobody knows what it does. Says whether that has to be found out.
  mutating func goesOn(_ entry: Entry) -> Bool {
    update(entry.number) { entry in
      if entry.pauseEnd != nil {
        entry.due = entry.pauseEnd
      } else if entry.voice != .user {
        entry.voice = .nobody
      }
    }
    return entry.pauseEnd == nil && entry.voice != .user
  }
}

extension EffectBook.Entry {
  /// One of the source that no machine of the branch has started.
  init(recorded number: Int, _ origin: EffectOrigin, hasSpoken: Bool) {
    self.init(number: number, machine: nil, origin: origin, matched: number)
    self.hasSpoken = hasSpoken
  }
}
