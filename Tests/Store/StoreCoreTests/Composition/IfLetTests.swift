import StoreCore
import Testing

@Suite("Optional children")
struct IfLetTests {
  struct Parent: Reducer {
    struct State: Equatable, Sendable {
      var child: Child.State?
      var log: [String] = []
    }

    enum Action: Equatable, CasePathable, Sendable {
      case child(Child.Action)
      case show(Int)
      case hide
      case stopAll

      struct AllCasePaths: Sendable {
        let child = CasePath(Action.child)
      }
      static let allCasePaths = AllCasePaths()
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .child: state.log.append("parent saw \(state.child?.log.count ?? -1)")
        case .show(let id): state.child = Child.State(id: id)
        case .hide: state.child = nil
        case .stopAll: return .cancel(id: Child.CancelID.work)
        }
        return .none
      }
      .ifLet(\.child, action: \.child) { Child() }
    }
  }

  typealias Log = ChangeLog<Parent.State, Parent.Action>

  func store(
    _ clock: TestClock = TestClock(), hooks: Log? = nil, issues: IssueLog = IssueLog()
  ) -> StoreOf<Parent> {
    Store(initialState: Parent.State(), hooks: hooks) {
      Parent()
    } withDependencies: {
      $0.continuousClock = clock
      $0.issueReporter = issues.reporter
    }
  }

  @Test("an optional child runs before its parent")
  func childFirst() {
    let store = store()
    store.send(.show(1))
    store.send(.child(.note("x")))
    #expect(store.state.log == ["parent saw 1"])
  }

  @Test("the effects of an optional child end with it")
  func endsWithChild() async {
    let clock = TestClock()
    let log = Log()
    let store = store(clock, hooks: log)
    store.send(.show(1))
    store.send(.child(.start))
    store.send(.hide)
    await clock.advance(by: .seconds(2))
    #expect(log.lines == ["1 started", "1 cancelled"])
    #expect(store.state == Parent.State(log: ["parent saw 0"]))
  }

  @Test("an action for a child that is nil is explained, and the parent runs")
  func absentChild() {
    let issues = IssueLog()
    let store = store(issues: issues)
    store.send(.child(.note("x")))
    #expect(store.state.log == ["parent saw -1"])
    #expect(
      issues.messages == [
        """
        An action for a child came while its state was nil: \
        child(StoreCoreTests.Child.Action.note("x"))
        The child did not get it; its parent did. Either the parent took the child away before \
        its reducer ran, or an effect of the child was still in flight, or somebody sent it too \
        late.
        """
      ])
    #expect(issues.places.first?.hasPrefix("StoreCoreTests/IfLetTests.swift:") == true)
  }

  @Test("another identity in the place of a child cancels the effects of the old one")
  func anotherIdentity() async {
    let clock = TestClock()
    let log = Log()
    let store = store(clock, hooks: log)
    store.send(.show(1))
    store.send(.child(.start))
    store.send(.show(1))
    #expect(log.lines == ["1 started"])
    store.send(.show(2))
    #expect(log.lines == ["1 started", "1 cancelled"])
    await clock.advance(by: .seconds(2))
    #expect(store.state.child == Child.State(id: 2))
  }

  @Test("a parent's cancel reaches the effects of its children")
  func cancelFromParent() {
    let log = Log()
    let store = store(hooks: log)
    store.send(.show(1))
    store.send(.child(.start))
    store.send(.stopAll)
    #expect(log.lines == ["1 started", "1 cancelled"])
  }

  @Test("a store of an optional child is there while the child is")
  func scopedStore() {
    let store = store()
    let none = store.scope(state: \.child, action: \.child)
    #expect(none.map(\.state) == nil)
    store.send(.show(1))
    let child = store.scope(state: \.child, action: \.child)
    child?.send(.note("x"))
    #expect(child?.state.log == ["x"])
    store.send(.hide)
    #expect(child?.state.log == ["x"])
  }
}
