import SessionWords

/// What a step does to effects, as it is compared with what was recorded.
enum EffectDeed: Sendable {
  case starts(EffectPlace, pause: Duration?)
  /// By its number in the recording.
  case cancels(Int)

  init(starting origin: EffectOrigin) {
    self = .starts(EffectPlace(origin, step: 0), pause: origin.pause)
  }

  /// Nil for what no step does.
  init?(_ event: EffectEvent) {
    switch event.kind {
    case .started(let origin): self.init(starting: origin)
    case .cancelled where !event.isFromOutside: self = .cancels(event.effect)
    case .cancelled, .finished, .failed: return nil
    }
  }

  /// Older recordings do not tell how long a pause is.
  func isSame(asRecorded recorded: EffectDeed) -> Bool {
    switch (self, recorded) {
    case (.starts(let place, let pause), .starts(let known, let knownPause)):
      place == known && (knownPause == nil || pause == knownPause)
    case (.cancels(let effect), .cancels(let known)): effect == known
    default: false
    }
  }

  var text: String {
    switch self {
    case .starts(let place, let pause):
      "starts \(place.text)" + (pause.map { ", a pause of \($0.decimalSeconds) s" } ?? "")
    case .cancels(let effect): "cancels effect \(effect)"
    }
  }
}
