import Platform

/// A moment after which waiting is given up.
package struct Deadline: Sendable {
  /// How long a screen is waited for unless a test knows better: a busy machine takes its time.
  package static let patience = 300.0

  private let end: Double

  package init(seconds: Double) { end = Self.now() + seconds }

  package var hasPassed: Bool { Self.now() >= end }

  package static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
