import StoreCore
import Testing

@Suite("Navigation stacks")
struct StackTests {
  struct Path: Reducer {
    enum State: Equatable, CasePathable, Codable, Sendable {
      case child(Child.State)

      struct AllCasePaths: Sendable {
        let child = CasePath(State.child)
      }
      static let allCasePaths = AllCasePaths()
    }

    enum Action: Equatable, CasePathable, Codable, Sendable {
      case child(Child.Action)

      struct AllCasePaths: Sendable {
        let child = CasePath(Action.child)
      }
      static let allCasePaths = AllCasePaths()
    }

    var body: some ReducerOf<Self> {
      Scope(case: \.child, action: \.child) { Child() }
    }
  }

  struct Root: Reducer {
    struct State: Equatable, Codable, Sendable {
      var path = StackState<Path.State>()
      var log: [String] = []
    }

    enum Action: Equatable, CasePathable, Codable, Sendable {
      case path(StackActionOf<Path>)
      case open
      case startOver

      struct AllCasePaths: Sendable {
        let path = CasePath(Action.path)
      }
      static let allCasePaths = AllCasePaths()
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .path(.popFrom(let id)): state.log.append("pop \(id) of \(state.path.count)")
        case .path(.push(let id, _)): state.log.append("push \(id) of \(state.path.count)")
        case .path: break
        case .open: state.path.append(.child(Child.State()))
        case .startOver: state.path = StackState([.child(Child.State())])
        }
        return .none
      }
      .forEach(\.path, action: \.path) { Path() }
    }
  }

  typealias Log = ChangeLog<Root.State, Root.Action>

  func store(hooks: Log? = nil, issues: IssueLog = IssueLog()) -> StoreOf<Root> {
    Store(initialState: Root.State(), hooks: hooks) {
      Root()
    } withDependencies: {
      $0.issueReporter = issues.reporter
    }
  }

  @Test("ids start at 0, stay, and are never given again")
  func ids() {
    let store = store()
    store.send(.open)
    store.send(.open)
    #expect(store.state.path.ids == [0, 1])
    store.send(.path(.popFrom(id: 1)))
    store.send(.open)
    #expect(store.state.path.ids == [0, 2])
    store.send(.startOver)
    #expect(store.state.path.ids == [3])
    store.send(.path(.push(id: 4, state: .child(Child.State(id: 9)))))
    store.send(.open)
    #expect(store.state.path.ids == [3, 4, 5])
    #expect(store.state.log == ["pop #1 of 2", "push #4 of 2"])
  }

  @Test("a new stack as long as the one it replaces gets other ids, and the old effects end")
  func replaced() async {
    let log = Log()
    let clock = TestClock()
    let store = Store(initialState: Root.State(), hooks: log) {
      Root()
    } withDependencies: {
      $0.continuousClock = clock
    }
    store.send(.open)
    store.send(.path(.element(id: 0, action: .child(.start))))
    store.send(.startOver)
    #expect(store.state.path.ids == [1])
    #expect(store.state.path.nextID == 2)
    await clock.advance(by: .seconds(2))
    #expect(store.state.path[id: 1, case: \.child]?.log == [])
    #expect(log.lines == ["1 started", "1 cancelled"])
    store.send(.startOver)
    #expect(store.state.path.ids == [2])
  }

  @Test("an inserted step that replaces a stack repeats no inserted id")
  func replacedByInserted() {
    let store = Store(initialState: Root.State()) {
      Root().dependency(\.stackIDSource, .inserted)
    }
    store.send(.open)
    #expect(store.state.path.ids == [1_000_000_000])
    store.send(.startOver)
    #expect(store.state.path.ids == [1_000_000_001])
    #expect(store.state.path.nextID == 0)
  }

  @Test("whether a stack is new makes no difference to ==")
  func newness() {
    let store = store()
    store.send(.open)
    store.send(.path(.element(id: 0, action: .child(.stop))))
    #expect(store.state.path == StackState([.child(Child.State())]))
  }

  @Test("a push with the id of an element that was popped is an issue")
  func pushedAgain() {
    let issues = IssueLog()
    let store = store(issues: issues)
    store.send(.open)
    store.send(.path(.popFrom(id: 0)))
    store.send(.path(.push(id: 0, state: .child(Child.State()))))
    #expect(store.state.path.ids == [])
    #expect(
      issues.messages == ["An element was pushed with the id #0, which was given before."])
    store.send(.path(.push(id: 1, state: .child(Child.State()))))
    #expect(store.state.path.ids == [1])
  }

  @Test("actions reach their element; those for one that is gone are an issue")
  func elements() {
    let issues = IssueLog()
    let store = store(issues: issues)
    store.send(.open)
    store.send(.open)
    store.send(.path(.element(id: 1, action: .child(.note("x")))))
    #expect(store.state.path[id: 1, case: \.child]?.log == ["x"])
    #expect(store.state.path[id: 0, case: \.child]?.log == [])
    #expect(issues.messages == [])
    store.send(.path(.element(id: 7, action: .child(.note("x")))))
    store.send(.path(.popFrom(id: 7)))
    store.send(.path(.push(id: 0, state: .child(Child.State()))))
    #expect(
      issues.messages.map { $0.prefix(45) } == [
        "An action for a child came while its state wa", "The stack has no element #7 to pop.",
        "An element was pushed with the id #0, which w",
      ])
  }

  @Test("popping cancels the effects of what is popped; a child pops itself")
  func effects() async {
    let log = Log()
    let store = store(hooks: log)
    store.send(.open)
    store.send(.open)
    store.send(.path(.element(id: 0, action: .child(.start))))
    store.send(.path(.element(id: 1, action: .child(.start))))
    await store.send(.path(.element(id: 1, action: .child(.leave)))).finish()
    #expect(store.state.path.ids == [0])
    #expect(log.lines == ["1 started", "2 started", "3 started", "2 cancelled", "3 cancelled"])
  }

  @Test("elements are set through their id and case")
  func caseSubscript() {
    var state = Root.State()
    state.path.append(.child(Child.State()))
    state.path[id: 0, case: \.child]?.log = ["x"]
    #expect(state.path[id: 0] == .child(Child.State(log: ["x"])))
    #expect(state.path[id: 1, case: \.child] == nil)
  }

  @Test("ids of inserted steps come from a range of their own and leave the count alone")
  func insertedSteps() {
    var stack = StackState<Int>()
    stack.append(1)
    withDependencies {
      $0.stackIDSource = .inserted
    } operation: {
      _ = stack.append(2)
    }
    stack.append(3)
    #expect(stack.ids == [0, 1_000_000_000, 1])
  }
}
