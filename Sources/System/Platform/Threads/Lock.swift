/// A mutex. (Pthread, because the thread sanitizer does not understand `Synchronization.Mutex`.)
///
/// `@unchecked Sendable`: the pointer never changes, and its target is made for sharing.
@usableFromInline
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

/// A value behind a lock.
///
/// `@unchecked Sendable`: the value is used only inside `withLock`.
@usableFromInline
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

/// A condition variable, waited for inside one ``Lock``, which is open meanwhile.
///
/// ```swift
/// lock.withLock {
///   while requests.isEmpty { filled.wait(in: lock) }
///   return requests.removeFirst()
/// }
/// ```
///
/// `@unchecked Sendable`: like the lock.
package final class ThreadSignal: @unchecked Sendable {
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  package init() {
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deinitialize(count: 1)
    condition.deallocate()
  }

  /// Returns after a signal or spuriously: check your condition, and wait again.
  package func wait(in lock: Lock) { pthread_cond_wait(condition, lock.mutex) }

  package func wait(in lock: Lock, until deadline: ThreadDeadline) -> Bool {
    var time = deadline.time
    return pthread_cond_timedwait(condition, lock.mutex, &time) != ETIMEDOUT
  }

  package func wakeOne() { pthread_cond_signal(condition) }

  package func wakeAll() { pthread_cond_broadcast(condition) }
}

package struct ThreadDeadline {
  fileprivate let time: timespec

  package init(in timeout: Duration) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let (seconds, attoseconds) = timeout.components
    let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000)
    time = timespec(
      tv_sec: now.tv_sec + Int(seconds) + nanoseconds / 1_000_000_000,
      tv_nsec: nanoseconds % 1_000_000_000)
  }
}

/// An event that happens once, with any number of waiting threads.
///
/// `@unchecked Sendable`: the flag is used only under the lock.
package final class Latch: @unchecked Sendable {
  private let lock = Lock()
  private let opened = ThreadSignal()
  private var isOpen = false

  package init() {}

  package func open() {
    lock.withLock {
      isOpen = true
      opened.wakeAll()
    }
  }

  package func wait() {
    lock.withLock { while !isOpen { opened.wait(in: lock) } }
  }
}
