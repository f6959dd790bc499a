import StoreCore
import Testing

@Suite("Bindings that nobody sets")
struct UnhandledBindingTests {
  struct Form: Reducer {
    struct State: BindableState, Equatable {
      var name = ""
      static let bindings = BindingTable<State>(BindingField("name", \.name))
    }
    enum Action: BindableAction, Sendable {
      case binding(BindingAction<State>)
      case other
    }
    var isHandled: Bool
    var body: some ReducerOf<Self> {
      if isHandled { BindingReducer() }
      EmptyReducer()
    }
  }

  struct App: Reducer {
    struct State: Equatable, Sendable { var form = Form.State() }
    enum Action: CasePathable, Sendable {
      case form(Form.Action)
      struct AllCasePaths: Sendable { let form = CasePath(Action.form) }
      static let allCasePaths = AllCasePaths()
    }
    var isHandled: Bool
    var body: some ReducerOf<Self> {
      Scope(state: \.form, action: \.form) { Form(isHandled: isHandled) }
    }
  }

  private let text = """
    The property “name” of State was not set. Put a BindingReducer() into the body of the feature \
    that has this action.
    """

  @Test("a binding action without a BindingReducer is an issue, in the root and in a child")
  func unhandled() {
    for isHandled in [true, false] {
      let issues = IssueLog()
      let root = Store(initialState: Form.State()) {
        Form(isHandled: isHandled)
      } withDependencies: {
        $0.issueReporter = issues.reporter
      }
      root.send(.binding(.set(\.name, "a")))
      root.send(.other)
      let app = Store(initialState: App.State()) {
        App(isHandled: isHandled)
      } withDependencies: {
        $0.issueReporter = issues.reporter
      }
      app.send(.form(.binding(.set(\.name, "a"))))
      app.send(.form(.other))
      #expect(issues.messages == (isHandled ? [] : [text, text]))
      #expect(root.state.name == (isHandled ? "a" : ""))
    }
  }

  enum Mixed: CasePathable, Sendable {
    case x(Int)
    case y(Int)
    case nothing
    case empty

    struct AllCasePaths: Sendable {
      let y = CasePath(Mixed.x)
      let nothing = CasePath(Mixed.empty)
    }
    static let allCasePaths = AllCasePaths()
  }

  @Test("a path that stands under another case's name is an issue, told once")
  func mixedUp() {
    let issues = IssueLog()
    withDependencies {
      $0.issueReporter = issues.reporter
    } operation: {
      for value in [Mixed.x(1), .y(2), .nothing, .empty, .x(1), .empty] {
        _ = value[case: \.y]
        _ = value.is(\.nothing)
      }
    }
    #expect(
      issues.messages == [
        "The path that Mixed.allCasePaths has under “y” leads to the case “x”.",
        "The path that Mixed.allCasePaths has under “nothing” leads to the case “empty”.",
      ])
  }
}
