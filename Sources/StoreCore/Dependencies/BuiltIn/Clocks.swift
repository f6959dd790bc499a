import Platform

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

/// Ticks on a clock, as long as it is listened to: `for await _ in clock.timer(interval: .seconds(1))`.
///
/// It counts from when it was asked for, so that it does not fall behind; ticks that nobody had time
/// for are left out.
public struct ClockTimer: AsyncSequence, Sendable {
  /// One listener, with ticks of its own.
  public struct Iterator: AsyncIteratorProtocol {
    let sleep: @Sendable (_ tick: Int) async throws -> Int
    var tick = 0

    /// Nil when the task is cancelled.
    public mutating func next() async -> Void? {
      guard let next = try? await sleep(tick + 1) else { return nil }
      tick = next
      return ()
    }
  }

  private let sleep: @Sendable (_ tick: Int) async throws -> Int

  init<Ticking: Clock<Duration>>(_ clock: Ticking, interval: Duration, tolerance: Duration?) {
    let start = clock.now
    sleep = { tick in
      let passed = interval > .zero ? start.duration(to: clock.now) / interval : 0
      let next = Swift.max(tick, Int(exactly: passed.rounded(.down)) ?? tick)
      try await clock.sleep(until: start.advanced(by: interval * next), tolerance: tolerance)
      return next
    }
  }

  /// Each listener counts for itself.
  public func makeAsyncIterator() -> Iterator { Iterator(sleep: sleep) }
}

extension Clock where Duration == Swift.Duration {
  /// Ticks every `interval`.
  public func timer(interval: Duration, tolerance: Duration? = nil) -> ClockTimer {
    ClockTimer(self, interval: interval, tolerance: tolerance)
  }
}

/// A clock on which nobody has to wait.
public final class ImmediateClock: Clock, Sendable {
  /// Times as ``TestClock`` has them.
  public typealias Instant = TestClock.Instant

  private let time: Locked<Instant>

  /// Begins at this time.
  public init(now: Instant = Instant()) { time = Locked(now) }

  /// The latest time that anybody slept until.
  public var now: Instant { time.withLock { $0 } }
  /// Zero: any time can be slept until.
  public var minimumResolution: Duration { .zero }

  /// Returns at once, with the time moved on to `deadline`; throws in a cancelled task.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
    await Task.yield()
  }
}
