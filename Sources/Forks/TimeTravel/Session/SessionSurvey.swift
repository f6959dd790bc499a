/// Facts that need a look at every step.
package struct SessionSurvey: Sendable, Hashable {
  package var skipped = 0
  package var duration: Duration?
}

extension OpenSession {
  /// The density of the recording in equal parts. Reads one step for each part.
  package func density(parts: Int, in part: ClosedRange<Int>? = nil) throws -> Density? {
    let steps = (part ?? summary.steps).clamped(to: summary.steps)
    let parts = min(parts, steps.count - 1)
    guard parts > 1 else { return nil }
    let length = Double(steps.count - 1) / Double(parts)
    var times: [Duration?] = []
    for part in 0...parts {
      let number = steps.lowerBound + Int((Double(part) * length).rounded())
      times.append(try recording.step(min(number, steps.upperBound)).time)
    }
    return Density(steps, edgeTimes: times)
  }

  package func survey() async throws -> SessionSurvey {
    var survey = SessionSurvey()
    var first: Duration?
    // All that were read; `summary` may not have the newest yet.
    for number in recording.summary.steps {
      let step = try recording.step(number)
      if step.isSkipped { survey.skipped += 1 }
      if let time = step.time {
        first = first ?? time
        survey.duration = time - (first ?? time)
      }
      if number % 512 == 0 {
        await Task.yield()
        try Task.checkCancellation()
      }
    }
    return survey
  }
}

/// The times of a session's steps, and its activity in equal parts.
package struct Density: Sendable, Hashable {
  package var steps: ClosedRange<Int>
  /// A level from 0 to 1 for each part; empty if all are alike or unknown.
  package private(set) var levels: [Double] = []
  /// The seconds at the parts' edges, ascending; empty if unknown.
  package private(set) var seconds: [Double] = []

  /// Computes the levels from the edges' times. Speeds span many orders of magnitude, so levels are
  /// logarithmic between slowest and fastest.
  package init(_ steps: ClosedRange<Int>, edgeTimes: [Duration?]) {
    self.steps = steps
    let known = edgeTimes.map { time in time.map { $0 / .seconds(1) } }
    guard known.count > 2, let first = known.lazy.compactMap(\.self).first else { return }
    var last = first
    seconds = known.map { time in
      last = max(last, time ?? last)
      return last
    }
    let stepsPerPart = Double(steps.count - 1) / Double(known.count - 1)
    var rates: [Double] = []
    for (start, end) in zip(known, known.dropFirst()) {
      guard let start, let end else {
        rates.append(0)
        continue
      }
      rates.append(_log(stepsPerPart / max(end - start, 0.001)))
    }
    guard let low = rates.min(), let high = rates.max(), high > low else { return }
    // Similar speeds are not exaggerated.
    levels = rates.map { ($0 - low) / max(high - low, 2) }
  }

  package func level(from start: Double, to end: Double) -> Double? {
    guard !levels.isEmpty, start >= Double(steps.lowerBound), start < Double(steps.upperBound)
    else { return nil }
    func part(_ place: Double) -> Int {
      Int(
        (place - Double(steps.lowerBound)) / Double(steps.count - 1) * Double(levels.count) + 1e-9)
    }
    let first = part(start)
    return levels[first..<min(max(first + 1, part(end)), levels.count)].max()
  }

  /// The time of a step, interpolated; extrapolated at the end.
  package func seconds(at step: Int) -> Double {
    let parts = seconds.count - 1
    guard parts > 0, steps.count > 1 else { return 0 }
    let place = Double(step - steps.lowerBound) * Double(parts) / Double(steps.count - 1)
    let part = min(max(Int(place), 0), parts - 1)
    if place > Double(parts) {
      let mean = (seconds[parts] - seconds[0]) / Double(parts)
      return seconds[parts] + mean * (place - Double(parts))
    }
    return seconds[part] + (seconds[part + 1] - seconds[part]) * (place - Double(part))
  }
}

/// The logarithm to base 2, within a few percent: enough for bars of eight heights.
private func _log(_ value: Double) -> Double {
  guard value > 0, value.isFinite else { return 0 }
  return Double(value.exponent) + value.significand - 1
}
