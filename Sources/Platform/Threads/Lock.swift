/// Lets one thread at a time work. (A pthread mutex: the thread sanitizer does not understand
/// `Synchronization.Mutex`.)
///
/// `@unchecked Sendable`: the pointer never changes, and what it points to is made to be shared.
package final class Lock: @unchecked Sendable {
  @usableFromInline package let mutex: UnsafeMutablePointer<pthread_mutex_t>

  package init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  @inlinable
  @inline(__always)
  package func lock() { pthread_mutex_lock(mutex) }

  @inlinable
  @inline(__always)
  package func unlock() { pthread_mutex_unlock(mutex) }

  @inlinable
  @inline(__always)
  package func withLock<Result, Failure: Error>(
    _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try work()
  }
}

/// A value that several threads share.
///
/// `@unchecked Sendable`: the value is touched only inside `withLock`, while the lock is held.
package final class Locked<Value>: @unchecked Sendable {
  @usableFromInline package var value: Value
  @usableFromInline package let lock = Lock()

  package init(_ value: sending Value) { self.value = value }

  @inlinable
  package func withLock<Result, Failure: Error>(
    _ work: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try work(&value)
  }
}
