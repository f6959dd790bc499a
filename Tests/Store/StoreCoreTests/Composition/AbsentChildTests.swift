import StoreCore
import Testing

/// Children that another reducer than their own parent's removes.
@Suite("Children that something else removed")
struct AbsentChildTests {
  /// Shows every kind of child.
  struct Screen: Reducer {
    struct State: Equatable, Sendable {
      var note: Child.State?
      @PresentationState var sheet: Child.State?
      var rows: IdentifiedArrayOf<Child.State> = []
      var path = StackState<Child.State>()
    }

    enum Action: Equatable, CasePathable, Sendable {
      case note(Child.Action)
      case sheet(PresentationAction<Child.Action>)
      case rows(IdentifiedAction<Int, Child.Action>)
      case path(StackAction<Child.State, Child.Action>)
      case push

      struct AllCasePaths: Sendable {
        let note = CasePath(Action.note)
        let sheet = CasePath(Action.sheet)
        let rows = CasePath(Action.rows)
        let path = CasePath(Action.path)
      }
      static let allCasePaths = AllCasePaths()
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        if action == .push { state.path.append(Child.State()) }
        return .none
      }
      .ifLet(\.note, action: \.note) { Child() }
      .ifLet(\.$sheet, action: \.sheet) { Child() }
      .forEach(\.rows, action: \.rows) { Child() }
      .forEach(\.path, action: \.path) { Child() }
    }
  }

  /// Two screens, and something beside them that changes what they hold.
  struct App: Reducer {
    struct State: Equatable, Sendable {
      var left = Screen.State()
      var right = Screen.State()
    }

    enum Action: CasePathable, Sendable {
      case left(Screen.Action)
      case right(Screen.Action)
      case change(@Sendable (inout State) -> Void)

      struct AllCasePaths: Sendable {
        let left = CasePath(Action.left)
        let right = CasePath(Action.right)
      }
      static let allCasePaths = AllCasePaths()
    }

    var siblingComesFirst = false

    var body: some ReducerOf<Self> {
      if siblingComesFirst { sibling }
      Scope(state: \.left, action: \.left) { Screen() }
      Scope(state: \.right, action: \.right) { Screen() }
      if !siblingComesFirst { sibling }
    }

    var sibling: Reduce<State, Action> {
      Reduce { state, action in
        if case .change(let change) = action { change(&state) }
        return .none
      }
    }
  }

  typealias Log = ChangeLog<App.State, App.Action>

  static let screen = Screen.State(
    note: Child.State(), sheet: Child.State(), rows: [Child.State(id: 1), Child.State(id: 2)],
    path: StackState([Child.State()]))

  static let starts: [Screen.Action] = [
    .note(.start), .sheet(.presented(.start)), .rows(.element(id: 1, action: .start)),
    .rows(.element(id: 2, action: .start)), .path(.element(id: 0, action: .start)),
  ]

  /// The work of the left screen's children runs as effects 1 to 5, that of the right one's as 6
  /// to 10.
  func running(_ log: Log, clock: TestClock = TestClock(), first: Bool = false) -> StoreOf<App> {
    let state = App.State(left: Self.screen, right: Self.screen)
    let store = Store(initialState: state, hooks: log) {
      App(siblingComesFirst: first)
    } withDependencies: {
      $0.continuousClock = clock
    }
    for start in Self.starts { store.send(.left(start)) }
    for start in Self.starts { store.send(.right(start)) }
    return store
  }

  private func cancelled(_ log: Log) -> [Int] {
    log.lines.filter { $0.hasSuffix(" cancelled") }.compactMap {
      $0.split(separator: " ").first.flatMap { Int($0) }
    }
  }

  @Test(
    "a sibling's change ends the effects of the child that is gone, and no others",
    arguments: [true, false])
  func siblings(first: Bool) {
    let log = Log()
    let store = running(log, first: first)
    store.send(.change { $0.left.note = nil })
    #expect(cancelled(log) == [1])
    store.send(.change { $0.right.sheet = nil })
    #expect(cancelled(log) == [1, 7])
    store.send(.change { $0.left.rows.remove(id: 2) })
    #expect(cancelled(log) == [1, 7, 4])
    store.send(.change { $0.left.rows = [] })
    #expect(cancelled(log) == [1, 7, 4, 3])
    store.send(.change { $0.right.path.removeAll() })
    #expect(cancelled(log) == [1, 7, 4, 3, 10])
    store.send(.change { $0.right.note?.id = 5 })
    #expect(cancelled(log) == [1, 7, 4, 3, 10, 6])
  }

  @Test("replacing a whole parent ends the effects of all its children, before a next one is there")
  func replaced() async {
    let log = Log()
    let clock = TestClock()
    let store = running(log, clock: clock)
    store.send(.change { $0.left = Screen.State() })
    #expect(cancelled(log) == [1, 2, 3, 4, 5])
    store.send(.change { $0.left = Self.screen })
    await clock.advance(by: .seconds(2))
    #expect(store.state.left == Self.screen)
    #expect(store.state.right.note?.log == ["done"])
  }

  @Test("a child that dismisses itself takes nobody else's child of the same kind along")
  func sameKind() {
    let log = Log()
    let store = running(log)
    store.send(.left(.sheet(.dismiss)))
    #expect(cancelled(log) == [2])
  }

  @Test("a stack that a sibling replaces by one with the same ids is another stack")
  func sameIDs() {
    let log = Log()
    let store = running(log)
    store.send(.change { $0.left.path = Self.screen.path })
    #expect(cancelled(log) == [5])
  }

  @Test("no id is given twice, whoever replaces the stack", arguments: [true, false])
  func ids(first: Bool) {
    let store = Store(initialState: App.State(left: Self.screen)) { App(siblingComesFirst: first) }
    store.send(.change { $0.left.path = StackState([Child.State()]) })
    #expect(store.state.left.path.ids == [1])
    store.send(.left(.push))
    #expect(store.state.left.path.ids == [1, 2])
    store.send(.change { $0.left = Screen.State() })
    #expect(store.state.left.path.nextID == 3)
    store.send(.left(.push))
    #expect(store.state.left.path.ids == [3])
    store.send(.right(.push))
    #expect(store.state.right.path.ids == [0])
  }

  @Test("a row among thousands is cancelled without a look at the others")
  func rows() {
    struct Rows: Reducer {
      struct State: Sendable { var rows: IdentifiedArrayOf<Child.State> }
      enum Action: CasePathable, Sendable {
        case rows(IdentifiedAction<Int, Child.Action>)

        struct AllCasePaths: Sendable { let rows = CasePath(Action.rows) }
        static let allCasePaths = AllCasePaths()
      }
      var body: some ReducerOf<Self> {
        EmptyReducer().forEach(\.rows, action: \.rows) { Child() }
      }
    }
    let state = Rows.State(rows: .init(uniqueElements: (0..<3).map { Child.State(id: $0) }))
    let log = ChangeLog<Rows.State, Rows.Action>()
    let store = Store(initialState: state, hooks: log) { Rows() }
    for id in 0..<3 { store.send(.rows(.element(id: id, action: .start))) }
    store.send(.rows(.element(id: 1, action: .stop)))
    store.send(.rows(.element(id: 7, action: .stop)))
    #expect(log.lines == ["1 started", "2 started", "3 started", "2 cancelled"])
  }
}
