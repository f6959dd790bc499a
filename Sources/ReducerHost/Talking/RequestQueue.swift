import HostProtocol
import Platform

/// Requests on their way from the thread that reads them to the one that works on them.
///
/// `@unchecked Sendable`: everything is touched only while the lock is held.
final class RequestQueue: @unchecked Sendable {
  private let lock = Lock()
  private let filled = ThreadSignal()
  private var requests: [HostRequest] = []
  private var cancelled: Set<Int> = []
  private var isClosed = false

  func push(_ request: HostRequest) {
    locked {
      requests.append(request)
      filled.wakeOne()
    }
  }

  func close() {
    locked {
      isClosed = true
      filled.wakeOne()
    }
  }

  func cancel(_ id: Int) { locked { _ = cancelled.insert(id) } }

  func isCancelled(_ id: Int) -> Bool { locked { isClosed || cancelled.contains(id) } }

  /// Whether no request waits, and more may come.
  var isIdle: Bool { locked { requests.isEmpty && !isClosed } }

  /// Waits for the next request; nil at the end.
  func next() -> HostRequest? {
    locked {
      while requests.isEmpty, !isClosed { filled.wait(in: lock) }
      return isClosed ? nil : requests.removeFirst()
    }
  }

  private func locked<Result>(_ work: () -> Result) -> Result { lock.withLock(work) }
}
