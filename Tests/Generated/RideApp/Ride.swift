import StoreCore
import StoreRecording

/// An app to call a taxi. It has what the samples lack: a debounce, a throttle, a merge, a question
/// that the reducer asks, and a crash.
struct Ride: Reducer {
  struct State: Codable, Equatable, Sendable {
    var query = ""
    var places: [String] = []
    var row = 0
    var driver = ""
    var minutes = 0
    var seat = ""
    var fare = 0
  }

  enum Action: Codable, Equatable, Sendable {
    case typed(String)
    case found(String)
    case scrolled(Int)
    case seen(Int)
    case called
    case driver(String)
    case minutes(Int)
    case seatTapped(Int)
  }

  private enum ID: Hashable, Sendable { case search, scroll }
  private static let seats = ["front", "left", "right"]

  @Dependency(\.fares) private var fares
  @Dependency(\.continuousClock) private var clock

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .typed(let text):
      state.query = text
      return .send(.found(text)).debounce(id: ID.search, for: .milliseconds(300))
    case .found(let place): state.places.append(place)
    case .scrolled(let row):
      return .send(.seen(row)).throttle(id: ID.scroll, for: .seconds(1), latest: true)
    case .seen(let row): state.row = row
    case .called:
      return .merge(
        answer(.driver("Ada"), name: "driver", after: .milliseconds(700)),
        answer(.minutes(4), name: "minutes", after: .milliseconds(900)))
    case .driver(let name): state.driver = name
    case .minutes(let minutes): state.minutes = minutes
    case .seatTapped(let index):
      state.seat = Self.seats[index]
      state.fare = fares.fare(index)
    }
    return .none
  }

  private func answer(_ action: Action, name: String, after pause: Duration) -> Effect<Action> {
    .run(name: name) { [clock] send in
      try await clock.sleep(for: pause)
      await send(action)
    }
  }
}

struct Fares: DependencyKey, Sendable {
  var fare: @Sendable (_ seat: Int) -> Int

  static let liveValue = Fares { 10 + 5 * $0 }
}

extension DependencyValues {
  var fares: Fares {
    get { self[Fares.self] }
    set { self[Fares.self] = newValue }
  }

  mutating func putFaresOnTape(_ tape: Tape) { fares.fare = tape.closure("fare", fares.fare) }
}
