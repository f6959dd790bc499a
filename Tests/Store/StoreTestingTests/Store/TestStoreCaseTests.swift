import StoreCore
import StoreMacros
import StoreTesting
import Testing

/// Statements with cases in the place of actions, and what is said of states alone.
@Suite struct TestStoreCaseTests {
  @Reducer
  struct Search {
    struct State: Equatable { var query = "", hits: [String] = [], ticks = 0 }
    enum Action: Equatable {
      case queryChanged(String), found([String]), cleared, timerTapped, ticked
    }
    @Dependency(\.continuousClock) var clock

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .queryChanged(let query):
          state.query = query
          return .run { send in await send(.found([query])) }
        case .found(let hits): state.hits = hits
        case .cleared: state = State()
        case .timerTapped:
          return .run { send in
            for await _ in clock.timer(interval: .seconds(2)) { await send(.ticked) }
          }
        case .ticked: state.ticks += 1
        }
        return .none
      }
    }
  }

  @Test("sending and receiving by case and value, and a look at the state in between")
  func cases() async {
    let store = TestStore(initialState: Search.State()) { Search() }
    await store.send(\.queryChanged, "Be") { $0.query = "Be" }
    await store.receive(\.found, ["Be"]) { $0.hits = ["Be"] }
    store.assert {
      $0.query = "Be"
      $0.hits = ["Be"]
    }
    await store.send(\.queryChanged, "Ro") { $0.query = "Ro" }
    await store.receive(\.found) { $0.hits = ["Ro"] }
    await store.send(\.cleared) { $0 = Search.State() }
    let line: UInt = #line + 2
    let failures = collectFailures {
      store.assert { $0.query = "x" }
    }
    #expect(failures.map(\.place.line) == [line])
  }

  @Test("a store takes a case and a value, too")
  func plainStore() {
    let store = Store(initialState: Search.State(query: "a")) { Search() }
    store.send(\.found, ["x"])
    #expect(store.state.hits == ["x"])
    store.send(\.cleared)
    #expect(store.state == Search.State())
  }

  @Test("a timer ticks as often as its clock is advanced over")
  func timer() async {
    let clock = TestClock()
    let store = TestStore(initialState: Search.State()) {
      Search()
    } withDependencies: {
      $0.continuousClock = clock
    }
    let task = await store.send(\.timerTapped)
    await clock.advance(by: .seconds(5))
    await store.receive(\.ticked) { $0.ticks = 1 }
    await store.receive(\.ticked) { $0.ticks = 2 }
    await clock.advance(by: .seconds(1))
    await store.receive(\.ticked) { $0.ticks = 3 }
    await task.cancel()
    await store.finish()
  }

  enum Listed: CasePathable {
    case number(Int)
    case text(String)
    case work(@Sendable () -> Void)
    case nested(PresentationAction<Search.Action>)
    case nothing
    struct AllCasePaths: Sendable {
      let number = CasePath(Listed.number)
      let text = CasePath(Listed.text)
      let work = CasePath<Listed, @Sendable () -> Void>(embed: { .work($0) }) {
        if case .work(let work) = $0 { work } else { nil }
      }
      let nothing = CasePath(Listed.nothing)
    }
    static let allCasePaths = AllCasePaths()
  }

  enum MixedUp: CasePathable {
    case one(Int)
    case two(Int)
    case three
    case four
    struct AllCasePaths: Sendable {
      let one = CasePath(MixedUp.two)
      let three = CasePath(MixedUp.four)
      let two = CasePath<MixedUp, Int>(embed: { .two($0) }) { _ in nil }
    }
    static let allCasePaths = AllCasePaths()
  }

  @Test("paths by hand are proved; a path that leads elsewhere, or not out again, is named")
  func paths() {
    expectCasePaths(Listed.self, samples: [.work {}])
    expectCasePaths(Search.Action.self)
    let texts = collectFailures { expectCasePaths(Listed.self) }.map(\.message)
    #expect(
      texts == [
        "Listed: the path “work” cannot be tried: give a value of this case among the samples."
      ])
    let mixed = collectFailures { expectCasePaths(MixedUp.self) }.map(\.message)
    #expect(
      mixed == [
        "MixedUp: the path “one” leads to the case “two”.",
        "MixedUp: the path “three” leads to the case “four”.",
        "MixedUp: the path “two” does not lead out of its case.",
      ])
  }
}
