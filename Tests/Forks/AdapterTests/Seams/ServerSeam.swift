import SessionLog
import StoreCore

struct OrderBook: Codable, Sendable {
  var open: [String: Int] = [:]
  var shipped = 0
}

enum OrderAction: Codable, Sendable {
  case placed(item: String, count: Int)
  case shipped(item: String)
}

/// Makes every change of the state. Reads from elsewhere go through the tape.
func reduce(_ book: inout OrderBook, _ action: OrderAction, _ tape: Tape) {
  switch action {
  case .placed(let item, let count):
    let limit = tape.value("limit") { 100 }
    book.open[item, default: 0] = min(limit, book.open[item, default: 0] + count)
  case .shipped(let item):
    book.shipped += book.open.removeValue(forKey: item) ?? 0
  }
}

/// The state of the server. Requests come at once; the actor gives them an order.
actor Orders {
  private var book = OrderBook()
  private let recorder: SessionRecorder<OrderBook, OrderAction>

  init(recorder: SessionRecorder<OrderBook, OrderAction>) {
    self.recorder = recorder
    recorder.start(with: book)
  }

  /// Reduces without a suspension, so that the file has the order of the steps.
  func send(_ action: OrderAction, from route: String) -> OrderBook {
    recorder.step(action, cause: .outside(route)) {
      reduce(&book, action, recorder.tape)
      return book
    }
    return book
  }
}
