import Platform

/// Calls once a second, from a thread of its own, until it ends. After that it calls no more.
final class SecondTicker: Sendable {
  private let lock = Lock()
  private let ended = ThreadSignal()
  private let isOver = Locked(false)

  func start(_ tick: @escaping @Sendable () -> Void) {
    _ = try? SystemThread.start { [self] in
      lock.withLock {
        while !isOver.withLock({ $0 }) {
          if !ended.wait(in: lock, until: ThreadDeadline(in: .seconds(1))) { tick() }
        }
      }
    }
  }

  func end() {
    isOver.withLock { $0 = true }
    lock.withLock { ended.wakeAll() }
  }
}
