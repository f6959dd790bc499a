import SessionLog
import StoreCore

func addRoutes(to app: Application, _ orders: Orders) {
  app.post("orders") { request in
    let action = try request.content.decode(OrderAction.self)
    return await orders.send(action, from: "POST /orders")
  }
}

extension OrderBook: Content {}

/// The same reducer for forks. Its tape answers as recorded.
let hostedOrders = Reduce<OrderBook, OrderAction> { book, action in
  reduce(&book, action, Tape())
  return .none
}
