import ValueTree

extension SessionReader {
  /// What happened to effects from the first of these steps on until after the last one.
  public func effectEvents(in steps: ClosedRange<Int>) throws(SessionError) -> [EffectEvent] {
    try lines(of: [.effect], in: steps).compactMap {
      guard case .effect(let event) = $0 else { return nil }
      return event
    }
  }

  /// The reads inside effects, and those that nobody owns, in this range of steps.
  public func outsideReads(in steps: ClosedRange<Int>) throws(SessionError) -> [OutsideRead] {
    try lines(of: [.read], in: steps).compactMap {
      guard case .read(let read) = $0 else { return nil }
      return read
    }
  }

  /// The notes that the app wrote in this range of steps.
  public func signposts(in steps: ClosedRange<Int>) throws(SessionError) -> [Signpost] {
    try lines(of: [.signpost], in: steps).compactMap {
      guard case .signpost(let signpost) = $0 else { return nil }
      return signpost
    }
  }

  /// The effects that are running after a step, by their numbers.
  public func effectsInFlight(after step: Int) throws(SessionError) -> [EffectInFlight] {
    let snapshot = snapshot
    let step = min(max(step, header.firstStep), snapshot.index.lastStep)
    let end = snapshot.index.others(from: 0, to: snapshot.endOfLines(of: step)).upperBound
    var place = snapshot.flights.place(before: end)
    while place.position < end {
      let entry = OtherEntry(bits: snapshot.index.others[place.position])
      if entry.kind == .effect, case .effect(let event)? = try line(at: entry.offset, in: snapshot)
      {
        if case .started = event.kind {
          place.running[event.effect] = entry.offset
        } else {
          place.running[event.effect] = nil
        }
      }
      place.position += 1
      if place.position.isMultiple(of: snapshot.flights.distance) {
        update { $0.flights.keep(place) }
      }
    }
    return try place.running
      .map { (effect, start) throws(SessionError) in try flight(effect, from: start, in: snapshot) }
      .compactMap(\.self)
      .sorted { $0.effect < $1.effect }
  }

  /// An effect whose `started` line begins at an offset, or that the header tells.
  private func flight(
    _ effect: Int, from start: Int?, in snapshot: ReaderState
  ) throws(SessionError) -> EffectInFlight? {
    guard let start else { return header.effects.last { $0.effect == effect } }
    guard case .effect(let event)? = try line(at: start, in: snapshot),
      case .started(let origin) = event.kind
    else { return nil }
    return EffectInFlight(effect: effect, origin: origin, time: event.time)
  }

  private func lines(
    of kinds: Set<LineKind>, in steps: ClosedRange<Int>
  ) throws(SessionError) -> [LogLine] {
    let snapshot = snapshot
    let steps = steps.clamped(to: snapshot.index.stepRange)
    let bytes = snapshot.range(of: steps)
    var found: [LogLine] = []
    for index in snapshot.index.others(from: bytes.lowerBound, to: bytes.upperBound) {
      let entry = OtherEntry(bits: snapshot.index.others[index])
      guard kinds.contains(entry.kind) else { continue }
      if let line = try line(at: entry.offset, in: snapshot) { found.append(line) }
    }
    return found
  }
}
