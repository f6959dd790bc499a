/// What a row must reach.
enum Bar: Sendable {
  /// Candidate ÷ baseline, taken in the same run.
  case ratioAtMost(Double)
  /// Baseline ÷ candidate: how many times faster.
  case fasterAtLeast(Double)
  /// An absolute figure in the unit of the candidate: what a person notices, with a wide margin.
  case atMost(Double)
  /// Watched, not judged; says why.
  case watched(String)

  func isMet(candidate: Double, baseline: Double?) -> Bool {
    switch self {
    case .ratioAtMost(let limit): baseline.map { candidate / $0 <= limit } ?? false
    case .fasterAtLeast(let limit): baseline.map { $0 / candidate >= limit } ?? false
    case .atMost(let limit): candidate <= limit
    case .watched: true
    }
  }

  func text(unit: Unit) -> String {
    switch self {
    case .ratioAtMost(let limit): "≤ \(compact(limit)) ×"
    case .fasterAtLeast(let limit): "≥ \(compact(limit)) × faster"
    case .atMost(let limit): "≤ \(unit.text(limit))"
    case .watched(let why): "watched: \(why)"
    }
  }
}

func compact(_ number: Double) -> String {
  if number >= 100 || number == number.rounded() { return String(Int(number.rounded())) }
  let scale = number < 0.1 ? 10_000.0 : 100.0
  return String((number * scale).rounded() / scale)
}
