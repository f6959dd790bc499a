import SessionWords

/// The effects of a session, built from their events in order.
///
/// Answers by steps without visiting every effect: spans are sorted by start, and each block knows
/// its latest end.
package struct EffectTable: Sendable {
  package private(set) var spans: [EffectSpan] = []
  private var places: [EffectID: Int] = [:]
  private var latestEnds: [Int] = []

  private static let blockLength = 64

  package init(_ events: some Sequence<EffectEvent> = []) {
    for event in events { add(event) }
  }

  package subscript(number: EffectID) -> EffectSpan? { places[number].map { spans[$0] } }

  package mutating func add(_ event: EffectEvent) {
    switch event.kind {
    case .started(let origin):
      guard places[event.effect] == nil else { return }
      places[event.effect] = spans.count
      spans.append(EffectSpan(number: event.effect, origin: origin, started: event.time))
      if spans.count % Self.blockLength == 1 { latestEnds.append(0) }
      latestEnds[(spans.count - 1) / Self.blockLength] = .max
    case .finished: end(event, .finished)
    case .failed(let message): end(event, .failed(message))
    case .cancelled: end(event, .cancelled)
    }
  }

  private mutating func end(_ event: EffectEvent, _ manner: EffectSpan.End.Manner) {
    guard let place = places[event.effect], spans[place].end == nil else { return }
    spans[place].end = EffectSpan.End(step: event.step, time: event.time, manner: manner)
    let block = place / Self.blockLength
    let range = block * Self.blockLength..<Swift.min((block + 1) * Self.blockLength, spans.count)
    latestEnds[block] = spans[range].map { $0.end?.step ?? .max }.max() ?? 0
  }

  mutating func add(_ span: EffectSpan, endedBy step: Int = .max) {
    add(
      EffectEvent(
        effect: span.number, step: span.origin.step, time: span.started,
        kind: .started(span.origin)))
    guard let end = span.end, end.step <= step, let place = places[span.number] else { return }
    spans[place].end = end
  }

  /// The effects alive during the steps, by start; of one step at most a thousand.
  package func spans(in steps: ClosedRange<Int>) -> [EffectSpan] {
    let limit = steps.count > 1 ? Int.max : 1_000
    var found: [EffectSpan] = []
    for (block, latestEnd) in latestEnds.enumerated() {
      let start = block * Self.blockLength
      if spans[start].origin.step > steps.upperBound { break }
      if latestEnd < steps.lowerBound { continue }
      for span in spans[start..<Swift.min(start + Self.blockLength, spans.count)]
      where span.touches(steps) {
        found.append(span)
        if found.count == limit { return found }
      }
    }
    return found
  }
}

extension [EffectSpan] {
  /// The ones that failed or never ended come first, then the longest.
  package func longest(_ count: Int, in steps: ClosedRange<Int>?, lastStep: Int) -> [EffectSpan] {
    let lengths = indices.lazy.filter { steps.map(self[$0].touches) ?? true }.map { index in
      let life =
        self[index].origin
        .step...Swift.max(
          self[index].end?.step ?? lastStep, self[index].origin.step)
      let length = steps.map(life.clamped(to:))?.count ?? life.count
      return (index: index, isOpen: self[index].isOpen ? 1 : 0, length: length)
    }
    return lengths.sorted { ($1.isOpen, $1.length, $0.index) < ($0.isOpen, $0.length, $1.index) }
      .prefix(count).map { self[$0.index] }
  }
}

extension EffectSpan {
  /// Whether it failed or never ended.
  fileprivate var isOpen: Bool {
    switch end?.manner {
    case .failed, nil: true
    case .finished, .cancelled: false
    }
  }
}
