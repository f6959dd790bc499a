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
    var running: [Int: EffectInFlight] = [:]
    for effect in header.effects { running[effect.effect] = effect }
    for event in try effectEvents(in: header.firstStep...max(step, header.firstStep)) {
      switch event.kind {
      case .started(let origin):
        running[event.effect] = EffectInFlight(
          effect: event.effect, origin: origin, time: event.time)
      case .finished, .failed, .cancelled: running[event.effect] = nil
      }
    }
    return running.values.sorted { $0.effect < $1.effect }
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
