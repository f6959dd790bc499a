/// Samples candidate and baseline in turn, so that a slow machine slows both. Returns medians.
struct Runner {
  /// The length of a sample of repeated work.
  var sampleSeconds = 0.02

  func run(_ row: Row, topic: String) async throws -> RowResult {
    let candidateCount = try await calibrate(row.candidate)
    var baselineCount = 1
    if let baseline = row.baseline { baselineCount = try await calibrate(baseline) }
    var candidates: [Double] = []
    var baselines: [Double] = []
    for _ in 0..<row.samples {
      candidates.append(try await row.candidate.sample(candidateCount))
      if let baseline = row.baseline { baselines.append(try await baseline.sample(baselineCount)) }
    }
    return RowResult(
      topic: topic, row: row, candidate: median(candidates),
      baseline: row.baseline == nil ? nil : median(baselines))
  }

  /// Finds the repetitions for a sample. Also warms up.
  private func calibrate(_ work: Work) async throws -> Int {
    guard work.repeats else {
      _ = try await work.sample(1)
      return 1
    }
    var count = 1
    while true {
      let total = try await work.sample(count) * Double(count)
      if total >= sampleSeconds / 2 { return max(1, Int(Double(count) * sampleSeconds / total)) }
      count *= total < sampleSeconds / 40 ? 10 : 2
    }
  }
}

func median(_ figures: [Double]) -> Double {
  let sorted = figures.sorted()
  guard !sorted.isEmpty else { return .nan }
  let middle = sorted.count / 2
  return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}
