import Platform
import StoreCore
import Testing

@Suite("Where shared values may be changed")
struct SharedLockTests {
  struct Room: Reducer {
    struct State: Equatable, Sendable {
      @Shared(.inMemory("count")) var count = 0
      @Shared(.inMemory("filter")) var filter = Filter()
      var step = 3
      var seat: Seat?
    }

    struct Seat: Equatable, Sendable {
      @Shared(.inMemory("count")) var count = 0
    }

    enum Action: Sendable { case up, raise, sit, work }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .up: state.$count.withLock { $0 += state.step }
      case .raise: state.$filter.text.limit.withLock { $0 += state.count }
      case .sit: state.seat = Seat()
      case .work:
        return .run { [count = state.$count] _ in count.withLock { $0 = 100 } }
      }
      return .none
    }
  }

  @Test("a change in a reducer may read the rest of the state")
  func inReducer() {
    let store = Store(initialState: Room.State()) { Room() }
    store.send(.sit)
    store.send(.up)
    store.send(.up)
    store.send(.raise)
    #expect(store.state.count == 6)
    #expect(store.state.seat?.count == 6)
    #expect(store.state.filter.text.limit == 10 + 6)
  }

  @Test("a reducer may be called without a store")
  func withoutStore() {
    var state = Room.State()
    _ = Room().reduce(into: &state, action: .up)
    #expect(state.count == 3)
  }

  @Test("a state is changed before a store has it, and not by the store")
  func beforeAStore() {
    let state = Room.State(seat: Room.Seat())
    state.$count.withLock { $0 = 5 }
    #expect(state.count == 5)
    let store = Store(initialState: state) { Room() }
    #expect(store.state.seat?.count == 5)
    store.send(.up)
    state.$count.withLock { $0 = 7 }
    #expect(store.state.count == 8)
    #expect(state.count == 7)
  }

  @Test("a copy that is set keeps the others as they are")
  func copies() {
    let state = Room.State()
    var copy = state
    copy.count = 2
    copy.$count.withLock { $0 += 1 }
    #expect(state.count == 0)
    #expect(copy.count == 3)
  }

  @Test("outside of reducers a change is an issue, and changes nothing")
  func outside() async {
    let issues = Locked<[String]>([])
    let store = Store(initialState: Room.State()) {
      Room()
    } withDependencies: {
      $0.issueReporter = IssueReporter { issue in issues.withLock { $0.append(issue.message) } }
    }
    await store.send(.work).finish()
    withDependencies {
      $0.issueReporter = IssueReporter { issue in issues.withLock { $0.append(issue.message) } }
    } operation: {
      store.state.$count.withLock { $0 = 100 }
      Room.State().$filter.text.words.withLock { $0 = "lost" }
    }
    #expect(store.state.count == 0)
    func words(_ name: String) -> String {
      "The shared value \(name) was not changed, because no reducer runs here. Send an action, and "
        + "change it in the reducer."
    }
    #expect(
      issues.withLock { $0 } == [words("count"), words("count"), words("filter.text.words")])
  }
}
