/// One line of `make bench`: a candidate, a baseline, and the bar.
struct Row {
  var name: String
  var bar: Bar
  var candidate: Work
  var baseline: Work?
  var samples: Int

  init(_ name: String, bar: Bar, _ candidate: Work, against baseline: Work? = nil, samples: Int = 9)
  {
    self.name = name
    self.bar = bar
    self.candidate = candidate
    self.baseline = baseline
    self.samples = samples
  }
}

/// Related rows; `rows` prepares them, and runs only if they are wanted. The folder is theirs until the
/// last of them has run.
struct Topic: Sendable {
  var name: String
  var rows: @Sendable (_ folder: BenchFolder) async throws -> [Row]
}

struct RowResult {
  var topic: String
  var row: Row
  var candidate: Double
  var baseline: Double?

  var isMet: Bool { row.bar.isMet(candidate: candidate, baseline: baseline) }

  var ratio: String {
    guard let baseline else { return "" }
    if case .fasterAtLeast = row.bar { return "\(compact(baseline / candidate)) × faster" }
    return "\(compact(candidate / baseline)) ×"
  }
}

enum Bar: Sendable {
  /// Candidate ÷ baseline of the same run.
  case ratioAtMost(Double)
  /// Baseline ÷ candidate of the same run.
  case fasterAtLeast(Double)
  /// An absolute limit in the candidate's unit, with a wide margin.
  case atMost(Double)
  /// Reported but not judged, with the reason.
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

enum Unit: String, Sendable {
  case seconds, bytes, share

  func text(_ figure: Double) -> String {
    switch self {
    case .seconds:
      switch figure {
      case 1...: "\(compact(figure)) s"
      case 1e-3...: "\(compact(figure * 1e3)) ms"
      case 1e-6...: "\(compact(figure * 1e6)) µs"
      default: "\(compact(figure * 1e9)) ns"
      }
    case .bytes:
      switch figure {
      case 1e6...: "\(compact(figure / 1e6)) MB"
      case 1e3...: "\(compact(figure / 1e3)) KB"
      default: "\(compact(figure)) B"
      }
    case .share: "\(compact(figure * 100)) %"
    }
  }
}
