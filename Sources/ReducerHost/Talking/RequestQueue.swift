import HostProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Requests on their way from the thread that reads them to the one that works on them.
///
/// `@unchecked Sendable`: everything is touched only while the mutex is held.
final class RequestQueue: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let filled: UnsafeMutablePointer<pthread_cond_t>
  private var requests: [HostRequest] = []
  private var cancelled: Set<Int> = []
  private var isClosed = false

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    filled = .allocate(capacity: 1)
    filled.initialize(to: pthread_cond_t())
    pthread_cond_init(filled, nil)
  }

  deinit {
    pthread_cond_destroy(filled)
    pthread_mutex_destroy(mutex)
    filled.deallocate()
    mutex.deallocate()
  }

  func push(_ request: HostRequest) {
    locked {
      requests.append(request)
      pthread_cond_signal(filled)
    }
  }

  func close() {
    locked {
      isClosed = true
      pthread_cond_signal(filled)
    }
  }

  func cancel(_ id: Int) { locked { _ = cancelled.insert(id) } }

  func isCancelled(_ id: Int) -> Bool { locked { isClosed || cancelled.contains(id) } }

  /// Waits for the next request; nil at the end.
  func next() -> HostRequest? {
    locked {
      while requests.isEmpty, !isClosed { pthread_cond_wait(filled, mutex) }
      return isClosed ? nil : requests.removeFirst()
    }
  }

  private func locked<Result>(_ work: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return work()
  }
}
