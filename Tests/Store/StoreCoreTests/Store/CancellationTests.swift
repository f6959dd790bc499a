import Platform
import StoreCore
import Testing

@Suite("Cancellation")
struct CancellationTests {
  /// Sends its second action after a second.
  static func late(_ name: String, on clock: TestClock) -> Effect<String> {
    .run { send in
      try await clock.sleep(for: .seconds(1))
      await send(name)
    }
  }

  @Test("of two effects in one turn that cancel what is in flight, the first is cancelled")
  func cancelInFlight() async {
    for _ in 0..<1_000 {
      let clock = TestClock()
      let store = traceStore {
        $0.continuousClock = clock
      } effects: { action in
        switch action {
        case "go": .merge(.send("first"), .send("second"))
        case "first", "second":
          Self.late("late \(action)", on: clock).cancellable(id: "id", cancelInFlight: true)
        default: .none
        }
      }
      let task = store.send("go")
      await clock.advance(by: .seconds(1))
      await task.finish()
      #expect(store.state == ["go", "first", "second", "late second"])
    }
  }

  @Test("two effects with one id that cancel nothing both run")
  func sharedID() async {
    for _ in 0..<1_000 {
      let clock = TestClock()
      let store = traceStore {
        $0.continuousClock = clock
      } effects: { action in
        switch action {
        case "go": .merge(.send("first"), .send("second"))
        case "first", "second": Self.late("late \(action)", on: clock).cancellable(id: "id")
        default: .none
        }
      }
      let task = store.send("go")
      await clock.advance(by: .seconds(1))
      await task.finish()
      #expect(store.state == ["go", "first", "second", "late first", "late second"])
    }
  }

  @Test("a cancel later in the same turn cancels, and the body of the effect never runs")
  func cancelInSameTurn() async {
    for _ in 0..<1_000 {
      let ran = Locked(false)
      let log = HookLog()
      let store = traceStore(hooks: log) { action in
        switch action {
        case "go": .merge(.send("start"), .send("stop"))
        case "start":
          .run { send in
            ran.withLock { $0 = true }
            await send("late")
          }
          .cancellable(id: "id")
        case "stop": .cancel(id: "id")
        default: .none
        }
      }
      await store.send("go").finish()
      #expect(store.state == ["go", "start", "stop"])
      #expect(!ran.withLock { $0 })
      #expect(
        log.lines == [
          "step 1 go user: 0 to 1",
          "step 2 start output(of: 1): 1 to 2",
          "effect 1 of 2#1 started",
          "step 3 stop output(of: 1): 2 to 3",
          "effect 1 of 2#1 cancelled",
        ])
    }
  }

  @Test("a run merged with its own cancel is started, then cancelled")
  func mergedWithCancel() async {
    for _ in 0..<1_000 {
      let log = HookLog()
      let store = traceStore(hooks: log) { action in
        guard action == "go" else { return .none }
        return .merge(
          .run { send in await send("late") }.cancellable(id: "id"), .cancel(id: "id"))
      }
      await store.send("go").finish()
      #expect(
        log.lines == [
          "step 1 go user: 0 to 1",
          "effect 1 of 1#1 started",
          "effect 1 of 1#1 cancelled",
        ])
    }
  }

  @Test("a run chained to its own cancel runs")
  func chainedToCancel() async {
    let store = traceStore { action in
      guard action == "go" else { return .none }
      return .concatenate(
        .cancel(id: "id"), .run { send in await send("late") }.cancellable(id: "id"))
    }
    await store.send("go").finish()
    #expect(store.state == ["go", "late"])
  }

  @Test("the type is part of an id: a Substring does not cancel a String")
  func typeOfID() async {
    let store = traceStore { action in
      guard action == "go" else { return .none }
      return .merge(
        .run { send in await send("late") }.cancellable(id: "x"),
        .cancel(id: Substring("x")))
    }
    await store.send("go").finish()
    #expect(store.state == ["go", "late"])
  }

  @Test("cancelling the task of a send cancels what its effects' actions started")
  func cancellingTask() async {
    let clock = TestClock()
    let store = traceStore {
      $0.continuousClock = clock
    } effects: { action in
      switch action {
      case "go": .run { send in await send("next") }
      case "next": Self.late("late", on: clock)
      default: .none
      }
    }
    let task = store.send("go")
    await clock.advance()
    #expect(store.state == ["go", "next"])
    task.cancel()
    await task.finish()
    await clock.advance(by: .seconds(2))
    #expect(store.state == ["go", "next"])
  }

  @Test("releasing the store cancels its effects")
  func releasingStore() async {
    let clock = TestClock()
    let wasCancelled = Locked(false)
    var store: TraceStore? = traceStore {
      $0.continuousClock = clock
    } effects: { action in
      .run { _ in
        do { try await clock.sleep(for: .seconds(1)) } catch {
          wasCancelled.withLock { $0 = true }
        }
      }
    }
    let task = store?.send("go")
    await clock.advance()
    store = nil
    await task?.finish()
    #expect(wasCancelled.withLock { $0 })
  }

  @Test("a send from a cancellation handler runs right after the turn that cancels")
  func sendFromHandler() async {
    let clock = TestClock()
    let issues = IssueLog()
    let box = Locked<TraceStore?>(nil)
    let store = traceStore {
      $0.continuousClock = clock
      $0.issueReporter = issues.reporter
    } effects: { action in
      switch action {
      case "go":
        .run { _ in
          await withTaskCancellationHandler {
            try? await clock.sleep(for: .seconds(1))
          } onCancel: {
            box.withLock { $0 }?.send("told")
          }
        }
        .cancellable(id: "id")
      case "stop": .cancel(id: "id")
      default: .none
      }
    }
    box.withLock { $0 = store }
    store.send("go")
    await clock.advance()
    store.send("stop")
    #expect(store.state == ["go", "stop", "told"])
    #expect(issues.messages == [])
    box.withLock { $0 = nil }
  }
}
