import SessionLog
import StoreCore
import StoreMacros

public struct Article: Codable, Equatable, Identifiable, Sendable {
  public var id: Int
  public var name: String
  public var price: Int

  public init(id: Int, name: String, price: Int) {
    self.id = id
    self.name = name
    self.price = price
  }
}

/// The shop's questions to its server.
@DependencyClient
public struct ShopClient {
  public var search: @Sendable (_ words: String) async throws -> [Article]
  public var order: @Sendable (_ articles: [Int]) async throws -> String
}

extension ShopClient: DependencyKey {
  public static let testValue = ShopClient()
  public static let liveValue = ShopClient(
    search: { words in
      let names = ["bread", "butter", "beer", "cheese", "cherries", "chives"]
      return names.enumerated().filter { $0.element.hasPrefix(words) }
        .map { Article(id: $0.offset, name: $0.element, price: $0.element.count * 50) }
    },
    order: { "order of \($0.count)" })
}

extension DependencyValues {
  public var shop: ShopClient {
    get { self[ShopClient.self] }
    set { self[ShopClient.self] = newValue }
  }

  /// Called where the app records, and where it is replayed.
  public mutating func putShopOnTape(_ tape: Tape) {
    shop.search = tape.closure("search", shop.search)
    shop.order = tape.closure("order", shop.order)
  }
}
