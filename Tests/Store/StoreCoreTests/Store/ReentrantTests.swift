import Platform
import StoreCore
import Testing

/// The task of a send that waits for the turn it was made in.
@Suite("Sends from inside a turn")
struct ReentrantTests {
  /// Sends "inside" from an observer, and does something with its task at once.
  private func store(
    clock: TestClock = TestClock(), atOnce: @escaping @Sendable (StoreTask) -> Void = { _ in }
  ) -> (store: TraceStore, log: HookLog, task: @Sendable () -> StoreTask?, held: Subscription) {
    let log = HookLog()
    let made = Locked<StoreTask?>(nil)
    let store = traceStore(hooks: log) {
      $0.continuousClock = clock
      $0.issueReporter = IssueReporter { _ in }
    } effects: { action in
      switch action {
      case "inside": .merge(.send("sent"), CancellationTests.late("late inside", on: clock))
      case "sent": CancellationTests.late("late sent", on: clock)
      case "other": CancellationTests.late("late other", on: clock)
      default: .none
      }
    }
    let subscription = store.observe { [weak store] state in
      guard state.last == "go", let task = store?.send("inside") else { return }
      made.withLock { $0 = task }
      atOnce(task)
    }
    return (store, log, { made.withLock { $0 } }, subscription)
  }

  @Test("its task lasts as long as the effects of all that it sent in the turn")
  func finishing() async {
    let clock = TestClock()
    let (store, _, task, held) = store(clock: clock)
    store.send("go")
    #expect(store.state == ["go", "inside", "sent"])
    let isDone = Locked(false)
    let waiter = Task {
      await task()?.finish()
      isDone.withLock { $0 = true }
    }
    await clock.advance(by: .milliseconds(500))
    #expect(!isDone.withLock { $0 })
    await clock.advance(by: .milliseconds(500))
    await waiter.value
    #expect(store.state == ["go", "inside", "sent", "late inside", "late sent"])
    held.cancel()
  }

  @Test("cancelled before its step begins, the action runs and its effects do not")
  func cancellingEarly() async {
    let clock = TestClock()
    let (store, log, task, held) = store(clock: clock) { $0.cancel() }
    let other = store.send("other")
    store.send("go")
    await task()?.finish()
    await clock.advance(by: .seconds(1))
    await other.finish()
    #expect(store.state == ["other", "go", "inside", "sent", "late other"])
    #expect(
      log.lines.filter { $0.hasPrefix("effect") } == [
        "effect 1 of 1#1 started",
        "effect 2 of 3#1 started",
        "effect 3 of 4#1 started",
        "effect 2 of 3#1 stopped",
        "effect 3 of 4#1 stopped",
        "effect 1 of 1#1 emitted(step: 5)",
        "effect 1 of 1#1 finished",
      ])
    held.cancel()
  }

  @Test("cancelled later, its effects end")
  func cancellingLate() async {
    let clock = TestClock()
    let (store, _, task, held) = store(clock: clock)
    store.send("go")
    task()?.cancel()
    await task()?.finish()
    await clock.advance(by: .seconds(1))
    #expect(store.state == ["go", "inside", "sent"])
    held.cancel()
  }
}
