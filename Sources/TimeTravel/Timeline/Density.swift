/// How busy a session was along its steps: one value between 0 and 1 for each part of equal length.
package struct Density: Sendable, Hashable {
  package var levels: [Double]

  package init(levels: [Double]) { self.levels = levels }

  /// From the times at the edges of the parts. Steps per second span many orders of magnitude, so
  /// the level is their logarithm between the slowest and the fastest part.
  package init?(edgeTimes: [Duration?], stepsPerPart: Double) {
    let seconds = edgeTimes.map { time in time.map { $0 / .seconds(1) } }
    guard seconds.count > 2, seconds.contains(where: { $0 != nil }) else { return nil }
    var rates: [Double] = []
    for (start, end) in zip(seconds, seconds.dropFirst()) {
      guard let start, let end else {
        rates.append(0)
        continue
      }
      rates.append(_log(stepsPerPart / Swift.max(end - start, 0.001)))
    }
    guard let low = rates.min(), let high = rates.max(), high > low else { return nil }
    // Where all parts are about as fast, small differences are not blown up.
    levels = rates.map { ($0 - low) / Swift.max(high - low, 2) }
  }
}

/// The logarithm to base 2, good to a few percent: enough for a bar of eight heights.
private func _log(_ value: Double) -> Double {
  guard value > 0, value.isFinite else { return 0 }
  return Double(value.exponent) + value.significand - 1
}
