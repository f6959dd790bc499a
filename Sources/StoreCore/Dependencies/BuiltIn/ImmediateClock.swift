import Platform

/// A clock on which nobody has to wait.
public final class ImmediateClock: Clock, Sendable {
  public typealias Instant = TestClock.Instant

  private let time: Locked<Instant>

  /// Begins at this time.
  public init(now: Instant = Instant()) { time = Locked(now) }

  public var now: Instant { time.withLock { $0 } }
  public var minimumResolution: Duration { .zero }

  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
    await Task.yield()
  }
}
