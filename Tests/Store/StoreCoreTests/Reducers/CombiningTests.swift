import Platform
import StoreCore
import Testing

@Suite("Combining reducers")
struct CombiningTests {
  struct Log: Reducer {
    var name: String

    func reduce(into state: inout [String], action: String) -> Effect<String> {
      state.append("\(name) \(action)")
      return .none
    }
  }

  struct All: Reducer {
    var isLoud: Bool
    var isLast: Bool

    var body: some Reducer<[String], String> {
      Log(name: "first")
      if isLoud { Log(name: "loud") }
      if isLast {
        Log(name: "last")
      } else {
        EmptyReducer()
      }
      for number in 1...2 { Log(name: "\(number)") }
      CombineReducers {
        Log(name: "inner")
        Reduce { state, _ in
          state.append("closure")
          return .none
        }
      }
    }
  }

  @Test("reducers in a body run in the order in which they are written")
  func order() {
    var state: [String] = []
    _ = All(isLoud: true, isLast: true).reduce(into: &state, action: "x")
    #expect(
      state == ["first x", "loud x", "last x", "1 x", "2 x", "inner x", "closure"])
    state = []
    _ = All(isLoud: false, isLast: false).reduce(into: &state, action: "x")
    #expect(state == ["first x", "1 x", "2 x", "inner x", "closure"])
  }

  @Test("onChange runs after the base, in the same step, and only when the value changed")
  func onChange() {
    struct State: Equatable, Sendable {
      var query = ""
      var edits: [String] = []
    }
    let store = Store(initialState: State()) {
      Reduce<State, String> { state, action in
        state.query = action
        return .none
      }
      .onChange(of: { $0.query }) { before, after in
        Reduce { state, _ in
          state.edits.append("\(before)→\(after)")
          return .none
        }
      }
    }
    let published = Locked<[State]>([])
    let subscription = store.observe { state in published.withLock { $0.append(state) } }
    store.send("a")
    store.send("a")
    store.send("ab")
    #expect(store.state.edits == ["→a", "a→ab"])
    #expect(published.withLock { $0.map(\.edits.count) } == [0, 1, 2])
    subscription.cancel()
  }
}
