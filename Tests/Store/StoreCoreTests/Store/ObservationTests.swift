import Platform
import StoreCore
import Testing

@Suite("Observing")
struct ObservationTests {
  struct Counter: Reducer {
    struct State: Equatable, Sendable {
      var count = 0
      var name = ""
    }
    enum Action: Sendable { case up, rename(String), nothing }
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .up: state.count += 1
      case .rename(let name): state.name = name
      case .nothing: break
      }
      return .none
    }
  }

  @Test("an observer is told of changes, one of a part of the part's changes")
  func changes() {
    let store = Store(initialState: Counter.State()) { Counter() }
    let whole = Locked<[String]>([])
    let part = Locked<[Int]>([])
    let subscriptions = [
      store.observe { state in whole.withLock { $0.append("\(state.count)\(state.name)") } },
      store.observe(\.count) { count in part.withLock { $0.append(count) } },
    ]
    store.send(.nothing)
    store.send(.rename("a"))
    store.send(.up)
    store.send(.nothing)
    store.send(.up)
    #expect(whole.withLock { $0 } == ["0", "0a", "1a", "2a"])
    #expect(part.withLock { $0 } == [0, 1, 2])
    subscriptions.forEach { $0.cancel() }
  }

  @Test("states come as a sequence, which keeps the newest for who is slow")
  func sequence() async {
    let store = Store(initialState: Counter.State()) { Counter() }
    var counts = store.states(\.count).makeAsyncIterator()
    #expect(await counts.next() == 0)
    store.send(.rename("a"))
    store.send(.up)
    #expect(await counts.next() == 1)
    store.send(.up)
    store.send(.up)
    #expect(await counts.next() == 3)
    var states = store.states.makeAsyncIterator()
    #expect(await states.next() == Counter.State(count: 3, name: "a"))
  }
}
