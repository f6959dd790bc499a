import Platform
import StoreCore
import Testing

/// An executor that runs every job before `enqueue` returns, as an executor may.
final class InlineExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}

@Suite("Executors that run jobs at once")
struct ExecutorTests {
  func store(
    hooks: HookLog? = nil, clock: TestClock = TestClock(),
    effects: @escaping @Sendable (String) -> Effect<String>
  ) -> TraceStore {
    traceStore(hooks: hooks) {
      $0.effectExecutor = InlineExecutor()
      $0.continuousClock = clock
    } effects: {
      effects($0)
    }
  }

  @Test("effects have run when send returns, each after the turn that started it")
  func emissions() async {
    let log = HookLog()
    let store = store(hooks: log) { action in
      switch action {
      case "go":
        .merge(
          .run { send in
            await send("a")
            await send("b")
          },
          .send("c"))
      case "a": .run { send in await send("d") }
      default: .none
      }
    }
    let task = store.send("go")
    #expect(store.state == ["go", "c", "a", "d", "b"])
    await task.finish()
    #expect(
      log.lines == [
        "step 1 go user: 0 to 1",
        "effect 1 of 1#1 started",
        "step 2 c output(of: 1): 1 to 2",
        "effect 1 of 1#1 emitted(step: 3)",
        "step 3 a effect(1): 2 to 3",
        "effect 2 of 3#1 started",
        "effect 2 of 3#1 emitted(step: 4)",
        "step 4 d effect(2): 3 to 4",
        "effect 2 of 3#1 finished",
        "effect 1 of 1#1 emitted(step: 5)",
        "step 5 b effect(1): 4 to 5",
        "effect 1 of 1#1 finished",
      ])
  }

  @Test("an effect that is cancelled ends at once, and can send nothing more")
  func cancelling() async {
    let clock = TestClock()
    let log = HookLog()
    let store = store(hooks: log, clock: clock) { action in
      switch action {
      case "go":
        .run { send in
          try? await clock.sleep(for: .seconds(1))
          await send("late")
        }
        .cancellable(id: "id")
      case "stop": .cancel(id: "id")
      default: .none
      }
    }
    let task = store.send("go")
    store.send("stop")
    await task.finish()
    #expect(store.state == ["go", "stop"])
    #expect(log.lines.last == "effect 1 of 1#1 cancelled")
  }

  @Test("what follows an effect in a chain follows at once")
  func chains() async {
    let store = store { action in
      guard action == "go" else { return .none }
      return .concatenate(
        .run { send in await send("a") }, .send("b"), .run { send in await send("c") })
    }
    await store.send("go").finish()
    #expect(store.state == ["go", "a", "b", "c"])
  }

  @Test("an effect that an observer wakes sends behind the turn it was woken in")
  func wokenInside() async {
    let waiting = Locked<CheckedContinuation<Void, Never>?>(nil)
    let log = HookLog()
    let store = store(hooks: log) { action in
      guard action == "go" else { return .none }
      return .run { send in
        await withCheckedContinuation { continuation in
          waiting.withLock { $0 = continuation }
        }
        await send("woken")
      }
    }
    let subscription = store.observe { state in
      guard state.last == "wake" else { return }
      waiting.withLock { $0.take() }?.resume()
    }
    let task = store.send("go")
    store.send("wake")
    await task.finish()
    subscription.cancel()
    #expect(store.state == ["go", "wake", "woken"])
    #expect(
      log.lines == [
        "step 1 go user: 0 to 1",
        "effect 1 of 1#1 started",
        "step 2 wake user: 1 to 2",
        "effect 1 of 1#1 emitted(step: 3)",
        "step 3 woken effect(1): 2 to 3",
        "effect 1 of 1#1 finished",
      ])
  }

  @Test("who waits for a send to finish may send when it has")
  func waiters() async {
    let clock = TestClock()
    let issues = IssueLog()
    let store = traceStore {
      $0.continuousClock = clock
      $0.issueReporter = issues.reporter
    } effects: { action in
      guard action == "go" else { return .none }
      return .run { _ in try await clock.sleep(for: .seconds(1)) }
    }
    let sent = store.send("go")
    let waiter = Task(executorPreference: InlineExecutor()) {
      await sent.finish()
      store.send("after")
    }
    await clock.advance(by: .seconds(1))
    await waiter.value
    #expect(store.state == ["go", "after"])
    #expect(issues.messages == [])
  }
}
