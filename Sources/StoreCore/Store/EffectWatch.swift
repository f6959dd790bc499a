import Platform

/// Knows what a running effect sleeps on, where that is a clock that only a test moves.
package final class EffectWatch: Sendable {
  @TaskLocal static var current: EffectWatch?

  private struct Sleep {
    var clock: TestClock
    var deadline: TestClock.Instant
  }

  private let sleeps = Locked<[Int: Sleep]>([:])

  func begin(_ number: Int, on clock: TestClock, until deadline: TestClock.Instant) {
    sleeps.withLock { $0[number] = Sleep(clock: clock, deadline: deadline) }
  }

  func end(_ number: Int) { sleeps.withLock { $0[number] = nil } }

  /// Nil where the effect waits for something else, or for nothing.
  package var text: String? {
    let next = sleeps.withLock { $0.values.min { $0.deadline < $1.deadline } }
    return next.map { sleep in
      """
      It sleeps on a test clock until \(sleep.deadline.offset); the clock stands at \
      \(sleep.clock.now.offset). Advance it, or let the store use an ImmediateClock.
      """
    }
  }
}
