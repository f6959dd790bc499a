/// One line of `make bench`: a candidate, what it is compared with, and the bar.
struct Row {
  var name: String
  var bar: Bar
  var candidate: Work
  var baseline: Work?
  /// How many interleaved samples are taken of each.
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

/// Rows that belong together; `rows` prepares what they need and runs only when they are wanted.
struct Topic: Sendable {
  var name: String
  var rows: @Sendable () async throws -> [Row]
}

/// What came out of a row.
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
