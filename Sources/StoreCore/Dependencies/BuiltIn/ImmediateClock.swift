import Platform

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
