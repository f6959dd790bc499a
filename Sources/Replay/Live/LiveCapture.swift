import Platform
import Recorder
import SessionWords
import StoreCore

/// Takes what an effect sends and reads while it runs live.
///
/// `@unchecked Sendable`: everything that changes is touched only while the lock is held.
final class LiveCapture<Action: Sendable>: TapeSource, @unchecked Sendable {
  struct Emission {
    var delay: Duration
    var action: Action
    var readCount: Int
  }

  struct Taken {
    var emissions: [Emission] = []
    var reads: [(question: TapeQuestion, outcome: @Sendable () -> Read.Outcome)] = []
    var duration = Duration.zero
    var isFull = false
  }

  private let limit: Int
  private let isFull: @Sendable () -> Void
  private let time: @Sendable () -> Duration
  private let lock = Lock()
  private var taken = Taken()
  private var isClosed = false

  /// `isFull` is told when no more emissions are taken.
  init(
    limit: Int, time: @escaping @Sendable () -> Duration, isFull: @escaping @Sendable () -> Void
  ) {
    self.limit = max(1, limit)
    self.time = time
    self.isFull = isFull
  }

  func take(_ action: Action) {
    let delay = time()
    let isLast = lock.withLock {
      guard !isClosed, taken.emissions.count < limit else { return false }
      taken.emissions.append(
        Emission(delay: delay, action: action, readCount: taken.reads.count))
      taken.isFull = taken.emissions.count == limit
      return taken.isFull
    }
    if isLast { isFull() }
  }

  func close() -> Taken {
    let duration = time()
    return lock.withLock {
      isClosed = true
      taken.duration = duration
      return taken
    }
  }

  func answer(to question: TapeQuestion) -> TapeAnswer { .live }

  func keep(_ question: TapeQuestion, _ outcome: @escaping @Sendable () -> Read.Outcome) {
    lock.withLock { if !isClosed { taken.reads.append((question, outcome)) } }
  }
}
