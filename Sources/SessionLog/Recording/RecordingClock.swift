import Platform

/// The time since the start of a recording, in whole microseconds.
struct RecordingClock: Sendable {
  private let start: Int64
  private let custom: (@Sendable () -> Duration)?

  init(_ custom: (@Sendable () -> Duration)?) {
    self.custom = custom
    start = Self.microseconds
  }

  var now: Duration { custom?() ?? .microseconds(Self.microseconds - start) }

  private static var microseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
