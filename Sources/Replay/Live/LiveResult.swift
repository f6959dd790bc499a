import SessionLog

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a thread waits for that has no business of its own meanwhile.
///
/// `@unchecked Sendable`: the result is touched only while the mutex is held.
final class LiveResult: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let isSet: UnsafeMutablePointer<pthread_cond_t>
  private var result: Result<LiveRun, any Error>?

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    isSet = .allocate(capacity: 1)
    isSet.initialize(to: pthread_cond_t())
    pthread_cond_init(isSet, nil)
  }

  deinit {
    pthread_cond_destroy(isSet)
    pthread_mutex_destroy(mutex)
    isSet.deallocate()
    mutex.deallocate()
  }

  func set(_ result: Result<LiveRun, any Error>) {
    pthread_mutex_lock(mutex)
    self.result = result
    pthread_cond_signal(isSet)
    pthread_mutex_unlock(mutex)
  }

  func wait() -> Result<LiveRun, any Error> {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result { return result }
      pthread_cond_wait(isSet, mutex)
    }
  }
}
