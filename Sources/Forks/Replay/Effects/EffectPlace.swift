import SessionWords

/// An effect's key for matching (`effects/matching`): the step that its starter descends from, its
/// site and its cancel id. It omits the line, which every code change would move.
struct EffectPlace: Sendable, Hashable {
  var step: Int
  var file: String
  var name: String?
  var cancelID: String?

  init(_ origin: EffectOrigin, step: Int) {
    self.step = step
    file = origin.file
    name = origin.name
    cancelID = origin.cancelID
  }

  init(siteOf origin: EffectOrigin) {
    self.init(origin, step: 0)
    cancelID = nil
  }

  var text: String {
    let site = name.map { "“\($0)” of \(file)" } ?? file
    return cancelID.map { "\(site), cancel id \(Self.withoutWrappers($0[...]))" } ?? site
  }

  /// `App.Row.State[3]` for
  /// `StoreCore.ChildPlace<App.Row.State>(App.Row.State)[StoreCore.ChildID(3)]`.
  private static func withoutWrappers(_ text: Substring) -> String {
    guard let wrapper = text.firstRange(of: "StoreCore.") else { return String(text) }
    var depth = 0
    var start: Substring.Index?
    for index in text.indices[wrapper.upperBound...] {
      switch text[index] {
      case "(":
        if start == nil { start = text.index(after: index) }
        depth += 1
      case ")":
        depth -= 1
        guard depth == 0, let start else { continue }
        return text[..<wrapper.lowerBound] + withoutWrappers(text[start..<index])
          + withoutWrappers(text[text.index(after: index)...])
      case " " where start == nil: return String(text)
      default: break
      }
    }
    return String(text)
  }
}

struct EffectMatch {
  var effect: EffectID?
  /// If the counts differ at a place, none matches and these are all offered.
  var candidates: [EffectID] = []

  static func matches(of started: [EffectPlace?], in recorded: [EffectEvent]) -> [EffectMatch] {
    guard !started.isEmpty else { return [] }
    var known: [EffectPlace: [(ordinal: Int, effect: EffectID)]] = [:]
    for event in recorded {
      guard let origin = event.origin else { continue }
      known[EffectPlace(origin, step: origin.step), default: []]
        .append((origin.ordinal, event.effect))
    }
    var wanted: [EffectPlace: Int] = [:]
    for case let place? in started { wanted[place, default: 0] += 1 }
    var taken: [EffectPlace: Int] = [:]
    return started.map { place in
      guard let place, let effects = known[place]?.sorted(by: { $0.ordinal < $1.ordinal }) else {
        return EffectMatch()
      }
      guard effects.count == wanted[place] else {
        return EffectMatch(candidates: effects.map(\.effect))
      }
      let index = taken[place, default: 0]
      taken[place] = index + 1
      return EffectMatch(effect: effects[index].effect)
    }
  }
}

enum EffectActivity: Sendable {
  /// The ordinal counts only behind an effect's end: a throttle may have held back several of a step.
  case starts(EffectPlace, pause: Duration?, ordinal: Int)
  case cancels(EffectID)

  init(starting origin: EffectOrigin, of held: Int = 0) {
    self = .starts(
      EffectPlace(origin, step: held), pause: origin.pause, ordinal: held > 0 ? origin.ordinal : 0)
  }

  init?(_ event: EffectEvent, behindEnd isBehindEnd: Bool) {
    switch event.kind {
    case .started(let origin): self.init(starting: origin, of: isBehindEnd ? origin.step : 0)
    case .cancelled where !event.isFromOutside: self = .cancels(event.effect)
    case .cancelled, .finished, .failed: return nil
    }
  }

  func isSame(asRecorded recorded: EffectActivity) -> Bool {
    switch (self, recorded) {
    case (.starts(let place, let pause, let ordinal), .starts(let known, let length, let number)):
      place == known && ordinal == number && (length == nil || pause == length)
    case (.cancels(let effect), .cancels(let known)): effect == known
    default: false
    }
  }

  var text: String {
    switch self {
    case .starts(let place, let pause, let ordinal):
      "starts \(place.text)" + (place.step > 0 ? " for step \(place.step)" : "")
        + (ordinal > 1 ? ", effect \(ordinal) of it" : "")
        + (pause.map { ", a pause of \($0.decimalSeconds) s" } ?? "")
    case .cancels(let effect): "cancels effect \(effect)"
    }
  }
}
