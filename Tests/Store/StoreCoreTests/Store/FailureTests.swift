import Platform
import StoreCore
import Testing

@Suite("Effects that go wrong, and sends from where they should not come")
struct FailureTests {
  struct Broken: Error, CustomStringConvertible {
    var description: String { "broken" }
  }

  @Test("a run that throws without a handler is reported at its place")
  func withoutHandler() async {
    let issues = IssueLog()
    let line: UInt = #line + 5
    let store = traceStore {
      $0.issueReporter = issues.reporter
    } effects: { _ in
      .run { _ in throw Broken() }
    }
    await store.send("go").finish()
    #expect(issues.messages == ["An effect failed and has no catch handler: broken"])
    #expect(issues.places == ["StoreCoreTests/FailureTests.swift:\(line - 1)"])
  }

  @Test("a catch handler gets the error and can send; a cancellation is silent")
  func withHandler() async {
    let issues = IssueLog()
    let store = traceStore {
      $0.issueReporter = issues.reporter
    } effects: { action in
      switch action {
      case "go":
        .run { _ in
          throw Broken()
        } catch: { error, send in
          await send("caught \(error)")
        }
      case "stop":
        .run { _ in
          throw CancellationError()
        } catch: { _, send in
          await send("caught")
        }
      default: .none
      }
    }
    await store.send("go").finish()
    await store.send("stop").finish()
    #expect(store.state == ["go", "caught broken", "stop"])
    #expect(issues.messages == [])
  }

  @Test("a send after the effect ended is reported, and its action runs")
  func sendAfterEnd() async {
    let issues = IssueLog()
    let kept = Locked<Send<String>?>(nil)
    let store = traceStore {
      $0.issueReporter = issues.reporter
    } effects: { action in
      guard action == "go" else { return .none }
      return .run { send in kept.withLock { $0 = send } }
    }
    await store.send("go").finish()
    await kept.withLock { $0 }?("late")
    #expect(store.state == ["go", "late"])
    #expect(issues.messages == ["An effect sent an action after it had ended."])
  }

  @Test("finishing the task of a send waits for the effects of the actions that effects sent")
  func finishing() async {
    let store = traceStore { action in
      switch action {
      case "go": .run { send in await send("a") }
      case "a": .run { send in await send("b") }
      case "b": .run { send in await send("c") }
      default: .none
      }
    }
    await store.send("go").finish()
    #expect(store.state == ["go", "a", "b", "c"])
  }

  @Test("a send from an observer is reported, and runs after the current action")
  func sendFromObserver() async {
    let issues = IssueLog()
    let store = traceStore {
      $0.issueReporter = issues.reporter
    } effects: { _ in
      .none
    }
    let subscription = store.observe { [weak store] state in
      if state.last == "go" { store?.send("inside") }
    }
    store.send("go")
    #expect(store.state == ["go", "inside"])
    #expect(issues.messages.count == 1)
    subscription.cancel()
  }

  @Test("a send from a reducer is reported, and runs after the current action")
  func sendFromReducer() async {
    let issues = IssueLog()
    let box = Locked<TraceStore?>(nil)
    let tasks = Locked<[StoreTask]>([])
    let store = traceStore {
      $0.issueReporter = issues.reporter
    } effects: { action in
      switch action {
      case "go":
        if let task = box.withLock({ $0 })?.send("inside") {
          tasks.withLock { $0.append(task) }
        }
        return .send("sent")
      case "inside": return .run { send in await send("later") }
      default: return .none
      }
    }
    box.withLock { $0 = store }
    store.send("go")
    for task in tasks.withLock({ $0 }) { await task.finish() }
    box.withLock { $0 = nil }
    #expect(store.state == ["go", "inside", "sent", "later"])
    #expect(
      issues.messages == [
        "An action was sent from inside a reducer or an observer of the same store. "
          + "It runs after the current action; return an effect instead."
      ])
  }

  @Test("what a reducer asks of its own store is done when it has returned")
  func fromInsideReducer() async {
    let task = Locked<StoreTask?>(nil)
    let box = Locked<TraceStore?>(nil)
    let seen = Locked<[[String]]>([])
    let subscriptions = Locked<[Subscription]>([])
    let log = HookLog()
    let store = traceStore(hooks: log) { action in
      switch action {
      case "start":
        return .run { _ in try await TestClock().sleep(for: .seconds(1)) }
      case "stop":
        task.withLock { $0 }?.cancel()
        let subscription = box.withLock { $0 }?.observe { state in
          seen.withLock { $0.append(state) }
        }
        subscriptions.withLock { $0 += [subscription].compactMap { $0 } }
        return .none
      default: return .none
      }
    }
    box.withLock { $0 = store }
    task.withLock { $0 = store.send("start") }
    store.send("stop")
    await task.withLock { $0 }?.finish()
    box.withLock { $0 = nil }
    #expect(seen.withLock { $0 } == [["start", "stop"]])
    #expect(log.lines.last == "effect 1 of 1#1 stopped")
    subscriptions.withLock { $0 = [] }
  }

  @Test("a store that is released by its own reducer cancels its effects")
  func releasedInside() async {
    let box = Locked<TraceStore?>(nil)
    let log = HookLog()
    let store = traceStore(hooks: log) { action in
      if action == "leave" { box.withLock { $0 = nil } }
      return action == "start"
        ? .run { _ in try await TestClock().sleep(for: .seconds(1)) } : .none
    }
    box.withLock { $0 = store }
    let task = store.send("start")
    store.send("leave")
    _ = consume store
    await task.finish()
    #expect(log.lines.last == "effect 1 of 1#1 stopped")
  }

  @Test("a send from an observer's first call runs too")
  func sendFromFirstCall() {
    let issues = IssueLog()
    let store = traceStore {
      $0.issueReporter = issues.reporter
    } effects: { _ in
      .none
    }
    let subscription = store.observe { [weak store] state in
      if state.isEmpty { store?.send("first") }
    }
    #expect(store.state == ["first"])
    subscription.cancel()
  }
}
