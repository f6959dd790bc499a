import ReplayTesting
import SessionFile
import StoreCore
import StoreMacros
import StoreRecording
import StoreTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import struct FoundationEssentials.URL
#else
  import struct Foundation.URL
#endif

/// Today's menu of the bakery, for all of its features.
struct Menu: Codable, Equatable {
  var title = "Today"
  var loaves: IdentifiedArrayOf<Loaf> = []
}

extension SharedKey<Menu>.Default {
  static var menu: Self { Self[.fileStorage(URL(filePath: "/menu.json")), default: Menu()] }
}

@Reducer
struct Till {
  struct State: Codable, Equatable {
    @Shared var sold: Int
  }

  enum Action: Codable, Equatable { case sellTapped }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.$sold.withLock { $0 += 1 }
      return .none
    }
  }
}

@Reducer
struct Shop {
  struct State: Codable, Equatable {
    @Shared(.inMemory("sold")) var sold = 0
    @Shared(.menu) var menu
    @PresentationState var till: Till.State?
    var title: Shared<String>?
  }

  enum Action: Codable, Equatable {
    case till(PresentationAction<Till.Action>)
    case tillTapped, loafTapped(Loaf), titleTapped, titled(String), soldTapped
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .tillTapped: state.till = Till.State(sold: state.$sold)
      case .loafTapped(let loaf): state.$menu.withLock { _ = $0.loaves.append(loaf) }
      case .titleTapped: state.title = state.$menu.title
      case .titled(let title): state.title?.withLock { $0 = title }
      case .soldTapped:
        return .run { [sold = state.sold] send in await send(.titled("\(sold) sold")) }
      case .till: break
      }
      return .none
    }
    .ifLet(\.$till, action: \.till) { Till() }
  }
}

/// Shared state in the words that people bring along.
@Suite(.checkedAtEnd) struct SharedStateTests {
  @Test func asserted() async {
    let files = SharedStorage.inMemory(["/menu.json": #"{"title":"Monday","loaves":[]}"#])
    let store = TestStore(initialState: Shop.State()) {
      Shop()
    } withDependencies: {
      $0.sharedStorage = files
    }
    #expect(store.state.menu.title == "Monday")
    await store.send(.tillTapped) { $0.till = Till.State(sold: $0.$sold) }
    await store.send(\.till.presented.sellTapped) { $0.$sold.withLock { $0 = 1 } }
    store.assert { $0.till?.sold = 1 }
    await store.send(.titleTapped) { $0.title = $0.$menu.title }
    await store.send(.soldTapped)
    await store.receive(\.titled) { $0.menu.title = "1 sold" }
    await store.send(.loafTapped(Loaf(id: 1))) { $0.$menu.withLock { $0.loaves = [Loaf(id: 1)] } }
    #expect(files.load("/menu.json")?.contains(#""title" : "1 sold""#) == true)
  }

  @Test func changesThatAreNotAsserted() async {
    let failures = await collectFailures {
      let store = TestStore(initialState: Shop.State()) { Shop() }
      await store.send(.tillTapped) { $0.till = Till.State(sold: $0.$sold) }
      await store.send(\.till.presented.sellTapped)
      await store.send(\.till.presented.sellTapped) { $0.sold = 3 }
    }
    #expect(
      failures.map(\.message) == [
        """
        The state changed, but no change was expected (− expected, + actual):

          Shop.State(
        −   sold: 0
        +   sold: 1
            … (1 unchanged)
            till: Till.State(
        −     sold: 0
        +     sold: 1
            )
            … (1 unchanged)
          )
        """,
        """
        The state is not as expected (− expected, + actual):

          Shop.State(
        −   sold: 3
        +   sold: 2
            … (1 unchanged)
            till: Till.State(
        −     sold: 3
        +     sold: 2
            )
            … (1 unchanged)
          )
        """,
      ])
  }

  @Test func recordedAndReplayed() async throws {
    let folder = try TemporaryFolder()
    let path = folder("shop.retcon")
    let recorder = StoreRecorder<Shop.State, Shop.Action>(to: path)
    do {
      let store = Store(initialState: Shop.State(), hooks: recorder) {
        Shop()
      } withDependencies: {
        $0.sharedStorage = .inMemory(["/menu.json": #"{"title":"Monday","loaves":[]}"#])
      }
      store.send(.tillTapped)
      store.send(\.till.presented.sellTapped)
      store.send(.titleTapped)
      await store.send(.soldTapped).finish()
      store.send(\.till.dismiss)
    }
    recorder.finish()
    try await expectReplays(URL(filePath: path), Shop())
    let state = try SessionReader(path: path).state(after: 5)
    #expect(
      "\(state)" == #"{"sold":{"value":1,"shared":"sold"},"menu":{"value":{"title":"1 sold","#
        + #""loaves":[]},"shared":"menu.json"},"till":{"sold":{"value":1,"shared":"sold"}},"#
        + #""title":{"value":"1 sold","shared":"menu.json","part":["title"]}}"#)
  }
}
