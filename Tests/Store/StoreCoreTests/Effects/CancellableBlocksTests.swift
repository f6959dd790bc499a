import Platform
import StoreCore
import Testing

@Suite("Parts of effects that are cancelled by ids of their own")
struct CancellableBlocksTests {
  /// Ticks until it is cancelled, and says so.
  static func ticking(on clock: TestClock, cancelInFlight: Bool = false) -> Effect<String> {
    .run { send in
      await send("begin")
      do {
        try await withTaskCancellation(id: "ticks", cancelInFlight: cancelInFlight) {
          while true {
            try await clock.sleep(for: .seconds(1))
            await send("tick")
          }
        }
      } catch is CancellationError {
        await send("cancelled")
      }
    }
  }

  static func store(
    _ clock: TestClock, _ effects: @escaping @Sendable (String) -> Effect<String>
  ) -> TraceStore {
    traceStore({ $0.continuousClock = clock }, effects: effects)
  }

  @Test("a reducer cancels the part, and the effect goes on")
  func byReducer() async {
    let clock = TestClock()
    let store = Self.store(clock) { action in
      switch action {
      case "go": Self.ticking(on: clock)
      case "stop": .cancel(id: "ticks")
      default: .none
      }
    }
    let task = store.send("go")
    await clock.advance(by: .seconds(2))
    store.send("stop")
    await task.finish()
    #expect(store.state == ["go", "begin", "tick", "tick", "stop", "cancelled"])
  }

  @Test("Task.cancel(id:) in an effect cancels the part, and effects with that id")
  func byEffect() async {
    let clock = TestClock()
    let log = ChangeLog<[String], String>()
    let store = traceStore(hooks: log, { $0.continuousClock = clock }) { action in
      switch action {
      case "go":
        .merge(
          Self.ticking(on: clock),
          .run { _ in try await clock.sleep(for: .seconds(9)) }
            .cancellable(id: "ticks"))
      case "stop":
        .run { _ in
          Task.cancel(id: "others")
          Task.cancel(id: "ticks")
        }
      default: .none
      }
    }
    let task = store.send("go")
    await clock.advance(by: .seconds(1))
    await store.send("stop").finish()
    await task.finish()
    #expect(store.state == ["go", "begin", "tick", "stop", "cancelled"])
    #expect(
      log.lines.sorted() == [
        "1 finished", "1 started", "2 started", "2 stopped", "3 finished", "3 started",
      ])
  }

  @Test("the newest takes the place of the one before")
  func cancelInFlight() async {
    let clock = TestClock()
    let store = Self.store(clock) { action in
      action == "go" ? Self.ticking(on: clock, cancelInFlight: true) : .none
    }
    store.send("go")
    await clock.advance()
    let second = store.send("go")
    await clock.advance(by: .seconds(1))
    #expect(store.state == ["go", "begin", "go", "begin", "cancelled", "tick"])
    second.cancel()
  }

  @Test("whoever cancels the effect cancels its parts, and its value comes back when nobody does")
  func withTheEffect() async {
    let clock = TestClock()
    let store = Self.store(clock) { action in
      switch action {
      case "go": Self.ticking(on: clock)
      case "value":
        .run { send in await send(await withTaskCancellation(id: "value") { "answer" }) }
      default: .none
      }
    }
    let task = store.send("go")
    await clock.advance(by: .seconds(1))
    task.cancel()
    await clock.advance(by: .seconds(5))
    await store.send("value").finish()
    #expect(store.state == ["go", "begin", "tick", "value", "answer"])
    #expect(clock.sleeperCount == 0)
  }

  @Test("an id outside of effects is an issue")
  func outside() async {
    let issues = Locked<[String]>([])
    await withDependencies {
      $0.issueReporter = IssueReporter { issue in issues.withLock { $0.append(issue.message) } }
    } operation: {
      Task.cancel(id: 1)
      #expect(await withTaskCancellation(id: 1) { 2 } == 2)
    }
    #expect(
      issues.withLock { $0 }
        == Array(repeating: "A cancel id means something only in an effect of a store.", count: 2))
  }
}
