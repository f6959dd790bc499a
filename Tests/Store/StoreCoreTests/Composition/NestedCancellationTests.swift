import StoreCore
import Testing

/// Children in children: a screen may show a note and further screens, each with rows.
@Suite("Cancelling across generations")
struct NestedCancellationTests {
  struct Screen: Reducer {
    struct State: Equatable, Sendable, Identifiable {
      var id: Int
      var note: Child.State?
      var rows: IdentifiedArrayOf<Child.State> = []
      var path = StackState<State>()
    }

    enum Action: Equatable, CasePathable, Sendable {
      case note(Child.Action)
      case rows(IdentifiedAction<Int, Child.Action>)
      indirect case path(StackAction<State, Action>)
      case work
      case stopAll
      case hideNote

      struct AllCasePaths: Sendable {
        let note = CasePath(Action.note)
        let rows = CasePath(Action.rows)
        let path = CasePath(Action.path)
      }
      static let allCasePaths = AllCasePaths()
    }

    @Dependency(\.continuousClock) var clock

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .work:
          return .run(name: "screen \(state.id)") { _ in try await clock.sleep(for: .seconds(1)) }
            .cancellable(id: Child.CancelID.work)
        case .stopAll: return .cancel(id: Child.CancelID.work)
        case .hideNote:
          state.note = nil
          return .none
        case .note, .rows, .path: return .none
        }
      }
      .ifLet(\.note, action: \.note) { Child() }
      .forEach(\.rows, action: \.rows) { Child() }
      .forEach(\.path, action: \.path) { Screen().erased() }
    }
  }

  typealias Log = ChangeLog<Screen.State, Screen.Action>

  /// A screen with a note and a row, on it one like it, and on that one another.
  static func screen(_ id: Int, above: Int = 2) -> Screen.State {
    Screen.State(
      id: id, note: Child.State(id: 1), rows: [Child.State(id: 1)],
      path: StackState(above > 0 ? [screen(id + 1, above: above - 1)] : []))
  }

  /// The action for the screen that so many stacks lie around.
  static func at(_ depth: Int, _ action: Screen.Action) -> Screen.Action {
    depth == 0 ? action : .path(.element(id: 0, action: at(depth - 1, action)))
  }

  /// Starts, on each screen from the lowest up, the work of the screen (effects 1, 4, 7), of its
  /// note (2, 5, 8) and of its row (3, 6, 9).
  func running(_ log: Log) -> StoreOf<Screen> {
    let store = Store(initialState: Self.screen(0), hooks: log) { Screen() }
    for depth in 0...2 {
      for action in [Screen.Action.work, .note(.start), .rows(.element(id: 1, action: .start))] {
        store.send(Self.at(depth, action))
      }
    }
    return store
  }

  private func cancelled(_ log: Log) -> [Int] {
    log.lines.filter { $0.hasSuffix(" cancelled") }.compactMap {
      $0.split(separator: " ").first.flatMap { Int($0) }
    }
  }

  @Test(
    "a cancel reaches children, grandchildren and stacks in stacks, and nothing above",
    arguments: [
      (0, [1, 2, 3, 4, 5, 6, 7, 8, 9]), (1, [4, 5, 6, 7, 8, 9]), (2, [7, 8, 9]),
    ])
  func cancelsBelow(depth: Int, expected: [Int]) {
    let log = Log()
    let store = running(log)
    #expect(log.lines == (1...9).map { "\($0) started" })
    store.send(Self.at(depth, .stopAll))
    #expect(cancelled(log) == expected)
  }

  @Test("a cancel of a note or a row on a stack in a stack reaches itself only")
  func cancelsItself() {
    let log = Log()
    let store = running(log)
    store.send(Self.at(2, .note(.stop)))
    store.send(Self.at(1, .rows(.element(id: 1, action: .stop))))
    #expect(cancelled(log) == [8, 6])
  }

  @Test("a note or a screen that goes away cancels the effects of all that is in it")
  func goesAway() {
    let log = Log()
    let store = running(log)
    store.send(Self.at(2, .hideNote))
    #expect(cancelled(log) == [8])
    store.send(Self.at(1, .path(.popFrom(id: 0))))
    #expect(cancelled(log) == [8, 7, 9])
    store.send(.path(.popFrom(id: 0)))
    #expect(cancelled(log) == [8, 7, 9, 4, 5, 6])
    #expect(store.state.path.isEmpty)
  }

  @Test("the same ids in another element of a stack are others")
  func sideBySide() {
    let log = Log()
    let store = running(log)
    store.send(.path(.push(id: 1, state: Self.screen(9, above: 0))))
    store.send(.path(.element(id: 1, action: .note(.start))))
    store.send(.path(.element(id: 1, action: .stopAll)))
    #expect(cancelled(log) == [10])
  }
}
