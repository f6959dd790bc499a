import Platform
import SessionWords

/// What a thread waits for that has no business of its own meanwhile.
///
/// `@unchecked Sendable`: the result is touched only while the lock is held.
final class LiveResult: @unchecked Sendable {
  private let lock = Lock()
  private let isSet = ThreadSignal()
  private var result: Result<LiveRun, any Error>?

  func set(_ result: Result<LiveRun, any Error>) {
    lock.withLock {
      self.result = result
      isSet.wakeOne()
    }
  }

  func wait() -> Result<LiveRun, any Error> {
    lock.withLock {
      while true {
        if let result { return result }
        isSet.wait(in: lock)
      }
    }
  }
}
