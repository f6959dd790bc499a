import SessionWords

package struct EffectSpan: Sendable, Hashable {
  package var number: EffectID
  package var origin: EffectOrigin
  package var started: Duration?
  package var end: End?
  /// Whether it finished with a failure as its answer.
  package var answersFailure = false

  package struct End: Sendable, Hashable {
    package enum Manner: Sendable, Hashable {
      case finished
      case failed(String)
      case cancelled
    }

    package var step: Int
    package var time: Duration?
    package var manner: Manner
  }

  package init(
    number: EffectID, origin: EffectOrigin, started: Duration? = nil, end: End? = nil
  ) {
    self.number = number
    self.origin = origin
    self.started = started
    self.end = end
  }

  /// The name from its start, else the place: `Cart.swift:12`.
  package var name: String {
    if let name = origin.name, !name.isEmpty { return name }
    let file = origin.file.split(separator: "/").last.map(String.init) ?? origin.file
    return "\(file):\(origin.line)"
  }

  package var endWords: String {
    switch end?.manner {
    case .finished: answersFailure ? "✗ answered with a failure" : "finished"
    case .cancelled: "cancelled"
    case .failed(let reason): "✗ \(reason)"
    case nil: "never ended"
    }
  }

  package func touches(_ steps: ClosedRange<Int>) -> Bool {
    origin.step <= steps.upperBound && (end.map { $0.step >= steps.lowerBound } ?? true)
  }
}
