import StoreCore
import Testing

@Suite("Bindings")
struct BindingTests {
  struct Form: Reducer {
    struct State: BindableState, Equatable {
      var name = ""
      var isPublic = false
      var secret = 0
      var seen: [String] = []

      static let bindings = BindingTable<State>(
        BindingField("name", \.name),
        BindingField("isPublic", \.isPublic))
    }

    enum Action: BindableAction, Equatable, Codable {
      case binding(BindingAction<State>)
      case saved
    }

    var body: some ReducerOf<Self> {
      BindingReducer()
      Reduce { state, action in
        switch action {
        case .binding(\.name): state.seen.append("name is \(state.name)")
        case .binding: state.seen.append("another")
        case .saved: break
        }
        return .none
      }
    }
  }

  @Test("a binding is set before the reducer sees it, and one is matched in a switch")
  func matching() {
    let store = Store(initialState: Form.State()) { Form() }
    store.send(.binding(.set(\.name, "Blob")))
    store.send(.binding(.set(\.isPublic, true)))
    #expect(
      store.state
        == Form.State(name: "Blob", isPublic: true, seen: ["name is Blob", "another"]))
  }

  @Test("setting what the state does not list is an issue, and is set")
  func unlisted() {
    let issues = IssueLog()
    let action = withDependencies {
      $0.issueReporter = issues.reporter
    } operation: {
      BindingAction<Form.State>.set(\.secret, 1)
    }
    let store = Store(initialState: Form.State()) { Form() }
    store.send(.binding(action))
    #expect(store.state.secret == 1)
    #expect(
      issues.messages == [
        "State does not list this property in its bindings, so setting it is not recorded. "
          + "@Reducer lists those that are visible, Codable, Equatable and Sendable."
      ])
  }

  @Test("bindings are equal when they set the same to the same")
  func equality() {
    typealias Action = BindingAction<Form.State>
    #expect(Action.set(\.name, "a") == .set(\.name, "a"))
    #expect(Action.set(\.name, "a") != .set(\.name, "b"))
    #expect(Action.set(\.name, "a") != .set(\.isPublic, true))
  }
}
