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
  private let lock = ThreadLock()
  private let ended = ThreadSignal()
  private var isDone = false

  func signal() {
    lock.locked {
      isDone = true
      ended.wakeAll()
    }
  }

  func wait() {
    lock.locked { while !isDone { ended.wait(in: lock) } }
  }
}
