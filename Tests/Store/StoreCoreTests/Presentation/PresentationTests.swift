import StoreCore
import Testing

@Suite("Presentation")
struct PresentationTests {
  struct Destination: Reducer {
    enum State: Equatable, CasePathable, Codable, Sendable {
      case child(Child.State)
      case alert(AlertState<AlertAction>)

      struct AllCasePaths: Sendable {
        let child = CasePath(State.child)
        let alert = CasePath(State.alert)
      }
      static let allCasePaths = AllCasePaths()
    }

    enum Action: Equatable, CasePathable, Codable, Sendable {
      case child(Child.Action)
      case alert(AlertAction)

      struct AllCasePaths: Sendable {
        let child = CasePath(Action.child)
        let alert = CasePath(Action.alert)
      }
      static let allCasePaths = AllCasePaths()
    }

    enum AlertAction: Equatable, Codable, Sendable { case retry }

    var body: some ReducerOf<Self> {
      EmptyReducer()
        .ifCaseLet(\.child, action: \.child) { Child() }
    }
  }

  struct Parent: Reducer {
    struct State: Equatable, Codable, Sendable {
      @PresentationState var destination: Destination.State?
      var log: [String] = []
    }

    enum Action: Equatable, CasePathable, Codable, Sendable {
      case destination(PresentationAction<Destination.Action>)
      case show(Int)
      case warn(String)

      struct AllCasePaths: Sendable {
        let destination = CasePath(Action.destination)
      }
      static let allCasePaths = AllCasePaths()
    }

    @Dependency(\.dismiss) var dismiss

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .destination(.dismiss): state.log.append("dismissed")
        case .destination(.presented(.alert(.retry))):
          state.log.append("retry")
          if state.log.count == 2 { state.destination = Self.warning("again") }
        case .destination: break
        case .show(let id): state.destination = .child(Child.State(id: id))
        case .warn(let title): state.destination = Self.warning(title)
        }
        return .none
      }
      .ifLet(\.$destination, action: \.destination) { Destination() }
    }

    static func warning(_ title: String) -> Destination.State {
      .alert(AlertState(title: title, buttons: [ButtonState("Retry", action: .retry)]))
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

  @Test("dismissing a child cancels its effects, after the parent saw it")
  func dismissing() async {
    let clock = TestClock()
    let log = Log()
    let store = store(clock, hooks: log)
    store.send(.show(1))
    store.send(.destination(.presented(.child(.start))))
    store.send(.destination(.dismiss))
    #expect(store.state == Parent.State(log: ["dismissed"]))
    #expect(log.lines == ["1 started", "1 cancelled"])
  }

  @Test("an action for a child that is not presented is an issue, and the parent runs")
  func nothingPresented() {
    let issues = IssueLog()
    let store = store(issues: issues)
    store.send(.destination(.dismiss))
    #expect(store.state.log == ["dismissed"])
    #expect(issues.messages.count == 1)
  }

  @Test("another child in the same place ends the effects of the first")
  func anotherChild() {
    let log = Log()
    let store = store(hooks: log)
    store.send(.show(1))
    store.send(.destination(.presented(.child(.start))))
    store.send(.show(2))
    #expect(log.lines == ["1 started", "1 cancelled"])
  }

  @Test("a child dismisses itself from inside an effect")
  func dismissFromInside() async {
    let issues = IssueLog()
    let store = store(issues: issues)
    store.send(.show(1))
    await store.send(.destination(.presented(.child(.leave)))).finish()
    #expect(store.state == Parent.State(log: ["dismissed"]))
    #expect(issues.messages == [])
  }

  @Test("a feature that nobody presents cannot dismiss itself")
  func dismissNobody() async {
    let issues = IssueLog()
    let store = Store(initialState: Child.State()) {
      Child()
    } withDependencies: {
      $0.issueReporter = issues.reporter
    }
    await store.send(.leave).finish()
    #expect(issues.messages == ["A feature that nobody presents asked to be dismissed."])
  }

  @Test("a button of an alert takes the alert away, unless the parent shows another")
  func alert() {
    let store = store()
    store.send(.warn("broken"))
    store.send(.destination(.presented(.alert(.retry))))
    #expect(store.state == Parent.State(log: ["retry"]))
    store.send(.warn("broken"))
    store.send(.destination(.presented(.alert(.retry))))
    #expect(store.state.destination == Parent.warning("again"))
  }

  @Test("a case inside the destination is read and set through the projection")
  func caseSubscript() {
    var state = Parent.State(destination: .child(Child.State(id: 1)))
    state.$destination[case: \.child]?.log = ["x"]
    #expect(state.destination == .child(Child.State(id: 1, log: ["x"])))
    #expect(state.$destination[case: \.alert] == nil)
  }

  /// A feature that presents itself.
  struct Folder: Reducer {
    struct State: Equatable, Codable, Sendable, Identifiable {
      var id: Int
      @PresentationState var inner: State?
    }

    indirect enum Action: Equatable, CasePathable, Codable, Sendable {
      case open(Int)
      case close
      case inner(PresentationAction<Action>)

      struct AllCasePaths: Sendable {
        let inner = CasePath(Action.inner)
      }
      static let allCasePaths = AllCasePaths()
    }

    @Dependency(\.dismiss) var dismiss

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .open(let id):
          state.inner = State(id: id)
          return .none
        case .close: return .run { _ in await dismiss() }
        case .inner: return .none
        }
      }
      .ifLet(\.$inner, action: \.inner) { Folder.Inner() }
    }

    struct Inner: Reducer {
      func reduce(into state: inout State, action: Action) -> Effect<Action> {
        Folder().reduce(into: &state, action: action)
      }
    }
  }

  @Test("features present themselves, and the innermost is the one that is dismissed")
  func nested() async {
    let store = Store(initialState: Folder.State(id: 0)) { Folder() }
    store.send(.open(1))
    store.send(.inner(.presented(.open(2))))
    #expect(store.state.inner?.inner?.id == 2)
    await store.send(.inner(.presented(.inner(.presented(.close))))).finish()
    #expect(store.state.inner == Folder.State(id: 1))
    await store.send(.inner(.presented(.close))).finish()
    #expect(store.state == Folder.State(id: 0))
  }
}
