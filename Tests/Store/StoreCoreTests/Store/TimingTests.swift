import Platform
import StoreCore
import Testing

/// Keeps its jobs until the test runs them.
private final class HeldExecutor: TaskExecutor {
  private let jobs = Locked<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func runAll() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

@Suite("Debounce and throttle")
struct TimingTests {
  @Test("the clock forgets a sleeper that is cancelled when it is awake already")
  func lateCancellation() async {
    let clock = TestClock()
    let executor = HeldExecutor()
    let task = Task(executorPreference: executor) {
      try? await clock.sleep(for: .seconds(1))
    }
    executor.runAll()
    #expect(clock.sleeperCount == 1)
    await clock.advance(by: .seconds(1))
    task.cancel()
    executor.runAll()
    await task.value
    #expect(clock.sleeperCount == 0)
  }

  @Test("a debounced effect starts when nobody has asked for it for the time")
  func debounce() async {
    let clock = TestClock()
    let store = traceStore {
      $0.continuousClock = clock
    } effects: { action in
      action.hasPrefix("late")
        ? .none : .send("late \(action)").debounce(id: "id", for: .seconds(2))
    }
    store.send("a")
    await clock.advance(by: .seconds(1))
    store.send("b")
    await clock.advance(by: .seconds(1))
    #expect(store.state == ["a", "b"])
    await clock.advance(by: .seconds(1))
    #expect(store.state == ["a", "b", "late b"])
  }

  @Test("a throttle lets the first through at once and the latest when the time is over")
  func throttleLatest() async {
    #expect(
      await throttled(latest: true)
        == ["a", "now a", "b", "c", "now c", "d", "now d", "e", "now e"])
  }

  @Test("a throttle can keep the first of those it held back")
  func throttleFirst() async {
    #expect(
      await throttled(latest: false)
        == ["a", "now a", "b", "c", "now b", "d", "now d", "e", "now e"])
  }

  func throttled(latest: Bool) async -> [String] {
    let clock = TestClock()
    let store = traceStore {
      $0.continuousClock = clock
    } effects: { action in
      action.hasPrefix("now")
        ? .none : .send("now \(action)").throttle(id: "id", for: .seconds(2), latest: latest)
    }
    store.send("a")
    await clock.advance(by: .seconds(1))
    store.send("b")
    store.send("c")
    await clock.advance(by: .seconds(1))
    store.send("d")
    await clock.advance(by: .seconds(2))
    await clock.advance(by: .seconds(2))
    store.send("e")
    return store.state
  }

  func slowThrottle(_ clock: TestClock) -> TraceStore {
    traceStore {
      $0.continuousClock = clock
    } effects: { action in
      switch action {
      case "a", "b": .send("now \(action)").throttle(id: "id", for: .seconds(2), latest: true)
      case "stop": .cancel(id: "id")
      default: .none
      }
    }
  }

  @Test("cancelling the task that opened a throttle's window does not drop what another one asked")
  func throttleOfAnother() async {
    let clock = TestClock()
    let store = traceStore {
      $0.continuousClock = clock
    } effects: { action in
      switch action {
      case "a", "b":
        .run { send in await send("now \(action)") }
          .throttle(id: "id", for: .seconds(2), latest: true)
      default: .none
      }
    }
    let first = store.send("a")
    await clock.advance()
    store.send("b")
    first.cancel()
    await clock.advance(by: .seconds(4))
    #expect(store.state == ["a", "now a", "b", "now b"])
  }

  @Test("the id of a throttle cancels what it holds back")
  func throttleCancelled() async {
    let clock = TestClock()
    let store = slowThrottle(clock)
    store.send("a")
    store.send("b")
    store.send("stop")
    await clock.advance(by: .seconds(4))
    #expect(store.state == ["a", "now a", "b", "stop"])
  }

  @Test("a test clock given to a reducer waits for the effects, as one given to the store does")
  func clockOfReducer() async {
    let clock = TestClock()
    let store = Store(initialState: [String]()) {
      TraceFeature { action in
        guard action == "go" else { return .none }
        return .run { send in
          try await clock.sleep(for: .seconds(1))
          for _ in 0..<100_000 { await Task.yield() }
          await send("done")
        }
      }
      .dependency(\.continuousClock, clock)
    }
    store.send("go")
    await clock.advance(by: .seconds(1))
    #expect(store.state == ["go", "done"])
  }
}

@Suite("Waiting on a clock that a test moves")
struct TestClockWaitTests {
  @Test("who sleeps for no time waits for the next advance")
  func zero() async {
    let clock = TestClock()
    let store = traceStore {
      $0.continuousClock = clock
    } effects: { action in
      guard action == "go" else { return .none }
      return .run { send in
        try await clock.sleep(for: .zero)
        await send("awake")
      }
    }
    store.send("go")
    while clock.sleeperCount == 0 { await Task.yield() }
    #expect(store.state == ["go"])
    await clock.advance()
    #expect(store.state == ["go", "awake"])
  }

  @Test("a store whose effects wait for a clock that nobody advances says so")
  func nobody() async {
    let line = #line + 5
    let issues = IssueLog()
    let store = traceStore {
      $0.issueReporter = issues.reporter
    } effects: { _ in
      .run(name: "tick") { _ in
        @Dependency(\.continuousClock) var clock
        try await clock.sleep(for: .seconds(3))
      }
    }
    let task = store.send("go")
    let waiting = Task { await task.finish() }
    while issues.messages.isEmpty { await Task.yield() }
    #expect(
      issues.messages == [
        """
        Nothing has moved for a second. The effect “tick” (TimingTests.swift:\(line)): It \
        sleeps on a test clock until 3.0 seconds; the clock stands at 0.0 seconds. Advance it, or \
        let the store use an ImmediateClock.
        """
      ])
    waiting.cancel()
    await waiting.value
    await task.finish()
  }
}
