import Platform
import StoreCore
import StoreTesting
import Testing

/// Features that dismiss themselves, tasks that do not end, and what closures see.
@Suite struct TestStoreTaskTests {
  struct Leaving: Reducer {
    enum Action: Sendable { case leaveTapped, started }
    typealias State = Int
    @Dependency(\.dismiss) var dismiss
    @Dependency(\.isPresented) var isPresented
    @Dependency(\.continuousClock) var clock
    static let watchLine = #line + 6
    func reduce(into state: inout Int, action: Action) -> Effect<Action> {
      switch action {
      case .leaveTapped:
        state = isPresented ? 1 : -1
        return .run { _ in await dismiss() }
      case .started: return .run(name: "watch") { _ in try await clock.sleep(for: .seconds(9)) }
      }
    }
  }

  @Test("a child that dismisses itself is tested alone; what is sent later fails at its line")
  func dismissal() async {
    let store = TestStore(initialState: 0) { Leaving() }
    await store.send(.started)
    #expect(!store.isDismissed)
    await store.send(.leaveTapped) { $0 = 1 }
    #expect(store.isDismissed)
    let line: UInt = #line + 2
    let failures = await collectFailures {
      await store.send(.leaveTapped)
    }
    #expect(
      lines(failures, from: line) == [
        "0: The feature has dismissed itself: its parent would not pass anything on to it any more."
      ])
    #expect(store.state == 1)
    await store.finish()
  }

  @Test("dismiss and isPresented are overridden like any dependency")
  func overridden() async {
    let calls = Locked(0)
    let store = TestStore(initialState: 0) {
      Leaving()
    } withDependencies: {
      $0.dismiss = DismissEffect { calls.withLock { $0 += 1 } }
      $0.isPresented = false
    }
    await store.send(.leaveTapped) { $0 = -1 }
    #expect(calls.withLock { $0 } == 1)
  }

  @Test("a task that does not end fails where it is waited for, and says which clock it waits on")
  func unfinished() async {
    let store = TestStore(initialState: 0) { Leaving() }
    let task = await store.send(.started)
    let line: UInt = #line + 2
    let failures = await collectFailures {
      await task.finish(timeout: .milliseconds(1))
    }
    #expect(
      lines(failures, from: line) == [
        """
        0: After 0.001 seconds this has not ended:

        • The effect “watch” (TestStoreTaskTests.swift:\(Leaving.watchLine)). It sleeps on a test clock until \
        9.0 seconds; the clock stands at 0.0 seconds. Advance it, or let the store use an \
        ImmediateClock.
        """
      ])
    await task.cancel()
    await task.finish()
    await store.finish()
  }

  @Test("waiting for a task ends when the test is cancelled")
  func cancelled() async {
    let store = TestStore(initialState: 0) { Leaving() }
    let task = await store.send(.started)
    let failures = await collectFailures {
      let waiting = Task { await task.finish(timeout: .seconds(1_000)) }
      waiting.cancel()
      await waiting.value
    }
    #expect(failures.count == 1)
    await store.skipInFlightEffects()
  }

  @Test("skipped effects go on: what they send has to be received")
  func skipped() async {
    let clock = TestClock()
    let store = TestStore(initialState: Facts.State()) {
      Facts()
    } withDependencies: {
      $0.continuousClock = clock
    }
    await store.send(.timerStarted)
    await store.skipInFlightEffects()
    await clock.advance(by: .seconds(1))
    await store.receive(.ticked) { $0.count = 1 }
    await store.finish()
  }

  struct Rows: Reducer {
    struct Row: Equatable, Identifiable, Sendable {
      var id: UUID
      var color: Int
      init() {
        @Dependency(\.uuid) var uuid
        @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
        id = uuid()
        color = withRandomNumberGenerator { Int.random(in: 0..<1_000, using: &$0) }
      }
    }
    enum Action: Equatable, Sendable { case addTapped, addLater, add }
    func reduce(into state: inout IdentifiedArrayOf<Row>, action: Action) -> Effect<Action> {
      switch action {
      case .addTapped, .add: state.append(Row())
      case .addLater: return .concatenate(.send(.add), .send(.add))
      }
      return .none
    }
  }

  @Test("closures make the same ids and numbers as the reducer, and take none away")
  func closures() async {
    let store = TestStore(initialState: IdentifiedArrayOf<Rows.Row>()) { Rows() }
    await store.send(.addTapped) { $0.append(Rows.Row()) }
    await store.send(.addTapped) { $0.append(Rows.Row()) }
    await store.send(.addLater)
    await store.receive(.add) {
      $0.append(Rows.Row())
      #expect($0.count == 3)
    }
    await store.receive(.add) { $0.append(Rows.Row()) }
    #expect(store.state.ids == (0..<4).map { UUID($0) })
    #expect(Set(store.state.map(\.color)).count == 4)
  }

  @Test("a closure sees the state before as the state of the store, and mistakes have its line")
  func stateBefore() async {
    let store = TestStore(initialState: IdentifiedArrayOf<Rows.Row>()) { Rows() }
    let line: UInt = #line + 2
    let failures = await collectFailures {
      await store.send(.addTapped) {
        #expect(store.state.isEmpty)
        $0.append(Rows.Row())
        $0[id: UUID(7)] = Rows.Row()
      }
    }
    #expect(
      lines(failures, from: line) == [
        """
        0: An element with the id 00000000-0000-0000-0000-000000000001 was set under the id \
        00000000-0000-0000-0000-000000000007.
        """
      ])
    #expect(store.state.count == 1)
  }

  @Test("an action that was left out fails once; those after it are received as ever")
  func leftOut() async {
    let store = TestStore(initialState: Facts.State()) { Facts() }
    await store.send(.twice) { $0.count = 1 }
    var line: UInt = #line + 2
    var failures = await collectFailures {
      await store.receive(.noticed)
    }
    #expect(
      lines(failures, from: line) == [
        """
        0: 1 received action came before this one and was not asserted:

        • .incremented
        """
      ])
    await store.send(.twice) { $0.count = 3 }
    line = #line + 2
    failures = await collectFailures {
      await store.send(.twice) { $0.count = 5 }
    }
    #expect(failures.count == 1)
    await store.receive(.incremented) { $0.count = 4 }
    await store.receive(.noticed)
    await store.receive(.incremented) { $0.count = 6 }
    await store.receive(.noticed)
    #expect(store.state.count == 6)
    await store.finish()
  }
}

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
