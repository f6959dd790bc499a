import StoreCore
import StoreRecording

/// A small app with one of everything that a replay must get right.
struct Shop: Reducer {
  struct State: Codable, Hashable, Sendable {
    var total = 0
    var log: [String] = []
    var ids: [UInt64] = []
    var query = ""
    var isPolling = false
  }

  enum Action: Codable, Hashable, Sendable {
    case add(Int)
    case clear
    /// Reads a random number.
    case roll
    /// Reads two random numbers that are not the same to it.
    case dice
    /// Reads the rate, unless the total is negative.
    case rate
    /// Sends two actions at once; the second depends on the state.
    case announce
    case noted(String)
    /// An answer of a server, which can fail and be cancelled.
    case fetch(Int)
    case cancelFetch
    case fetched(String)
    case failed(String)
    /// As many effects as the total, all from one place.
    case fan
    case fanned(Int)
    /// One effect, several emissions.
    case poll
    case stopPolling
    case polled(Int)
    /// Debounced, then an effect.
    case type(String)
    case found(String)
    /// An effect, then an action at once, then another effect.
    case chain
    case chained(String)
    /// Debounced, then an action at once.
    case settle(String)
    /// An effect that fails when the number is even.
    case crash(Int)
    /// An effect that answers only where the total is above ten, then an action at once.
    case noisy
  }

  enum ID: Hashable, Sendable { case fetch, poll, search, settle }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.withRandomNumberGenerator) var random
  @Dependency(\.shop) var shop

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add(let number):
      state.total += number
    case .clear:
      state.total = 0
      state.log = []
    case .roll:
      state.total += random { Int.random(in: 1...6, using: &$0) }
    case .dice:
      state.ids = random { [$0.next() % 1_000, $0.next() % 1_000] }
    case .rate:
      if state.total >= 0 { state.total += shop.rate() }
    case .announce:
      return .merge(
        .send(.noted("first")), .send(.noted(state.total > 10 ? "much" : "little")))
    case .noted(let text), .fetched(let text), .failed(let text), .found(let text),
      .chained(let text):
      state.log.append(text)
    case .fanned(let number), .polled(let number):
      state.log.append("\(number)")
    default:
      return effects(&state, action)
    }
    return .none
  }

  private func effects(_ state: inout State, _ action: Action) -> Effect<Action> {
    switch action {
    case .fetch(let number):
      return .run(name: "fetch") { [clock, shop, total = state.total] send in
        try await clock.sleep(for: .milliseconds(300))
        await send(.fetched(try await shop.answer(number + total)))
      } catch: { error, send in
        await send(.failed("\(error)"))
      }
      .cancellable(id: ID.fetch, cancelInFlight: true)
    case .cancelFetch:
      return .cancel(id: ID.fetch)
    case .fan:
      return .merge(
        (0..<max(0, min(4, state.total))).map { number in
          .run(name: "fan") { [clock] send in
            try await clock.sleep(for: .milliseconds(100 * (number + 1)))
            await send(.fanned(number))
          }
        })
    case .poll:
      state.isPolling = true
      return .run(name: "poll") { [clock] send in
        for number in 1...3 {
          try await clock.sleep(for: .seconds(1))
          await send(.polled(number))
        }
      }
      .cancellable(id: ID.poll, cancelInFlight: true)
    case .stopPolling:
      state.isPolling = false
      return .cancel(id: ID.poll)
    case .type(let text):
      state.query = text
      return .run(name: "search") { [clock] send in
        try await clock.sleep(for: .milliseconds(200))
        await send(.found(text))
      }
      .debounce(id: ID.search, for: .milliseconds(500))
    case .chain:
      return .concatenate(
        .run(name: "one") { [clock] send in
          try await clock.sleep(for: .milliseconds(250))
          await send(.chained("one"))
        },
        .send(.noted("between")),
        .run(name: "two") { [clock] send in
          try await clock.sleep(for: .milliseconds(250))
          await send(.chained("two"))
        })
    case .settle(let text):
      return .send(.noted(text)).debounce(id: ID.settle, for: .milliseconds(400))
    case .noisy:
      return .concatenate(
        .run(name: "noise") { [clock, total = state.total] send in
          try await clock.sleep(for: .milliseconds(300))
          if total > 10 { await send(.chained("noise")) }
        }, .send(.noted("silence")))
    case .crash(let number):
      return .run(name: "crash") { [clock] send in
        try await clock.sleep(for: .milliseconds(150))
        if number.isMultiple(of: 2) { throw ShopError(description: "no \(number)") }
        await send(.noted("no crash"))
      }
    default:
      return .none
    }
  }
}

struct ShopClient: Sendable {
  var answer: @Sendable (Int) async throws -> String
  var rate: @Sendable () -> Int
}

struct ShopError: Error, CustomStringConvertible {
  var description: String
}

extension ShopClient: DependencyKey {
  static let liveValue = ShopClient(
    answer: { number in
      if number.isMultiple(of: 7) { throw ShopError(description: "no \(number)") }
      return "answer \(number)"
    }, rate: { 3 })
  static let testValue: ShopClient = liveValue
}

extension DependencyValues {
  var shop: ShopClient {
    get { self[ShopClient.self] }
    set { self[ShopClient.self] = newValue }
  }
}
