import Platform
import StoreCore
import Testing

@Suite("Scopes")
struct ScopeTests {
  struct Parent: Reducer {
    struct State: Equatable, Sendable {
      var left = Child.State(id: 1)
      var right = Child.State(id: 2)
    }

    enum Action: Equatable, CasePathable, Sendable {
      case left(Child.Action)
      case right(Child.Action)
      case closed

      struct AllCasePaths: Sendable {
        let left = CasePath(Action.left)
        let right = CasePath(Action.right)
      }
      static let allCasePaths = AllCasePaths()
    }

    var body: some ReducerOf<Self> {
      Scope(state: \.left, action: \.left) { Child() }
      Scope(state: \.right, action: \.right) { Child() }
    }
  }

  @Test("each child gets its own actions, and its effects send its own")
  func scope() async {
    let clock = TestClock()
    let store = Store(initialState: Parent.State()) {
      Parent()
    } withDependencies: {
      $0.continuousClock = clock
    }
    store.send(.left(.note("a")))
    store.send(.right(.start))
    await clock.advance(by: .seconds(1))
    #expect(store.state.left.log == ["a"])
    #expect(store.state.right.log == ["done"])
  }

  @Test("children of a scope share the cancel ids of their parent")
  func sharedIDs() async {
    let clock = TestClock()
    let store = Store(initialState: Parent.State()) {
      Parent()
    } withDependencies: {
      $0.continuousClock = clock
    }
    store.send(.left(.start))
    store.send(.right(.stop))
    await clock.advance(by: .seconds(1))
    #expect(store.state.left.log == [])
  }

  @Test("a store of a part sends and shows that part")
  func scopedStore() {
    let store = Store(initialState: Parent.State()) { Parent() }
    let right = store.scope(state: \.right, action: \.right)
    let seen = Locked<[[String]]>([])
    let subscription = right.observe { state in seen.withLock { $0.append(state.log) } }
    right.send(.note("x"))
    #expect(store.state.right.log == ["x"])
    #expect(right.state.log == ["x"])
    #expect(seen.withLock { $0 } == [[], ["x"]])
    subscription.cancel()
  }

  struct Login: Reducer {
    enum State: Equatable, CasePathable, Sendable {
      case loggedOut(Child.State)
      case loggedIn(Child.State)

      struct AllCasePaths: Sendable {
        let loggedOut = CasePath(State.loggedOut)
        let loggedIn = CasePath(State.loggedIn)
      }
      static let allCasePaths = AllCasePaths()
    }

    enum Action: Equatable, CasePathable, Sendable {
      case loggedOut(Child.Action)
      case loggedIn(Child.Action)
      case login

      struct AllCasePaths: Sendable {
        let loggedOut = CasePath(Action.loggedOut)
        let loggedIn = CasePath(Action.loggedIn)
      }
      static let allCasePaths = AllCasePaths()
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        if action == .login { state = .loggedIn(Child.State(id: 2)) }
        return .none
      }
      .ifCaseLet(\.loggedOut, action: \.loggedOut) { Child() }
      .ifCaseLet(\.loggedIn, action: \.loggedIn) { Child() }
    }
  }

  @Test("a child in a case of the state lives as long as the state is in the case")
  func ifCaseLet() async {
    let clock = TestClock()
    let issues = IssueLog()
    let log = ChangeLog<Login.State, Login.Action>()
    let store = Store(initialState: Login.State.loggedOut(Child.State(id: 1)), hooks: log) {
      Login()
    } withDependencies: {
      $0.continuousClock = clock
      $0.issueReporter = issues.reporter
    }
    store.send(.loggedOut(.note("x")))
    #expect(store.state == .loggedOut(Child.State(id: 1, log: ["x"])))
    store.send(.loggedOut(.start))
    store.send(.login)
    #expect(log.lines == ["1 started", "1 cancelled"])
    store.send(.loggedIn(.note("y")))
    #expect(store.state == .loggedIn(Child.State(id: 2, log: ["y"])))
    #expect(issues.messages == [])
    store.send(.loggedOut(.note("late")))
    #expect(issues.messages.count == 1)
  }
}
