/// Lets one thread at a time work. (A pthread mutex: the thread sanitizer does not understand
/// `Synchronization.Mutex`.)
///
/// `@unchecked Sendable`: the pointer never changes, and what it points to is made to be shared.
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

/// A value that several threads share.
///
/// `@unchecked Sendable`: the value is touched only inside `withLock`, while the lock is held.
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

/// Something that threads wait for, each inside the same ``Lock``, which is open meanwhile.
///
/// ```swift
/// lock.withLock {
///   while requests.isEmpty { filled.wait(in: lock) }
///   return requests.removeFirst()
/// }
/// ```
///
/// `@unchecked Sendable`: as the lock.
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

  /// Returns after a signal, or for no reason: look at what you wait for, and wait again.
  package func wait(in lock: Lock) { pthread_cond_wait(condition, lock.mutex) }

  /// The same; false when the time is over.
  package func wait(in lock: Lock, until deadline: ThreadDeadline) -> Bool {
    var time = deadline.time
    return pthread_cond_timedwait(condition, lock.mutex, &time) != ETIMEDOUT
  }

  package func wakeOne() { pthread_cond_signal(condition) }

  package func wakeAll() { pthread_cond_broadcast(condition) }
}

/// When a thread waits no longer.
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

/// Something that happens once, and that any number of threads may wait for.
///
/// `@unchecked Sendable`: the flag is touched only while the lock is held.
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
