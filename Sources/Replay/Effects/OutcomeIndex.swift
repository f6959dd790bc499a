import SessionWords

/// What recorded effects were seen to do: offered for effects without an answer.
struct OutcomeIndex: Sendable {
  private let source: any ReplaySource
  private var outcomes: [Int: [RecordedOutcome]]?
  private var places: [EffectPlace: [Int]] = [:]
  /// The steps that effects were started by.
  private var starters: [Int: Int]?

  /// How many effects of the same site are offered for one that matches none.
  private static let siteLimit = 5

  init(_ source: any ReplaySource) { self.source = source }

  /// Of an effect that is known, what it did later, and then what others of its site did; of one
  /// that is not, what effects of its place or its site did.
  mutating func outcomes(
    for entry: EffectBook.Entry, after step: Int
  ) throws -> [RecordedOutcome] {
    try build()
    var own: [RecordedOutcome] = []
    if let matched = entry.matched {
      own = (outcomes?[matched] ?? []).filter { $0.step > step || entry.voice.isUnanswered }
    }
    var effects = entry.candidates
    if effects.isEmpty {
      effects = Array(
        (places[Self.site(entry.origin)] ?? []).filter { $0 != entry.matched }
          .prefix(Self.siteLimit))
    }
    return own + effects.flatMap { outcomes?[$0] ?? [] }
  }

  /// What this effect did, in order.
  mutating func own(ofEffect effect: Int?) throws -> [RecordedOutcome] {
    guard let effect else { return [] }
    try build()
    return outcomes?[effect] ?? []
  }

  /// The step of the user that an effect descends from.
  mutating func root(ofEffect effect: Int) throws -> Int? {
    let starters = try starters ?? source.starters()
    self.starters = starters
    guard var step = starters[effect] else { return nil }
    while let sent = try source.sender(of: step) {
      switch sent.cause {
      case .user: return sent.step
      case .output: return nil
      case .effect(let effect):
        guard let starter = starters[effect], starter < sent.step else { return nil }
        step = starter
      }
    }
    return nil
  }

  private static func site(_ origin: EffectOrigin) -> EffectPlace {
    var site = EffectPlace(origin, step: 0)
    site.cancelID = nil
    return site
  }

  private mutating func build() throws {
    guard outcomes == nil else { return }
    var found: [Int: [RecordedOutcome]] = [:]
    for effect in source.inFlightAtStart {
      places[Self.site(effect.origin), default: []].append(effect.effect)
    }
    var ends: [Int: [EffectEvent]] = [:]
    for event in try source.effectEvents(in: source.steps) {
      if let origin = event.origin {
        places[Self.site(origin), default: []].append(event.effect)
      } else {
        ends[event.step, default: []].append(event)
      }
    }
    for number in source.steps {
      if number > source.steps.lowerBound {
        let step = try source.step(number)
        if case .effect(let effect) = step.cause {
          found[effect, default: []].append(
            RecordedOutcome(
              effect: effect, step: number, label: step.label,
              outcome: .emit(action: step.action)))
        }
      }
      for event in ends[number] ?? [] {
        found[event.effect, default: []].append(
          RecordedOutcome(
            effect: event.effect, step: number, outcome: event.kind.outcome))
      }
    }
    outcomes = found
  }
}

extension ReplaySource {
  fileprivate func starters() throws -> [Int: Int] {
    var starters: [Int: Int] = [:]
    for event in try effectEvents(in: steps) {
      if let origin = event.origin { starters[event.effect] = origin.step }
    }
    return starters
  }
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
