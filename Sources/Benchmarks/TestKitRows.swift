import Essentials
import StoreCore
import StoreTesting

enum TestKitRows {
  static let topic = Topic(name: "Test kit") {
    let shop = Shop.State(count: 9_000)
    let changed = shop.changed(at: 4_321)
    let copied = try JSONDecoder().decode(Shop.State.self, from: JSONEncoder().encode(changed))
    let encode = Work.timed("JSONEncoder, \(try JSONEncoder().encode(shop).count / 1_000) KB") {
      keep(try JSONEncoder().encode(shop))
    }
    let (menu, same) = ((0..<100_000).map(Dish.init), (0..<100_000).map(Dish.init))
    return [
      Row(
        "100,000 objects equal by reflection", bar: .atMost(1),
        .timed("expectReflectivelyEqual") {
          keep(ReflectiveComparison(of: same, to: menu).isEqual)
        }, samples: 3),
      Row(
        "TestStore.send, small state", bar: .atMost(25e-6),
        sends(Shop.State(count: 1), at: 0), samples: 21),
      Row(
        "TestStore.send, one leaf of 9,000 items", bar: .ratioAtMost(2.5),
        sends(shop, at: 4_321),
        against: .timed("one copy, one comparison") {
          var copy = shop
          copy.items[4_321].quantity += 1
          keep(copy == changed)
          keep(copy == shop)
        }, samples: 21),
      Row(
        "readable difference, one leaf", bar: .ratioAtMost(0.1),
        .timed("readable difference") {
          keep(readableDifference(expected: shop, actual: changed))
        }, against: encode),
      Row(
        "readable difference, one leaf, nothing shared", bar: .ratioAtMost(0.1),
        .timed("readable difference, unshared") {
          keep(readableDifference(expected: shop, actual: copied))
        }, against: encode),
    ]
  }

  private static func sends(_ state: Shop.State, at index: Int) -> Work {
    let store = TestStore(initialState: state) { Shop() }
    return .timedAsync("TestStore.send") {
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

/// A state of about 855 KB as JSON, with 9,000 items.
private struct Shop: Reducer {
  typealias Body = NoBody

  struct Item: Codable, Equatable, Identifiable {
    var id: Int
    var title: String
    var category: String
    var quantity: Int
    var price: Double
    var isSelected: Bool
  }

  struct State: Codable, Equatable {
    var name = "Shop"
    var items: [Item]
    var selection: Int?

    init(count: Int) {
      items = (0..<count).map { index in
        Item(
          id: index, title: "An item with the number \(index)", category: "household",
          quantity: 1, price: Double(index) / 4, isSelected: index.isMultiple(of: 3))
      }
    }

    func changed(at index: Int) -> State {
      var copy = self
      copy.items[index].title = "Another title"
      return copy
    }
  }

  enum Action { case quantityRaised(Int) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .quantityRaised(let index): state.items[index].quantity += 1
    }
    return .none
  }
}
