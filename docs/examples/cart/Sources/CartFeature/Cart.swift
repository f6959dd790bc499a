import SessionLog
import StoreCore

/// A cart whose prices come from a server.
public struct Cart: Reducer {
  public struct State: Codable, Equatable, Sendable {
    public var total = 0
    public var items: [String] = []
    public var message: String?

    public init() {}
  }

  public enum Action: Codable, Equatable, Sendable {
    case addTapped(String)
    case priced(String, TaskResult<Int>)
    case couponApplied(Int)
  }

  @Dependency(\.prices) var prices

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .addTapped(let item):
      return .run(name: "price") { [prices] send in
        await send(.priced(item, TaskResult { try await prices.price(item) }))
      }
    case .priced(let item, .success(let price)):
      state.items.append(item)
      state.total += price
    case .priced(let item, .failure(let failure)):
      state.message = "No price for \(item): \(failure)"
    case .couponApplied(let amount):
      state.total -= amount
    }
    return .none
  }
}

public struct Prices: DependencyKey {
  public var price: @Sendable (String) async throws -> Int

  public static let liveValue = Prices { item in item.count * 100 }
}

extension DependencyValues {
  public var prices: Prices {
    get { self[Prices.self] }
    set { self[Prices.self] = newValue }
  }

  /// Puts the app's questions on tape. Called where the app records and where it is replayed.
  public mutating func putCartOnTape(_ tape: Tape) {
    prices.price = tape.closure("price", prices.price)
  }
}
