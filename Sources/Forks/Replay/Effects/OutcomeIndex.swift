import Platform
import SessionWords
import ValueTree

/// The recorded outcomes of a source's effects: offers for effects without an answer, and repeated
/// for those that ask the same.
///
/// Used by one thread at a time.
final class OutcomeIndex {
  struct Seen {
    var origin: EffectOrigin?
    var start: Duration?
    var end: EffectEvent?
  }

  let source: any ReplaySource
  private lazy var events = Result { try readEvents() }
  private lazy var emissions = Result { try findEmissions() }
  private lazy var reads = Result { try Dictionary(grouping: source.outsideReads(), by: \.effect) }
  private(set) lazy var answers = Result { try TapeAnswers(source) }
  /// The effects that read a value that may change; nil if the recording does not tell.
  private lazy var drawers = Result { try findDrawers() }

  /// Where a fork was exported, the effects whose answers were a guess there.
  private lazy var doubted = Set(
    source.assumptions(standingAfter: source.steps.upperBound).compactMap { assumption in
      if case .effect(let effect) = assumption.subject { effect } else { nil }
    })

  private(set) lazy var namings = Result {
    guard source.tape.contains(Read.cancelID) else { return [OutsideRead]() }
    return try source.outsideReads().filter { $0.read.key == Read.cancelID }
  }

  private static let siteLimit = 5
  private static let nearCount = 16

  init(_ source: any ReplaySource) { self.source = source }

  /// A known effect's later outcomes, then those of others of its site; for an unknown effect,
  /// outcomes of its place or site.
  func outcomes(for entry: EffectMatcher.Entry, after step: Int) throws -> [RecordedOutcome] {
    let isOpen = entry.responder.isUnanswered || entry.responder.isOnTape
    let own = try own(ofEffect: entry.matched).filter { $0.step > step || isOpen }
    var effects = entry.candidates
    if effects.isEmpty {
      effects = try self.effects(at: entry.origin).filter { $0 != entry.matched }
      effects = Array(effects.prefix(Self.siteLimit))
    }
    return try own + effects.flatMap { try self.own(ofEffect: $0) }
  }

  func own(ofEffect effect: EffectID?) throws -> [RecordedOutcome] {
    guard let effect else { return [] }
    var outcomes = try (emissions.get()[effect] ?? []).map {
      let step = try source.step($0)
      return RecordedOutcome(
        effect: effect, step: $0, label: step.label, outcome: .emit(action: step.action))
    }
    if let end = try end(of: effect) {
      outcomes.insert(
        RecordedOutcome(effect: effect, step: end.step, outcome: end.kind.outcome),
        at: outcomes.firstIndex { $0.step > end.step } ?? outcomes.count)
    }
    return outcomes
  }

  /// The id that an effect's body cancelled these by; nil if none. Chained effects may have
  /// cancelled more afterwards.
  func cancellation(of ends: [EffectEvent]) throws -> (id: String, effect: EffectID?)? {
    guard let first = ends.first, ends.allSatisfy({ $0.kind == .cancelled && !$0.isAlone }) else {
      return nil
    }
    for naming in try namings.get() where naming.time == first.time {
      guard case .value(.string(let id)) = naming.read.outcome else { continue }
      if try origin(of: first.effect)?.cancelID?.contains(id) == true { return (id, naming.effect) }
    }
    return nil
  }

  func origin(of effect: EffectID) throws -> EffectOrigin? {
    try events.get().effects[effect]?.origin
  }

  func end(of effect: EffectID?) throws -> EffectEvent? {
    try effect.flatMap { try events.get().effects[$0]?.end }
  }

  func root(ofEffect effect: EffectID) throws -> Int? {
    guard var step = try origin(of: effect)?.step else { return nil }
    while let sent = try source.sender(of: step) {
      switch sent.cause {
      case .user, .outside, .unknown: return sent.step
      case .output: return nil
      case .effect(let effect):
        guard let starter = try origin(of: effect)?.step, starter < sent.step else { return nil }
        step = starter
      }
    }
    return nil
  }

  func effects(startedBy step: Int) throws -> [EffectID] { try events.get().starters[step] ?? [] }

  func starts(_ step: Int) throws -> Bool { try !effects(startedBy: step).isEmpty }

  private func effects(at origin: EffectOrigin) throws -> [EffectID] {
    try events.get().places[EffectPlace(siteOf: origin)] ?? []
  }

  func effects(at origin: EffectOrigin, near step: Int) throws -> [(effect: EffectID, EffectOrigin)]
  {
    let all = try effects(at: origin)
    let known = try events.get().effects
    let place = all.indices.firstBehind { known[all[$0]]?.origin?.step ?? 0 < step }
    return all[max(0, place - Self.nearCount)..<min(all.count, place + Self.nearCount)]
      .compactMap { effect in (known[effect]?.origin).map { (effect, $0) } }
  }

  private func readEvents() throws -> (
    effects: [EffectID: Seen], places: [EffectPlace: [EffectID]], starters: [Int: [EffectID]]
  ) {
    var effects: [EffectID: Seen] = [:]
    var places: [EffectPlace: [EffectID]] = [:]
    var starters: [Int: [EffectID]] = [:]
    func add(_ effect: EffectID, _ origin: EffectOrigin, at start: Duration?) {
      effects[effect] = Seen(origin: origin, start: start)
      places[EffectPlace(siteOf: origin), default: []].append(effect)
      starters[origin.step, default: []].append(effect)
    }
    for effect in source.inFlightAtStart { add(effect.effect, effect.origin, at: nil) }
    for event in try source.effectEvents(in: source.steps) {
      if let origin = event.origin {
        add(event.effect, origin, at: event.time)
      } else {
        effects[event.effect, default: Seen()].end = event
      }
    }
    return (effects, places, starters)
  }

  private func findEmissions() throws -> [EffectID: [Int]] {
    var emissions: [EffectID: [Int]] = [:]
    for number in try source.sentSteps() {
      guard case .effect(let effect) = try source.step(number).cause else { continue }
      emissions[effect, default: []].append(number)
    }
    return emissions
  }
}

struct EffectHistory {
  var effect: EffectID
  /// Their reads have the time since the start.
  var activities: [(after: Duration, what: TapedEvent.What, asked: [OutsideRead])] = []

  func longer(of other: Self) -> Self? {
    for (activity, another) in zip(activities, other.activities) {
      switch (activity.what, another.what) {
      case (.emits(let one, _), .emits(let two, _)) where one.isExactlyEqual(to: two): break
      case (.ends(let one), .ends(let two)) where one == two: break
      case (.stops, .stops): return activity.after < another.after ? other : self
      case (.stops, _): return activity.after <= another.after ? other : nil
      case (_, .stops): return another.after <= activity.after ? self : nil
      default: return nil
      }
    }
    return self
  }
}

/// What is recorded of an effect that was not over at its cancellation, or at the recording's end.
struct UnfinishedEffect {
  var start: Duration
  var end: Duration
  var sent: [Step]
  var reads: [OutsideRead]

  var answered: [OutsideRead] { reads.filter { !$0.read.isCancelled } }
  /// The time of the last thing that it sent or read.
  var last: Duration { (sent.map(\.time) + answered.map(\.time)).compactMap(\.self).max() ?? .zero }
}

extension OutcomeIndex {
  func unfinished(_ effect: EffectID) throws -> UnfinishedEffect? {
    guard let seen = try events.get().effects[effect], let start = seen.start,
      let over = source.end, !source.touchedEffects.contains(effect), !doubted.contains(effect)
    else { return nil }
    // Nothing comes at the recorded end.
    var end = source.knowsEnd ? over + .nanoseconds(1) : over
    if let last = seen.end {
      guard last.kind == .cancelled, let time = last.time else { return nil }
      end = time
    }
    let steps = try (emissions.get()[effect] ?? []).map(source.step)
    guard steps.allSatisfy({ $0.damage == nil && !$0.isSkipped }) else { return nil }
    return UnfinishedEffect(
      start: start, end: end, sent: steps, reads: try reads.get()[effect] ?? [])
  }

  func history(of effect: EffectID) throws -> EffectHistory? {
    guard let seen = try events.get().effects[effect], let start = seen.start,
      let over = source.end,
      let origin = seen.origin, try drawers.get()?.contains(effect) == false,
      !source.touchedEffects.contains(effect), !doubted.contains(effect)
    else { return nil }
    var history = EffectHistory(effect: effect)
    var reads = try (self.reads.get()[effect] ?? []).map { $0.later(by: .zero - start) }
    for number in try emissions.get()[effect] ?? [] {
      let step = try source.step(number)
      guard let time = step.time, step.damage == nil, !step.isSkipped else { return nil }
      let asked = Array(reads.prefix { $0.step < number })
      reads.removeFirst(asked.count)
      history.activities.append((time - start, .emits(step.action, label: step.label), asked))
    }
    let after = (seen.end?.time ?? over) - start
    switch seen.end?.kind {
    case .finished?, .failed?:
      history.activities.append((after, .ends(seen.end?.kind ?? .finished), reads))
    case .cancelled?, .started?, nil:
      let words =
        "asks the same as \(origin.words(effect)); the recording has no later answers of it"
      history.activities.append((after, .stops(words, nil), reads))
    }
    return history
  }

  /// A recording without dates on tape does not tell who read one. A read without an owner may be
  /// any effect's. An effect that names cancel ids may cancel what another run does not have.
  private func findDrawers() throws -> Set<EffectID>? {
    let reads = try source.outsideReads()
    guard source.tape.contains("date"),
      !reads.contains(where: {
        $0.effect == nil && $0.read.isDrawn || $0.read.key == Read.cancelID
      })
    else { return nil }
    let answers = try answers.get()
    return Set(
      reads.compactMap { read in
        if case .contradictory = answers.answer(to: Question(read.read), 0) { return read.effect }
        return read.read.isDrawn ? read.effect : nil
      })
  }
}

extension OutsideRead {
  func later(by time: Duration) -> Self {
    OutsideRead(read, effect: effect, step: step, time: self.time.map { $0 + time }, took: took)
  }
}

extension Read {
  /// Whether the value may change. The clock of effects only measures.
  fileprivate var isDrawn: Bool { arguments == nil && key != "clock" }
}

extension RecordedOutcome {
  var isEmission: Bool { if case .emit = outcome { true } else { false } }
}

extension EffectEvent.Kind {
  fileprivate var outcome: EffectAnswer.Outcome {
    switch self {
    case .started, .finished: .finish
    case .failed(let message): .fail(message: message)
    case .cancelled: .cancel
    }
  }
}
