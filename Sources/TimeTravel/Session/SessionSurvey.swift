/// What can only be said after a look at every step.
package struct SessionSurvey: Sendable, Hashable {
  package var skipped = 0
  /// From the first step with a time to the last one.
  package var duration: Duration?
}

extension OpenSession {
  /// How the recording ran along some of its steps, in so many parts of equal length. Looks at one
  /// step a part.
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

  /// Looks at every step of the recording.
  package func survey() async throws -> SessionSurvey {
    var survey = SessionSurvey()
    var first: Duration?
    for number in summary.steps {
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

/// How a session ran along some of its steps: when, and how busy it was in each part of equal length.
package struct Density: Sendable, Hashable {
  package var steps: ClosedRange<Int>
  /// One value between 0 and 1 for each part; none where all parts are alike, or nobody knows.
  package private(set) var levels: [Double] = []
  /// The seconds at the edges of the parts; they never go back. Empty where nobody knows them.
  package private(set) var seconds: [Double] = []

  /// From the times at the edges of the parts. Steps per second span many orders of magnitude, so
  /// the level is their logarithm between the slowest and the fastest part.
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
    // Where all parts are about as fast, small differences are not blown up.
    levels = rates.map { ($0 - low) / max(high - low, 2) }
  }

  /// How busy it was where it was busiest between two places, which may lie between steps; nil where
  /// nobody knows.
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

  /// When a step was, between the times that are known; what comes after the last goes on as before.
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

/// The logarithm to base 2, good to a few percent: enough for a bar of eight heights.
private func _log(_ value: Double) -> Double {
  guard value > 0, value.isFinite else { return 0 }
  return Double(value.exponent) + value.significand - 1
}
