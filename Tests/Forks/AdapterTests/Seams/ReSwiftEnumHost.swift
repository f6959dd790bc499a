import SessionLog
import StoreCore

struct Basket: Codable, Sendable {
  var items: [String] = []
  var price: Int?
}

enum BasketAction: Action, Codable {
  case added(String)
  case priceTapped
  case priceLoaded(Int)
}

func basketReducer(_ action: any Action, _ state: Basket?) -> Basket {
  var basket = state ?? Basket()
  switch action as? BasketAction {
  case .added(let item): basket.items.append(item)
  case .priceTapped: basket.price = nil
  case .priceLoaded(let price): basket.price = price
  case nil: break
  }
  return basket
}

/// The same reducer, with the effects that its actions start. Their bodies do not run in a fork.
let hostedBasket = Reduce<Basket, BasketAction> { basket, action in
  basket = basketReducer(action, basket)
  if case .priceTapped = action {
    return .run(name: "price", { _ in }, fileID: "effects")
  }
  return .none
}
