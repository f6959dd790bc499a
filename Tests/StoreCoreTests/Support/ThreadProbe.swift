import StoreCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Names threads, and makes new ones.
enum ThreadProbe {
  static var current: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }

  /// Runs the work on a thread of its own, and gives that thread's name when it is done.
  @discardableResult
  static func ofNewThread(_ work: @escaping @Sendable () -> Void) async -> UInt {
    await withCheckedContinuation { continuation in
      start {
        work()
        continuation.resume(returning: current)
      }
    }
  }

  private final class Job {
    let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
  }

  private static func start(_ work: @escaping @Sendable () -> Void) {
    let job = Unmanaged.passRetained(Job(work))
    #if canImport(Darwin)
      var thread: pthread_t?
      pthread_create(
        &thread, nil,
        {
          Self.run($0); return nil
        }, job.toOpaque())
      if let thread { pthread_detach(thread) }
    #else
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { pointer in
          if let pointer { ThreadProbe.run(pointer) }
          return nil
        }, job.toOpaque())
      pthread_detach(thread)
    #endif
  }

  private static func run(_ pointer: UnsafeMutableRawPointer) {
    Unmanaged<Job>.fromOpaque(pointer).takeRetainedValue().work()
  }
}
