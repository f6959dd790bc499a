import Platform

/// A moment after which waiting is given up.
public struct Deadline: Sendable {
  private let end: Double

  public init(seconds: Double) { end = Self.now() + seconds }

  public var hasPassed: Bool { Self.now() >= end }

  public static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
