import Essentials
import StoreCore
import StoreTesting

enum TestKitRows {
  static let topic = Topic(name: "Test kit") { _ in
    let shop = Shop.State(count: 9_000)
    var changed = shop
    changed.items[4_321].title = "Another title"
    let copied = try JSONDecoder().decode(Shop.State.self, from: JSONEncoder().encode(changed))
    let encode = Work.timed("JSONEncoder, \(try JSONEncoder().encode(shop).count / 1_000) KB") {
      blackHole(try JSONEncoder().encode(shop))
    }
    let (menu, same) = ((0..<100_000).map(Dish.init), (0..<100_000).map(Dish.init))
    return [
      Row(
        "100,000 objects equal by reflection", bar: .atMost(1),
        .timed { blackHole(ReflectiveComparison(of: same, to: menu).isEqual) }, samples: 3),
      Row(
        "TestStore.send, small state", bar: .atMost(25e-6),
        sends(Shop.State(count: 1), at: 0), samples: 21),
      Row(
        "TestStore.send, one leaf of 9,000 items", bar: .ratioAtMost(2.5),
        sends(shop, at: 4_321),
        against: .timed("one copy, one comparison") {
          var copy = shop
          copy.items[4_321].quantity += 1
          blackHole(copy == changed)
          blackHole(copy == shop)
        }, samples: 21),
      Row(
        "readable difference, one leaf", bar: .ratioAtMost(0.1),
        .timed { blackHole(readableDifference(expected: shop, actual: changed)) }, against: encode),
      Row(
        "readable difference, one leaf, nothing shared", bar: .ratioAtMost(0.1),
        .timed { blackHole(readableDifference(expected: shop, actual: copied)) }, against: encode),
    ]
  }

  private static func sends(_ state: Shop.State, at index: Int) -> Work {
    let store = TestStore(initialState: state) { Shop() }
    return .timedAsync {
      await store.send(.quantityRaised(index)) { $0.items[index].quantity += 1 }
    }
  }
}

/// Not `Equatable`, so that its parts are compared.
private final class Dish {
  let number: Int
  let title: String
  let price: Double

  init(_ number: Int) {
    self.number = number
    title = "dish \(number)"
    price = Double(number) / 4
  }
}

private struct Shop: Reducer {
  typealias Body = NoBody
  typealias State = ValueSample.List
  enum Action { case quantityRaised(Int) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .quantityRaised(let index): state.items[index].quantity += 1
    }
    return .none
  }
}
