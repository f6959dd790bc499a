/// A thread outside Swift's pool, for endless waits or long writes.
package struct SystemThread: Sendable {
  private let end: Latch

  /// The system has no thread left.
  package struct StartError: Error {
    package var number: Int32
  }

  /// Starts a thread with this stack size. Apple's default is 512 KB.
  package static func start(
    stackSize: Int = 8 << 20, _ work: @escaping @Sendable () -> Void
  ) throws(StartError) -> SystemThread {
    let end = Latch()
    let body = Unmanaged.passRetained(
      Body {
        work()
        end.open()
      })
    let error = create(stackSize: stackSize, body.toOpaque())
    guard error == 0 else {
      body.release()
      throw StartError(number: error)
    }
    return SystemThread(end: end)
  }

  package func join() { end.wait() }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private static func create(stackSize: Int, _ body: UnsafeMutableRawPointer) -> Int32 {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackSize)
    // Stored in a variable first: passed directly, Swift 6.3 crashes here.
    #if canImport(Darwin)
      var identifier: pthread_t?
      let main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { body in
        Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
        return nil
      }
    #else
      var identifier = pthread_t()
      let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { body in
        guard let body else { return nil }
        Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
        return nil
      }
    #endif
    return pthread_create(&identifier, &attributes, main, body)
  }
}

/// Work that another thread does, or the one that waits for it if the system has no thread left.
package final class ThreadWork<Result: Sendable>: Sendable {
  private let done = Locked<Result?>(nil)
  private let work: @Sendable () -> Result
  private let thread: SystemThread?

  package init(_ work: @escaping @Sendable () -> Result) {
    self.work = work
    let done = done
    thread = try? SystemThread.start {
      let result = work()
      done.withLock { $0 = result }
    }
  }

  package func result() -> Result {
    thread?.join()
    return done.withLock { $0 } ?? work()
  }
}

@usableFromInline
package enum ThreadID {
  @inlinable
  @inline(__always)
  package static var current: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }
}

/// Threads outside Swift's pool, for long computations. The pool has one thread for each processor,
/// and must stay free for quick answers.
///
/// ```swift
/// let task = Task(executorPreference: WorkThreads()) { try session.state(after: 90_000) }
/// ```
///
/// `@unchecked Sendable`: all mutable state is behind the lock.
package final class WorkThreads: TaskExecutor, @unchecked Sendable {
  private let lock = Lock()
  private let filled = ThreadSignal()
  private var waiting: [UnownedJob] = []
  private var idle = 0
  private var threads = 0

  /// More work must wait.
  private static let most = 32
  private static let timeToLive = Duration.seconds(2)

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustStart = lock.withLock {
      waiting.append(job)
      guard idle < waiting.count, threads < Self.most else {
        filled.wakeOne()
        return false
      }
      threads += 1
      return true
    }
    guard mustStart, (try? SystemThread.start({ self.work() })) == nil else {
      return
    }
    // The system has no thread left.
    Task.detached { self.work() }
  }

  private func work() {
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func next() -> UnownedJob? {
    lock.withLock {
      idle += 1
      defer { idle -= 1 }
      while waiting.isEmpty {
        guard filled.wait(in: lock, until: ThreadDeadline(in: Self.timeToLive)) || !waiting.isEmpty
        else {
          threads -= 1
          return nil
        }
      }
      return waiting.removeFirst()
    }
  }
}
