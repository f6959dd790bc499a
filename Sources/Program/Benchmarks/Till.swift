import Recorder
import Replay
import StoreCore
import StoreRecording

/// An app that asks: each action asks for a price, and every fourth starts an effect that waits,
/// half of them with a debounce, and then asks something else.
struct Till: Reducer {
  struct State: Codable, Sendable {
    var items: [ReplayRows.Stock.Item] = []
    var total = 0.0
    var found = 0
  }

  enum Action: Codable, Sendable {
    case added(item: Int, quantity: Int)
    case found(Int)
  }

  @Dependency(\.prices) var prices
  @Dependency(\.continuousClock) var clock

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .found(let count):
      state.found &+= count
      return .none
    case .added(let item, let quantity):
      state.total += prices.price(item, quantity)
      if state.items.indices.contains(item) { state.items[item].quantity += quantity }
      switch item % 8 {
      case 0:
        return .run(name: "shelf") { [stock = prices.stock] send in
          await send(.found(stock(item, "shelf")))
        }
        .debounce(id: Waiting.shelf, for: .milliseconds(5))
      case 4:
        return .run(name: "cellar") { [stock = prices.stock, clock] send in
          try await clock.sleep(for: .milliseconds(10))
          await send(.found(stock(item, "cellar")))
        }
      default: return .none
      }
    }
  }

  private enum Waiting { case shelf }

  static let setup = ReplaySetup(Till()) { $0.prices.putOnTape(Tape()) }

  static func action(_ number: Int) -> Action {
    .added(item: number * 7 % 450, quantity: number % 5)
  }

  /// Records an app whose clock does not wait, though it tells the time.
  static func record(to path: String, actions count: Int, from start: State) async {
    var options = RecordingOptions()
    options.backPressure = .wait(beyond: 2_000)
    let recorder = StoreRecorder<State, Action>(to: path, options: options)
    let store = Store(initialState: start, hooks: recorder) {
      Till()
    } withDependencies: {
      $0.prices.putOnTape(recorder.tape)
      $0.continuousClock = ShiftedClock(ContinuousClock(), time: { $0() }) { _, _ in
        await Task.yield()
      }
    }
    for number in 0..<count {
      let task = store.send(action(number))
      // Otherwise all effects would run at the end; this way the next debounce finds the last one
      // running.
      if number % 16 == 0 { await task.finish() }
    }
    recorder.finish()
  }
}

struct Prices: DependencyKey, Sendable {
  var price: @Sendable (_ item: Int, _ quantity: Int) -> Double
  var stock: @Sendable (_ item: Int, _ place: String) async -> Int

  static let liveValue = Prices(
    price: { Double($0 &* 31 % 97) * Double($1) }, stock: { item, place in item + place.utf8.count }
  )

  mutating func putOnTape(_ tape: Tape) {
    price = tape.closure("price", price)
    stock = tape.closure("stock", stock)
  }
}

extension DependencyValues {
  var prices: Prices {
    get { self[Prices.self] }
    set { self[Prices.self] = newValue }
  }
}
