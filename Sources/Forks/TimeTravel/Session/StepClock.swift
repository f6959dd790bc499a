import SessionWords

extension OpenSession {
  /// When a step happened, in milliseconds since 1970; nil if the file does not say.
  package func clock(at position: Position) throws -> Int64? {
    let step = try step(at: position).step
    // The first state has no time: it is there at the start.
    return try clock(of: step) ?? (step.number == 0 ? startOnClock() : nil)
  }

  func clock(of step: Step) throws -> Int64? {
    guard let start = try startOnClock(), let time = step.time else { return nil }
    return start + Int64(time / .milliseconds(1))
  }

  /// The last recorded step that had happened by then; the last of all if the file does not say.
  package func step(byClock clock: Int64) throws -> Int {
    let steps = summary.steps
    guard let start = try startOnClock() else { return steps.upperBound }
    // A start is known to the millisecond.
    let limit = Duration.milliseconds(clock - start + 1)
    var (known, after) = (steps.lowerBound, steps.upperBound + 1)
    while after - known > 1 {
      let middle = known + (after - known) / 2
      let time = try step(at: Position(step: middle)).step.time
      if let time, time >= limit { after = middle } else { known = middle }
    }
    return known
  }

  private func startOnClock() throws -> Int64? {
    try recording.header().started.flatMap { UTCText.milliseconds(of: $0) }
  }
}
