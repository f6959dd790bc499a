import Platform

/// The time in which a host could not run because others had the processors. Patience does not count it.
struct BusyMachine {
  private var start: ProcessorWait?
  private var latest: (wait: ProcessorWait, at: ContinuousClock.Instant)?

  /// Looks at the process anew after an interval; between two looks the answer of the last one holds.
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
