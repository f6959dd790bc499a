import StoreCore
import Testing

@Suite("Effects that go wrong, and sends from where they should not come")
struct FailureTests {
  struct Broken: Error, CustomStringConvertible {
    var description: String { "broken" }
  }

  @Test("row 13: a run that throws without a handler is reported at its place")
  func row13() async {
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

  @Test("row 14: a catch handler gets the error and can send; a cancellation is silent")
  func row14() async {
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

  @Test("row 15: a send after the effect ended is reported, and its action runs")
  func row15() async {
    let issues = IssueLog()
    let kept = LockedBox<Send<String>?>(nil)
    let store = traceStore {
      $0.issueReporter = issues.reporter
    } effects: { action in
      guard action == "go" else { return .none }
      return .run { send in kept.withValue { $0 = send } }
    }
    await store.send("go").finish()
    await kept.withValue { $0 }?("late")
    #expect(store.state == ["go", "late"])
    #expect(issues.messages == ["An effect sent an action after it had ended."])
  }

  @Test("row 16: finishing waits for the effects of the actions that effects sent")
  func row16() async {
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

  @Test("row 19: a send from an observer is reported, and runs after the current action")
  func row19() async {
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
}
