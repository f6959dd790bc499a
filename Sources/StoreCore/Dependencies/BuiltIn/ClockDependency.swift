private enum ContinuousClockKey: DependencyKey {
  static let liveValue: any Clock<Duration> = ContinuousClock()
  static var testValue: any Clock<Duration> { TestClock() }
}

extension DependencyValues {
  /// Sleeps and measures time. In tests it is a ``TestClock`` that stands still until advanced.
  public var continuousClock: any Clock<Duration> {
    get { self[ContinuousClockKey.self] }
    set { self[ContinuousClockKey.self] = newValue }
  }
}

extension Clock where Duration == Swift.Duration {
  /// Sleeps for this long.
  public func sleep(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: duration), tolerance: nil)
  }
}
