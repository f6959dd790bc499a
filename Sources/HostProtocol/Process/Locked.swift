#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A value behind a lock.
///
/// `@unchecked Sendable`: the value is touched only inside `withLock`, while the lock is held, and
/// only sendable values go in and out.
package final class Locked<Guarded: Sendable>: @unchecked Sendable {
  private var guarded: Guarded
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  package init(_ guarded: Guarded) {
    self.guarded = guarded
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  package func withLock<Result: Sendable, Failure: Error>(
    _ work: (inout Guarded) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try work(&guarded)
  }
}
