import StoreCore
import StoreTesting
import Testing

/// A form that is presented, a stack of pages, and fields that are bound: as tests see them.
@Suite struct TestStoreCompositionTests {
  struct Form: Reducer {
    struct State: Equatable { var title = "", isSaved = false }
    enum Action: Equatable, Sendable { case saveTapped, closeTapped, saved }
    @Dependency(\.dismiss) var dismiss
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .saveTapped: return .run { send in await send(.saved) }
      case .closeTapped: return .run { [dismiss] _ in await dismiss() }
      case .saved:
        state.isSaved = true
        return .none
      }
    }
  }

  struct Destination: Reducer {
    enum State: Equatable, CasePathable {
      case form(Form.State)
      case note(String)
      struct AllCasePaths: Sendable {
        let form = CasePath(State.form)
        let note = CasePath(State.note)
      }
      static let allCasePaths = AllCasePaths()
    }
    enum Action: Equatable, Sendable, CasePathable {
      case form(Form.Action)
      struct AllCasePaths: Sendable { let form = CasePath(Action.form) }
      static let allCasePaths = AllCasePaths()
    }
    var body: some ReducerOf<Self> {
      EmptyReducer().ifCaseLet(\.form, action: \.form) { Form() }
    }
  }

  struct App: Reducer {
    struct State: Equatable, BindableState {
      var name = ""
      @PresentationState var destination: Destination.State?
      var path = StackState<Form.State>()
      static let bindings = BindingTable<State>(BindingField("name", \.name))
    }
    enum Action: Equatable, BindableAction, CasePathable {
      case binding(BindingAction<State>)
      case addTapped
      case pushTapped
      case destination(PresentationAction<Destination.Action>)
      case path(StackAction<Form.State, Form.Action>)
      struct AllCasePaths: Sendable {
        let binding = CasePath(Action.binding)
        let destination = CasePath(Action.destination)
        let path = CasePath(Action.path)
      }
      static let allCasePaths = AllCasePaths()
    }
    var body: some ReducerOf<Self> {
      BindingReducer()
      Reduce { state, action in
        switch action {
        case .addTapped: state.destination = .form(Form.State(title: state.name))
        case .pushTapped: state.path.append(Form.State(title: state.name))
        default: break
        }
        return .none
      }
      .ifLet(\.$destination, action: \.destination) { Destination() }
      .forEach(\.path, action: \.path) { Form() }
    }
  }

  @Test("presentation: what a child sends, by path and by value, and its dismissal")
  func presentation() async {
    let store = TestStore(initialState: App.State()) { App() }
    await store.send(.binding(.set(\.name, "a"))) { $0.name = "a" }
    await store.send(.addTapped) { $0.destination = .form(Form.State(title: "a")) }
    await store.send(.destination(.presented(.form(.saveTapped))))
    await store.receive(.case(\.destination.presented.form, .saved)) {
      $0.$destination[case: \.form]?.isSaved = true
    }
    await store.send(.destination(.presented(.form(.closeTapped))))
    await store.receive(.destination(.dismiss)) { $0.destination = nil }
    await store.finish()
  }

  @Test("stacks: elements have ids that count from zero and stay")
  func stack() async {
    let store = TestStore(initialState: App.State()) { App() }
    await store.send(.pushTapped) { $0.path.append(Form.State(title: "")) }
    await store.send(.pushTapped) { $0.path.append(Form.State(title: "")) }
    await store.send(.path(.element(id: 1, action: .saveTapped)))
    await store.receive(.case(\.path, .element(id: 1, action: .saved))) {
      $0.path[id: 1]?.isSaved = true
    }
    await store.send(.path(.popFrom(id: 0))) { $0.path.removeAll() }
    await store.send(.pushTapped) { $0.path.append(Form.State(title: "")) }
    #expect(store.state.path.ids == [2])
  }

  @Test("failures inside of a presented child and a stack are shown where they are")
  func failures() async {
    let store = TestStore(initialState: App.State()) { App() }
    await store.send(.addTapped) { $0.destination = .form(Form.State()) }
    await store.send(.pushTapped) { $0.path.append(Form.State()) }
    await store.send(.destination(.presented(.form(.saveTapped))))
    let first = await collectFailures {
      await store.receive(.case(\.destination.presented.form, .saved)) {
        $0.$destination[case: \.form]?.title = "x"
      }
    }
    #expect(
      first.map(\.message) == [
        """
        The state is not as expected (− expected, + actual):

          App.State(
            … (1 unchanged)
            destination: .form(
              Form.State(
        −       title: "x"
        +       title: ""
        −       isSaved: false
        +       isSaved: true
              )
            )
            … (1 unchanged)
          )
        """
      ])
    await store.send(.path(.element(id: 0, action: .saveTapped)))
    let second = await collectFailures {
      await store.receive(.path(.element(id: 0, action: .saved)))
    }
    #expect(
      second.map(\.message) == [
        """
        The state changed, but no change was expected (− expected, + actual):

          App.State(
            … (2 unchanged)
            path: StackState<State>(
              #0: Form.State(
                … (1 unchanged)
        −       isSaved: false
        +       isSaved: true
              )
            )
          )
        """
      ])
  }

  @Test("a stack is written as people write it: elements by id, or anew")
  func stackWritten() async {
    let store = TestStore(initialState: App.State()) { App() }
    await store.send(.pushTapped) { $0.path[id: 0] = Form.State() }
    await store.send(.path(.popFrom(id: 0))) { $0.path = StackState() }
    await store.send(.pushTapped) { $0.path = StackState([Form.State()]) }
    #expect(store.state.path.ids == [1])
    let failures = await collectFailures {
      await store.send(.pushTapped) { $0.path[id: 7] = Form.State(title: "x") }
    }
    #expect(failures.map { $0.message.contains("#7") } == [true])
  }

  @Test("an action for a child that is not there fails at the line of the send")
  func missingChild() async {
    let store = TestStore(initialState: App.State()) { App() }
    let line: UInt = #line + 2
    let failures = await collectFailures {
      await store.send(.destination(.presented(.form(.saveTapped))))
    }
    #expect(failures.map(\.place.line) == [line])
    #expect(failures.count == 1)
  }

  @Test("identified arrays are matched by identity")
  func identifiedArrays() {
    struct Item: Identifiable, Equatable { var id: Int, title = "x" }
    let expected = IdentifiedArray(uniqueElements: (0..<9_000).map { Item(id: $0) })
    var actual = expected
    actual[id: 7]?.title = "y"
    actual.remove(id: 3)
    #expect(
      readableDifference(expected: expected, actual: actual) == """
          [
            … (3 unchanged)
        −   [3]: Item(id: 3, title: "x")
            … (3 unchanged)
            [6]: Item(
              id: 7
        −     title: "x"
        +     title: "y"
            )
            … (8992 unchanged)
          ]
        """)
  }
}
