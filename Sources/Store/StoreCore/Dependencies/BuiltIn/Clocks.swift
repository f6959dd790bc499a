import Platform

private enum ContinuousClockKey: DependencyKey {
  static let liveValue: any Clock<Duration> = ContinuousClock()
  static var testValue: any Clock<Duration> { TestClock() }
}

extension DependencyValues {
  /// Sleeps and measures time. In tests it is a ``TestClock``, which only the test advances.
  public var continuousClock: any Clock<Duration> {
    get { self[ContinuousClockKey.self] }
    set { self[ContinuousClockKey.self] = newValue }
  }
}

extension Clock where Duration == Swift.Duration {
  /// Sleeps for a duration.
  public func sleep(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: duration), tolerance: nil)
  }
}

/// Ticks on a clock while iterated: `for await _ in clock.timer(interval: .seconds(1))`.
///
/// It counts from its start, so that it does not fall behind; a slow reader skips ticks.
public struct ClockTimer: AsyncSequence, Sendable {
  /// An independent sequence of ticks.
  public struct Iterator: AsyncIteratorProtocol {
    let sleep: @Sendable (_ tick: Int) async throws -> Int
    var tick = 0

    /// The next tick; nil if the task is cancelled.
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

  /// Creates an iterator with its own count.
  public func makeAsyncIterator() -> Iterator { Iterator(sleep: sleep) }
}

extension Clock where Duration == Swift.Duration {
  /// Ticks every `interval`.
  public func timer(interval: Duration, tolerance: Duration? = nil) -> ClockTimer {
    ClockTimer(self, interval: interval, tolerance: tolerance)
  }
}

/// A clock whose sleeps return at once.
public final class ImmediateClock: Clock, Sendable {
  /// The instants of ``TestClock``.
  public typealias Instant = TestClock.Instant

  private let time: Locked<Instant>

  /// Creates a clock that begins at this time.
  public init(now: Instant = Instant()) { time = Locked(now) }

  /// The latest deadline so far.
  public var now: Instant { time.withLock { $0 } }
  /// Zero.
  public var minimumResolution: Duration { .zero }

  /// Returns at once, with the time moved to `deadline`; throws in a cancelled task.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
    await Task.yield()
  }
}
