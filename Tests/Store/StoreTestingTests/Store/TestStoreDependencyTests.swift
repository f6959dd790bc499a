import StoreCore
import StoreTesting
import Testing

@Suite struct TestStoreDependencyTests {
  @Test("dependencies can be changed in the middle of a test")
  func changed() async {
    let store = TestStore(initialState: Facts.State()) {
      Facts()
    } withDependencies: {
      $0.factClient.fact = { "\($0) is a good number." }
    }
    await store.send(.factTapped) { $0.isLoading = true }
    await store.receive(.factResponse("0 is a good number.")) {
      $0.isLoading = false
      $0.fact = "0 is a good number."
    }
    store.dependencies.factClient.fact = { "\($0) is a bad number." }
    await store.send(.factTapped) { $0.isLoading = true }
    await store.receive(.factResponse("0 is a bad number.")) {
      $0.isLoading = false
      $0.fact = "0 is a bad number."
    }
  }

  @Test("changing a part of a dependency that has no test value reads nothing")
  func partly() async {
    let store = TestStore(initialState: Facts.State()) { Facts() }
    store.dependencies.factClient.fact = { "\($0) is zero." }
    await store.send(.factTapped) { $0.isLoading = true }
    await store.receive(.factResponse("0 is zero.")) {
      $0.isLoading = false
      $0.fact = "0 is zero."
    }
  }

  @Test("one without a test value fails when it is read, with its name and the place")
  func unimplemented() async {
    let store = TestStore(initialState: Facts.State()) { Facts() }
    let line: UInt = #line + 2
    let failures = await collectFailures {
      await store.send(.now) { $0.fact = "live" }
    }
    #expect(
      lines(failures, from: line) == [
        """
        0: \\.factClient has no test value, but a test reads it. \
        Override it for this test, or give its key a testValue.

        See Facts.swift:30.
        """
      ])
  }

  @Test("a clock put in later is waited for like the first")
  func clock() async {
    let store = TestStore(initialState: Facts.State()) { Facts() }
    let clock = TestClock()
    store.dependencies.continuousClock = clock
    await store.send(.timerStarted)
    await clock.advance(by: .seconds(1))
    await store.receive(.ticked) { $0.count = 1 }
    await store.send(.timerStopped)
  }

  @Test("dependencies put in as a whole bring a clock that is waited for")
  func wholeValues() async {
    struct Patient: Reducer {
      typealias State = Int
      enum Action: Equatable, Sendable { case start, done }
      @Dependency(\.continuousClock) var clock
      func reduce(into state: inout Int, action: Action) -> Effect<Action> {
        switch action {
        case .start:
          return .run { [clock] send in
            // A clock that does not wait for this effect passes it by in one of these seconds.
            for _ in 0..<500 {
              try await clock.sleep(for: .seconds(1))
              for _ in 0..<20 { await Task.yield() }
            }
            await send(.done)
          }
        case .done:
          state += 1
          return .none
        }
      }
    }
    let store = TestStore(initialState: 0) { Patient() }
    let clock = TestClock()
    var dependencies = store.dependencies
    dependencies.continuousClock = clock
    store.dependencies = dependencies
    await store.send(.start)
    await clock.advance(by: .seconds(500))
    await store.receive(.done) { $0 = 1 }
  }

  @Test("the clock of the store is the one that its effects sleep on")
  func ownClock() async throws {
    let store = TestStore(initialState: Facts.State()) { Facts() }
    let clock = try #require(store.dependencies.continuousClock as? TestClock)
    await store.send(.timerStarted)
    await clock.advance(by: .seconds(1))
    await store.receive(.ticked) { $0.count = 1 }
    await store.send(.timerStopped)
  }

  @Test("ids count from zero in each store, and go on counting")
  func ids() async {
    struct Maker: Reducer {
      typealias State = [String]
      enum Action { case make }
      @Dependency(\.uuid) var uuid
      func reduce(into state: inout [String], action: Action) -> Effect<Action> {
        state.append(String("\(uuid())".suffix(2)))
        return .none
      }
    }
    for _ in 0..<2 {
      let store = TestStore(initialState: [String]()) { Maker() }
      await store.send(.make) { $0 = ["00"] }
      await store.send(.make) { $0 = ["00", "01"] }
    }
  }

  @Test("a test may run on an actor of its own")
  @MainActor func mainActor() async {
    var seen = 0
    let store = TestStore(initialState: Facts.State()) { Facts() }
    await store.send(.incremented) {
      seen += 1
      $0.count = 1
    }
    #expect(seen == 1)
    await store.finish()
  }
}
