import Platform
import StoreCore

/// A clock that says when a task goes to sleep, and until when. Its time does not advance by
/// itself.
///
/// `@unchecked Sendable`: everything is touched only while the lock is held.
final class ManualClock: Clock, @unchecked Sendable {
  typealias Instant = TestClock.Instant

  private struct Sleeper {
    var number: Int
    var deadline: Duration
    var continuation: CheckedContinuation<Void, any Error>
  }

  private let lock = Lock()
  private var time = Duration.zero
  private var sleepers: [Sleeper] = []
  private var cancelled: Set<Int> = []
  private var count = 0
  private var watcher: CheckedContinuation<Duration, Never>?

  var now: Instant { Instant(offset: lock.withLock { time }) }
  var minimumResolution: Duration { .zero }
  /// How many have gone to sleep so far.
  var sleepCount: Int { lock.withLock { count } }

  func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let number = lock.withLock {
      count += 1
      return count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        let watcher = lock.withLock { () -> CheckedContinuation<Duration, Never>? in
          guard !cancelled.contains(number) else {
            continuation.resume(throwing: CancellationError())
            return nil
          }
          sleepers.append(
            Sleeper(number: number, deadline: deadline.offset, continuation: continuation))
          defer { self.watcher = nil }
          return self.watcher
        }
        watcher?.resume(returning: deadline.offset)
      }
    } onCancel: {
      let sleeper = lock.withLock { () -> Sleeper? in
        cancelled.insert(number)
        guard let index = sleepers.firstIndex(where: { $0.number == number }) else { return nil }
        return sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Returns when a task sleeps, with its deadline.
  func sleeper() async -> Duration {
    await withCheckedContinuation { continuation in
      let deadline = lock.withLock { () -> Duration? in
        if let first = sleepers.first { return first.deadline }
        watcher = continuation
        return nil
      }
      if let deadline { continuation.resume(returning: deadline) }
    }
  }

  /// Moves the time, and wakes whoever has slept long enough.
  func advance(to time: Duration) {
    let woken = lock.withLock {
      self.time = time
      let woken = sleepers.filter { $0.deadline <= time }
      sleepers.removeAll { $0.deadline <= time }
      return woken
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }
}
