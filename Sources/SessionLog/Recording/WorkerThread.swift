#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread of its own: writing may block for long, and must not hold up a thread of the pool.
struct WorkerThread: Sendable {
  private let done: ThreadEnd

  /// Starts a thread; nil when the system has none left.
  init?(_ work: @escaping @Sendable () -> Void) {
    let done = ThreadEnd()
    self.done = done
    let start = Unmanaged.passRetained(
      ThreadStart {
        work()
        done.signal()
      })
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let result = pthread_create(&thread, nil, { Self.run($0) }, start.toOpaque())
    guard result == 0 else {
      start.release()
      return nil
    }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  }

  /// Returns when the work is done.
  func join() { done.wait() }

  #if canImport(Darwin)
    private static func run(_ start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      Unmanaged<ThreadStart>.fromOpaque(start).takeRetainedValue().work()
      return nil
    }
  #else
    private static func run(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      guard let start else { return nil }
      Unmanaged<ThreadStart>.fromOpaque(start).takeRetainedValue().work()
      return nil
    }
  #endif
}

private final class ThreadStart: Sendable {
  let work: @Sendable () -> Void
  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}

/// `@unchecked Sendable`: the flag is touched only while the lock is held.
private final class ThreadEnd: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let ended: UnsafeMutablePointer<pthread_cond_t>
  private var isDone = false

  init() {
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_mutex_t())
    pthread_mutex_init(lock, nil)
    ended = .allocate(capacity: 1)
    ended.initialize(to: pthread_cond_t())
    pthread_cond_init(ended, nil)
  }

  deinit {
    pthread_cond_destroy(ended)
    pthread_mutex_destroy(lock)
    ended.deallocate()
    lock.deallocate()
  }

  func signal() {
    pthread_mutex_lock(lock)
    isDone = true
    pthread_cond_broadcast(ended)
    pthread_mutex_unlock(lock)
  }

  func wait() {
    pthread_mutex_lock(lock)
    while !isDone { pthread_cond_wait(ended, lock) }
    pthread_mutex_unlock(lock)
  }
}
