import Platform
import RetconCommand
import SessionLog
import StoreCore
import StoreRecording

/// An app whose reducer traps: taking an item out that is not there. The build in which that is fixed is
/// this one with a variable set, for a test that has no time for another.
struct Cart: Reducer {
  private let isFixed = environmentVariable("CART_IS_FIXED") != nil

  struct State: Codable, Equatable, Sendable {
    var items: [String] = []
    var total = 0
  }

  enum Action: Codable, Equatable, Sendable {
    case add(String, price: Int)
    case remove(at: Int)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add(let name, let price):
      state.items.append(name)
      state.total += price
    case .remove(let index):
      if isFixed, !state.items.indices.contains(index) { return .none }
      state.items.remove(at: index)
    }
    return .none
  }
}

/// `CrashingApp record FILE [safely]` is the app as its user runs it; anything else is its debugger.
@main struct CrashingApp {
  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    guard words.first == "record", let path = words.dropFirst().first else {
      return await RetconCommand.main(
        hosting: Cart(),
        rules: [
          "isPaid": { state, step in
            let added = if case .add(_, let price)? = step.action { price } else { 0 }
            let before = step.previous?.total ?? 0
            return state.total == before + added && (step.number == 0 || !state.items.isEmpty)
              && state.items.count != 2 ? nil : "\(state.items.count) items for \(state.total)"
          }
        ])
    }
    var options = RecordingOptions(app: .init("Cart"))
    options.isWriteAhead = true
    let recording = StoreRecorder<Cart.State, Cart.Action>(to: path, options: options)
    let store = Store(initialState: Cart.State(), hooks: recording) { Cart() }
    for (name, price) in [("tea", 4), ("milk", 2), ("bread", 3)] {
      store.send(.add(name, price: price))
    }
    store.send(.remove(at: 1))
    if words.last != "safely" { store.send(.remove(at: 7)) }
    recording.finish()
  }
}
