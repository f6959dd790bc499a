import Platform

/// Runs sessions in this process, with a host that only reduces.
package protocol HostEngine: Sendable {
  /// Answers requests until the queue is closed.
  func serve(_ queue: RequestQueue, say: @escaping @Sendable (Int, HostMessage.Content) -> Void)
  /// Ends the host. Any thread may call it.
  func end()
}

/// Requests on their way to the thread that answers them.
///
/// `@unchecked Sendable`: the lock guards everything.
package final class RequestQueue: @unchecked Sendable {
  private let lock = Lock()
  private let filled = ThreadSignal()
  private var requests: [HostRequest] = []
  private var cancelled: Set<Int> = []
  private var isClosed = false

  package init() {}

  package func receive(_ request: HostRequest) {
    lock.withLock {
      switch request.ask {
      case .quit: isClosed = true
      case .cancel(let id): cancelled.insert(id)
      default: requests.append(request)
      }
      filled.wakeOne()
    }
  }

  package func close() { receive(HostRequest(id: 0, ask: .quit)) }

  package func isCancelled(_ id: Int) -> Bool {
    lock.withLock { isClosed || cancelled.contains(id) }
  }

  package var isIdle: Bool { lock.withLock { requests.isEmpty && !isClosed } }

  package func next() -> HostRequest? {
    lock.withLock {
      while requests.isEmpty, !isClosed { filled.wait(in: lock) }
      return isClosed ? nil : requests.removeFirst()
    }
  }
}
