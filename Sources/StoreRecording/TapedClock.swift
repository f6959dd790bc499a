import Recorder

/// A clock that counts from when it was put on tape.
struct TapedClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let tape: Tape
  private let time: @Sendable () -> Duration
  private let sleep: @Sendable (Duration, Duration?) async throws -> Void
  let minimumResolution: Duration

  init(tape: Tape, live: any Clock<Duration>) {
    func parts<Live: Clock<Duration>>(_ live: Live)
      -> (@Sendable () -> Duration, @Sendable (Duration, Duration?) async throws -> Void)
    {
      let start = live.now
      return (
        { start.duration(to: live.now) },
        { try await live.sleep(until: start.advanced(by: $0), tolerance: $1) }
      )
    }
    self.tape = tape
    (time, sleep) = parts(live)
    minimumResolution = live.minimumResolution
  }

  var now: Instant {
    let seconds = tape.value("clock", substitute: { $0.secondsSince1970() }) {
      let (seconds, attoseconds) = time().components
      return Double(seconds) + Double(attoseconds / 1_000_000_000) / 1e9
    }
    return Instant(offset: Self.duration(seconds))
  }

  /// What a tape says may be any number: what no clock shows is the nearest that one can.
  static func duration(_ seconds: Double) -> Duration {
    let furthest = 9e9
    let shown = seconds.isNaN ? 0 : min(max(seconds, -furthest), furthest)
    return .nanoseconds(Int64((shown * 1e9).rounded()))
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await sleep(deadline.offset, tolerance)
  }
}
