import Platform

/// The time in which other programs kept the host from running. Timeouts exclude it.
struct BusyMachine {
  private var start: ProcessorWait?
  private var latest: (wait: ProcessorWait, at: ContinuousClock.Instant)?

  /// Examines the process again after an interval; the last answer holds until then.
  mutating func wait(
    since advance: ContinuousClock.Instant, now: ContinuousClock.Instant, interval: Duration,
    look: () -> ProcessorWait?
  ) -> Duration {
    if latest.map({ now - $0.at >= interval }) ?? true {
      guard let wait = look() else { return .zero }
      if latest.map({ $0.at <= advance }) ?? true { start = latest?.wait ?? wait }
      latest = (wait, now)
    }
    guard let start, let latest, latest.at > advance else { return .zero }
    return latest.wait.longest(since: start)
  }
}
