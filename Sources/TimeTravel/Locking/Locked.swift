#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A value behind a lock.
///
/// `@unchecked Sendable`: the value is touched only inside `withLock`, while the lock is held, and
/// only sendable values go in and out.
final class Locked<Value: Sendable>: @unchecked Sendable {
  private var value: Value
  private let lock: UnsafeMutablePointer<pthread_mutex_t>

  init(_ value: Value) {
    self.value = value
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_mutex_t())
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deinitialize(count: 1)
    lock.deallocate()
  }

  func withLock<Result: Sendable, Failure: Error>(
    _ work: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try work(&value)
  }
}
