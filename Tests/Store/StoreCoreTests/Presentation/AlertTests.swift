import StoreCore
import Testing

/// Alerts, and what takes them away.
@Suite("Alerts")
struct AlertTests {
  enum Answer: Equatable, Codable, Sendable { case yes }

  struct Plain: Reducer {
    struct State: Equatable, Sendable {
      var alert: AlertState<Answer>?
      var dialog: ConfirmationDialogState<Answer>?
      var asksAgain = false
    }

    enum Action: Equatable, CasePathable, Sendable {
      case alert(Answer)
      case dialog(Answer)

      struct AllCasePaths: Sendable {
        let alert = CasePath(Action.alert)
        let dialog = CasePath(Action.dialog)
      }
      static let allCasePaths = AllCasePaths()
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        if state.asksAgain { state.alert = AlertState(title: "Really?") }
        return .none
      }
      .ifLet(\.alert, action: \.alert)
      .ifLet(\.dialog, action: \.dialog)
    }
  }

  @Test("on a plain optional, the action of a button takes it away")
  func plain() {
    let store = Store(
      initialState: Plain.State(
        alert: AlertState(title: "Sure?"), dialog: ConfirmationDialogState(title: "Which?"))
    ) {
      Plain()
    }
    store.send(.alert(.yes))
    #expect(store.state.alert == nil)
    #expect(store.state.dialog != nil)
    store.send(.dialog(.yes))
    #expect(store.state == Plain.State())
  }

  @Test("on a plain optional, one that the parent puts in its place stays")
  func replaced() {
    let state = Plain.State(alert: AlertState(title: "Sure?"), asksAgain: true)
    let store = Store(initialState: state) { Plain() }
    store.send(.alert(.yes))
    #expect(store.state.alert?.title == "Really?")
  }

  struct Destination: Reducer {
    enum State: Equatable, CasePathable, Sendable {
      case alert(AlertState<Answer>)
      case warning(AlertState<Answer>)
      case child(Child.State)

      struct AllCasePaths: Sendable {
        let alert = CasePath(State.alert)
        let warning = CasePath(State.warning)
        let child = CasePath(State.child)
      }
      static let allCasePaths = AllCasePaths()
    }

    enum Action: Equatable, CasePathable, Sendable {
      case alert(Answer)
      case warning(Answer)
      case confirm(Answer)
      case child(Child.Action)

      struct AllCasePaths: Sendable { let child = CasePath(Action.child) }
      static let allCasePaths = AllCasePaths()
    }

    var body: some ReducerOf<Self> {
      EmptyReducer().ifCaseLet(\.child, action: \.child) { Child() }
    }
  }

  struct Presenting: Reducer {
    struct State: Equatable, Sendable {
      @PresentationState var destination: Destination.State?
    }

    enum Action: CasePathable, Sendable {
      case destination(PresentationAction<Destination.Action>)

      struct AllCasePaths: Sendable { let destination = CasePath(Action.destination) }
      static let allCasePaths = AllCasePaths()
    }

    var body: some ReducerOf<Self> {
      EmptyReducer().ifLet(\.$destination, action: \.destination) { Destination() }
    }
  }

  @Test(
    "an alert goes with an action of its own, whatever its case is called, and stays for others",
    arguments: [
      (Destination.Action.alert(.yes), true), (.confirm(.yes), true), (.warning(.yes), false),
      (.child(.note("late")), false),
    ])
  func otherCases(action: Destination.Action, goes: Bool) {
    let issues = IssueLog()
    let state = Presenting.State(destination: .alert(AlertState(title: "Sure?")))
    let store = Store(initialState: state) {
      Presenting()
    } withDependencies: {
      $0.issueReporter = issues.reporter
    }
    store.send(.destination(.presented(action)))
    #expect((store.state.destination == nil) == goes)
  }

  @Test("writing to another case than the one that is there is an issue; to nothing, it is not")
  func wrongCase() {
    let issues = IssueLog()
    withDependencies {
      $0.issueReporter = issues.reporter
    } operation: {
      var state = Presenting.State(destination: .alert(AlertState(title: "Sure?")))
      state.$destination[case: \.child]?.log = ["x"]
      #expect(state.$destination[case: \.child] == nil)
      var plain = Destination.State.alert(AlertState(title: "Sure?"))
      plain[case: \.child]?.log = ["x"]
      var path = StackState([plain])
      path[id: 0, case: \.child]?.log = ["x"]
      state.$destination[case: \.child] = nil
      path[id: 0, case: \.child] = nil
      #expect(issues.messages.count == 5)
      plain[case: \.alert]?.title = "Really?"
      path[id: 0, case: \.alert]?.title = "Really?"
      state.$destination[case: \.alert]?.title = "Really?"
      #expect(state.destination == plain)
      #expect(path[id: 0] == plain)
      state.destination = nil
      state.$destination[case: \.child]?.log = ["x"]
      #expect(issues.messages.count == 5)
    }
  }

  @Test("a copy that nobody changed is equal without a look inside")
  func storage() {
    struct Counting: Equatable {
      nonisolated(unsafe) static var count = 0
      static func == (_: Self, _: Self) -> Bool {
        count += 1
        return true
      }
    }
    let state = PresentationState(wrappedValue: Counting())
    var copy = state
    #expect(state == copy)
    #expect(Counting.count == 0)
    copy.wrappedValue = Counting()
    #expect(state == copy)
    #expect(Counting.count == 1)
  }
}
