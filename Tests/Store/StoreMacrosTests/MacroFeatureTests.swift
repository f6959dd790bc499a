import StoreCore
import StoreMacros
import StoreTesting
import Testing

/// Features that the compiler has written out.
@Reducer
struct Tally {
  struct State: Codable, Equatable { var count = 0 }
  enum Action: Codable, Equatable { case up, add(Int, times: Int), closeTapped }

  @Dependency(\.dismiss) var dismiss

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .up: state.count += 1
      case .add(let number, let times): state.count += number * times
      case .closeTapped: return .run { [dismiss] _ in await dismiss() }
      }
      return .none
    }
  }
}

@Reducer
struct Several {
  @Reducer
  enum Destination {
    case alert(AlertState<Alert>)
    case page(Int, title: String)
    case sheet(Tally)

    enum Alert: Codable { case confirmed }
  }

  @Reducer
  enum Path {
    case tally(Tally)
    case several(Several)
  }

  struct State: Codable, Equatable {
    @PresentationState var destination: Destination.State?
    var path = StackState<Path.State>()
    var tally = Tally.State()
  }

  enum Action: Codable, Equatable {
    case destination(PresentationAction<Destination.Action>)
    indirect case path(StackActionOf<Path>)
    case show(Destination.State)
    case tally(Tally.Action)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.tally, action: \.tally) { Tally() }
    Reduce { state, action in
      if case .show(let destination) = action { state.destination = destination }
      return .none
    }
    .ifLet(\.$destination, action: \.destination)
    .forEach(\.path, action: \.path)
  }
}

extension Several.Destination.State: Codable, Equatable {}
extension Several.Destination.Action: Codable, Equatable {}
extension Several.Path.State: Codable, Equatable {}
extension Several.Path.Action: Codable, Equatable {}

/// Its state is written by hand, with more in it than the features.
@Reducer
enum Handmade {
  case tally(Tally)
  case other(Tally)

  enum State: Codable, Equatable {
    case tally(Tally.State)
    case other(Tally.State)
    case nothing(since: Int)

    var count: Int? { self[case: \.tally]?.count ?? self[case: \.other]?.count }
  }
}

@Reducer
struct Holder {
  struct State: Equatable { @PresentationState var handmade: Handmade.State? }
  enum Action { case handmade(PresentationAction<Handmade.Action>) }

  var body: some ReducerOf<Self> {
    EmptyReducer().ifLet(\.$handmade, action: \.handmade)
  }
}

@CasePathable
enum Generic<Value> {
  case some(Value, named: String)
  indirect case nested(Self)
  case `default`
  case closure(@Sendable (Int) -> Int)
}

@Suite("Features that macros have written out")
struct MacroFeatureTests {
  @Test("a screen with destinations and a stack, step by step")
  func several() async {
    let store = TestStore(initialState: Several.State()) { Several() }
    await store.send(.tally(.add(2, times: 3))) { $0.tally.count = 6 }
    await store.send(.show(.sheet(Tally.State()))) { $0.destination = .sheet(Tally.State()) }
    await store.send(.destination(.presented(.sheet(.up)))) {
      $0.$destination[case: \.sheet]?.count = 1
    }
    await store.send(.destination(.presented(.sheet(.closeTapped))))
    await store.receive(.case(\.destination.dismiss)) { $0.destination = nil }
    await store.send(.show(.alert(AlertState(title: "Sure?")))) {
      $0.destination = .alert(AlertState(title: "Sure?"))
    }
    await store.send(.destination(.presented(.alert(.confirmed)))) { $0.destination = nil }
    await store.send(.path(.push(id: 0, state: .tally(Tally.State())))) {
      $0.path[id: 0] = .tally(Tally.State())
    }
    await store.send(.path(.element(id: 0, action: .tally(.up)))) {
      $0.path[id: 0, case: \.tally]?.count = 1
    }
  }

  @Test("an enum of features whose state is written by hand")
  func handmade() async {
    let store = TestStore(initialState: Holder.State(handmade: .other(Tally.State()))) { Holder() }
    await store.send(.handmade(.presented(.other(.up)))) {
      $0.$handmade[case: \.other]?.count = 1
    }
    #expect(store.state.handmade?.count == 1)
    #expect(Handmade.State.nothing(since: 3)[case: \.nothing] == 3)
  }

  @Test("paths of a generic enum, with values, closures and itself")
  func generic() {
    let value = Generic.some(1, named: "x")
    #expect(value[case: \.some]?.0 == 1)
    #expect(value[case: \.some]?.named == "x")
    #expect(Generic.nested(value)[case: \.nested]?.is(\.some) == true)
    #expect(Generic<Int>.default.is(\.default))
    #expect(Generic<Int>.closure { $0 + 1 }[case: \.closure]?(1) == 2)
  }
}
