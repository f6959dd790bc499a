import SessionWords

/// The effects of a branch: which recorded effect each one is, and how it stands.
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
    /// The same effects of the source, when they could not be told apart (rule 7).
    var candidates: [Int] = []
    /// Started by a step with the same action, the same state before and the same reads (rule 10).
    var isTrusted: Bool
    /// Nothing recorded may be used from now on.
    var isUnanswered: Bool
    /// The user answers it, so what was recorded is not used.
    var isAnsweredByHand = false
    /// It only waits, for as long as its reducer said.
    var isPause = false
    /// An emission was left out, so the later ones are assumed (rule 11).
    var hasLostEmission = false
    /// When a pause that no recorded end belongs to is over on the branch's clock.
    var due: Duration?
    /// When a pause would be over by its length.
    var pauseEnd: Duration?
    /// It is the window of a throttle, which may hold back more than the book knows.
    var isWindow = false
    /// When it started, on the branch's clock.
    var startedAt: Duration?
    /// Its body was run on the tape, so nothing recorded is used of it.
    var isOnTape = false
    /// What it does from now on, where it was.
    var course: [TapedEvent] = []
    /// What it waits for there.
    var question: Question?
    /// Its answers from a live run that are still to come, in order.
    var scheduled: [EffectAnswer] = []

    /// Something that it sent was taken from the recording.
    var hasSpoken = false

    /// When its next answer from a live run comes; zero where the branch has no clock.
    var nextAnswer: Duration? {
      scheduled.first?.live.map { max(.zero, startedAt ?? .zero) + max(.zero, $0.delay) }
    }
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
    var since = Duration.zero
    var what: What
  }

  private(set) var inFlight: [Int: Entry] = [:]
  private var byMachine: [Int: Int] = [:]
  private var byMatched: [Int: Int] = [:]
  /// Why emissions of these effects of the source are left out.
  private var over: [Int: LeftOutStep.Reason] = [:]
  /// Effects that the source does not know are numbered from here.
  private var nextNumber: Int

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

  /// Whether nothing else is in flight, but what the source does not know: its pauses, or all of it.
  func isAll(_ entries: [Entry], orOwn isOwnLeft: Bool) -> Bool {
    let numbers = Set(entries.map(\.number))
    return inFlight.values.allSatisfy {
      numbers.contains($0.number) || $0.matched == nil && ($0.isPause || isOwnLeft)
    }
  }

  func entry(machine: Int) -> Entry? { byMachine[machine].flatMap { inFlight[$0] } }
  func entry(matching effect: Int) -> Entry? { byMatched[effect].flatMap { inFlight[$0] } }
  func entry(_ number: Int) -> Entry? { inFlight[number] }

  /// Whether this effect of the source runs here, or did.
  func knows(_ effect: Int) -> Bool {
    byMatched[effect] != nil || [.finished, .cancelled].contains(over[effect])
  }

  /// Why this effect of the source is not in flight here.
  func absence(of effect: Int) -> LeftOutStep.Reason { over[effect] ?? .notStarted }

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
  /// What begins at this very time comes behind what others do then, unless it is the user.
  func firstDue(by time: Duration?, at position: Int, withNew: Bool = true) -> Due? {
    var first: Due?
    for entry in inFlight.values {
      if let time, let end = entry.due, end <= time {
        take(
          Due(entry: entry, time: end, since: entry.startedAt ?? .zero, what: .pauseIsOver), &first)
      }
      if let event = entry.course.first, event.time <= time ?? event.time,
        withNew || event.time != time || event.since != time
      {
        take(Due(entry: entry, time: event.time, since: event.since, what: .taped(event)), &first)
      }
      if let moment = entry.nextAnswer, moment <= time ?? moment,
        let answer = entry.scheduled.first, answer.after <= position
      {
        take(Due(entry: entry, time: moment, what: .answer(answer)), &first)
      }
    }
    return first
  }

  private func take(_ due: Due, _ first: inout Due?) {
    guard let known = first else {
      first = due
      return
    }
    // Of two that began at one time the one that started first: numbers of the source say nothing of that.
    let place = due.entry.machine ?? .min
    let other = known.entry.machine ?? .min
    if (due.time, due.since, place, due.entry.number)
      < (known.time, known.since, other, known.entry.number)
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
        return effects.contains(matched) && entry.isTrusted && !entry.isUnanswered
          && !entry.isOnTape
          && !entry.isAnsweredByHand && !entry.hasLostEmission && entry.due == nil
          && !entry.isWindow
      }
  }
}

extension EffectBook.Entry {
  /// One of the source that no machine of the branch has started.
  init(recorded number: Int, _ origin: EffectOrigin, hasSpoken: Bool) {
    self.init(
      number: number, machine: nil, origin: origin, matched: number, isTrusted: true,
      isUnanswered: false)
    self.hasSpoken = hasSpoken
  }
}
