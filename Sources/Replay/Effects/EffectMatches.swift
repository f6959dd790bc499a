import SessionWords

/// Which recorded effects a batch of started ones is (rules 6 and 7).
struct EffectMatches {
  struct Match {
    var effect: Int?
    /// When the numbers differ at one place none is matched, and all of these are offered.
    var candidates: [Int] = []
  }

  private var matches: [Match]

  subscript(index: Int) -> Match { matches[index] }

  /// `started` are the places in the source; nil for what an inserted step started.
  init(started: [EffectPlace?], recorded: [EffectEvent]) {
    var known: [EffectPlace: [(ordinal: Int, effect: Int)]] = [:]
    for event in recorded {
      guard let origin = event.origin else { continue }
      known[EffectPlace(origin, step: origin.step), default: []]
        .append((origin.ordinal, event.effect))
    }
    var wanted: [EffectPlace: Int] = [:]
    for case let place? in started { wanted[place, default: 0] += 1 }
    var taken: [EffectPlace: Int] = [:]
    matches = started.map { place in
      guard let place, let effects = known[place]?.sorted(by: { $0.ordinal < $1.ordinal }) else {
        return Match()
      }
      guard effects.count == wanted[place] else {
        return Match(candidates: effects.map(\.effect))
      }
      let index = taken[place, default: 0]
      taken[place] = index + 1
      return Match(effect: effects[index].effect)
    }
  }
}
