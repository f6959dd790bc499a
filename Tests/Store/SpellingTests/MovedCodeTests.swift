import Dispatch
import StoreCore
import StoreMacros
import StoreTesting
import Testing

/// Code of the Composable Architecture that compiles unchanged.
@Suite(.checkedAtEnd) struct MovedCodeTests {
  @Test("a body of named types needs no state and no action")
  func namedTypes() async {
    let store = TestStore(initialState: 0) { Tally() }
    await store.send(true) { $0 = 1 }
    await store.send(false) { $0 = 0 }
  }

  @Test("the first state may be .init()")
  func inferredState() async {
    let store = TestStore(initialState: .init()) { Ferry() }
    await store.send(.set(\.name, "Aurora")) { $0.name = "Aurora" }
    await store.receive({ if case .renamed = $0 { true } else { false } }) { $0.renames = 1 }
  }

  @Test("a debounce waits on the main queue of a test")
  func mainQueue() async {
    let mainQueue = DispatchQueue.test
    let store = TestStore(initialState: 0) {
      Bell()
    } withDependencies: {
      $0.mainQueue = mainQueue.eraseToAnyScheduler()
    }
    await store.send(.pressed)
    await mainQueue.advance(by: .milliseconds(200))
    await store.send(.pressed)
    await mainQueue.advance(by: .milliseconds(299))
    await store.send(.pressed)
    await mainQueue.advance(by: .milliseconds(300))
    await store.receive(.rang) { $0 = 1 }
  }

  @Test("a throttle lets the first and the latest through on the main queue")
  func throttle() async {
    let mainQueue = DispatchQueue.test
    let store = TestStore(initialState: 0) {
      Bell()
    } withDependencies: {
      $0.mainQueue = mainQueue.eraseToAnyScheduler()
    }
    await store.send(.knocked)
    await store.receive(.rang) { $0 = 1 }
    await store.send(.knocked)
    await store.send(.knocked)
    await mainQueue.advance(by: .seconds(1))
    await store.receive(.rang) { $0 = 2 }
  }

  @Test("an immediate main queue does not wait")
  func immediate() async {
    let store = TestStore(initialState: 0) {
      Bell()
    } withDependencies: {
      $0.mainQueue = .immediate
    }
    await store.send(.pressed)
    await store.receive(.rang) { $0 = 1 }
  }

  @Test("an effect that never ends by itself ends when it is cancelled")
  func never() async {
    let store = TestStore(initialState: 0) {
      Reduce<Int, Bool> { _, starts in
        starts ? .run { _ in try await Task.never() }.cancellable(id: 1) : .cancel(id: 1)
      }
    }
    await store.send(true)
    await store.send(false)
  }

  @Test("parts are scoped without a label, and read by their name")
  func parts() {
    let store = Store(initialState: Harbour.State()) { Harbour() }
    store.send(.ferry(.set(\.name, "Aurora")))
    store.send(.place(.name("north")))
    #expect(store.ferry.name == "Aurora")
    #expect(store.withState(\.place) == .name("north"))
    #expect(store.scope(\.ferry, action: \.ferry).name == "Aurora")
  }

  @Test("a reducer runs after a change that counts")
  func onChange() async {
    let store = TestStore(initialState: [Int]()) {
      Reduce<[Int], Int> { state, number in
        state.append(number)
        return .none
      }
      .onChange(of: { $0 }, removeDuplicates: { $0.last == $1.last }) { _, _ in
        Reduce { state, _ in
          state.append(0)
          return .none
        }
      }
    }
    await store.send(1) { $0 = [1, 0] }
    await store.send(0) { $0 = [1, 0, 0] }
  }
}

@Reducer
private struct Tally {
  var body: some Reducer<Int, Bool> {
    Reduce { state, isMore in
      state += isMore ? 1 : -1
      return .none
    }
  }
}

@Reducer
private struct Ferry {
  struct State: Equatable {
    var name = ""
    var renames = 0
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case renamed
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding: return .send(.renamed)
      case .renamed:
        state.renames += 1
        return .none
      }
    }
  }
}

@Reducer
private struct Place {
  enum State: Equatable {
    case name(String)
    case depth(Int)
  }

  enum Action {
    case name(String)
    case depth(Int)
  }

  var body: some ReducerOf<Self> {
    Scope(case: \.name, action: \.name) {
      Reduce { state, name in
        state = name
        return .none
      }
    }
  }
}

@Reducer
private struct Harbour {
  struct State: Equatable {
    var ferry = Ferry.State()
    var place = Place.State.name("")
  }

  enum Action {
    case ferry(Ferry.Action)
    case place(Place.Action)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.ferry, action: \.ferry) { Ferry() }
    Scope(state: \.place, action: \.place) { Place() }
  }
}

@Reducer
private struct Bell {
  enum Action: Equatable { case pressed, knocked, rang }
  enum CancelID { case pressed, knocked }

  @Dependency(\.mainQueue) var mainQueue

  var body: some Reducer<Int, Action> {
    Reduce { state, action in
      switch action {
      case .pressed:
        return .send(.rang)
          .debounce(id: CancelID.pressed, for: .milliseconds(300), scheduler: mainQueue)
      case .knocked:
        return .send(.rang)
          .throttle(id: CancelID.knocked, for: .seconds(1), scheduler: mainQueue, latest: true)
      case .rang:
        state += 1
        return .none
      }
    }
  }
}
