import Platform
import Testing

@Suite("Threads")
struct ThreadTests {
  @Test("a value behind a lock counts what eight threads add")
  func locked() throws {
    let count = Locked(0)
    let threads = try (0..<8).map { _ in
      try SystemThread.start { for _ in 0..<1_000 { count.withLock { $0 += 1 } } }
    }
    for thread in threads { thread.join() }
    #expect(count.withLock { $0 } == 8_000)
  }

  @Test("joining waits for the work, and may be done twice")
  func join() throws {
    let done = Locked(false)
    let gate = Latch()
    let thread = try SystemThread.start(stackSize: 1 << 20) {
      gate.wait()
      done.withLock { $0 = true }
    }
    gate.open()
    thread.join()
    thread.join()
    #expect(done.withLock { $0 })
  }

  @Test("a thread that waits for a signal is woken; one whose time is over says so")
  func signal() throws {
    let lock = Lock()
    let filled = ThreadSignal()
    let items = Locked<[Int]>([])
    let consumer = try SystemThread.start {
      lock.withLock { while items.withLock(\.isEmpty) { filled.wait(in: lock) } }
    }
    lock.withLock {
      items.withLock { $0.append(1) }
      filled.wakeAll()
    }
    consumer.join()
    let isWoken = lock.withLock { filled.wait(in: lock, until: ThreadDeadline(in: .zero)) }
    #expect(!isWoken)
  }

  @Test("each thread has a name of its own")
  func names() throws {
    let other = Locked<UInt>(0)
    try SystemThread.start { other.withLock { $0 = ThreadID.current } }.join()
    #expect(ThreadID.current != 0)
    #expect(other.withLock { $0 } != ThreadID.current)
  }
}
