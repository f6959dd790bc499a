import Platform

/// Counts the effects of a live app that neither wait for its clock nor are over.
final class Activity: Sendable {
  /// The activity of the running live app. A re-run has none.
  static let current = Locked<Activity?>(nil)

  private let count = Locked(0)

  var isIdle: Bool { count.withLock { $0 == 0 } }
  func begin() { count.withLock { $0 += 1 } }
  func end() { count.withLock { $0 -= 1 } }
}

/// A clock that a test moves when all effects wait or are over.
final class LiveClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    func duration(to other: Self) -> Duration { other.offset - offset }
    static func < (one: Self, other: Self) -> Bool { one.offset < other.offset }
  }

  private struct Sleeper {
    var number: Int
    var deadline: Duration
    var wake: CheckedContinuation<Void, any Error>
  }

  private struct Sleepers {
    var now = Duration.zero
    var all: [Sleeper] = []
    var count = 0
    var cancelled: Set<Int> = []
  }

  private let sleepers = Locked(Sleepers())
  private let activity: Activity

  init(_ activity: Activity) { self.activity = activity }

  var now: Instant { Instant(offset: sleepers.withLock { $0.now }) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance _: Duration?) async throws {
    let number = sleepers.withLock { sleepers in
      sleepers.count += 1
      return sleepers.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wake in
        let isOver = sleepers.withLock { sleepers in
          if sleepers.cancelled.contains(number) { return true }
          sleepers.all.append(Sleeper(number: number, deadline: deadline.offset, wake: wake))
          activity.end()
          return false
        }
        if isOver { wake.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let sleeper = sleepers.withLock { sleepers -> Sleeper? in
        sleepers.cancelled.insert(number)
        let place = sleepers.all.firstIndex { $0.number == number }
        guard let place else { return nil }
        activity.begin()
        return sleepers.all.remove(at: place)
      }
      sleeper?.wake.resume(throwing: CancellationError())
    }
  }

  /// Moves the clock, and lets each sleeper do what it does before the next one wakes.
  @MainActor func advance(to time: Duration) async {
    await settle()
    while let sleeper = next(until: time) {
      sleeper.wake.resume()
      await settle()
    }
    sleepers.withLock { $0.now = time }
  }

  private func next(until time: Duration) -> Sleeper? {
    sleepers.withLock { sleepers in
      let first = sleepers.all.enumerated().min {
        ($0.element.deadline, $0.element.number) < ($1.element.deadline, $1.element.number)
      }
      guard let first, first.element.deadline <= time else { return nil }
      sleepers.now = first.element.deadline
      activity.begin()
      return sleepers.all.remove(at: first.offset)
    }
  }

  /// Finished effects still report their end.
  @MainActor func settle() async {
    while !activity.isIdle { await Task.yield() }
    for _ in 0..<30 {
      await Task.detached(priority: .background) { await Task.yield() }.value
    }
  }
}
