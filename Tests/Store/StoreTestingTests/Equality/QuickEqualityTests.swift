import Platform
import Synchronization
import Testing

@testable import StoreTesting

/// Of many values of one type, the first are looked into and the others compared in memory: both have
/// to say the same.
@Suite struct QuickEqualityTests {
  enum Size { case small, large }
  enum Filling { case none, of(String) }
  struct Price { var amount: Double; var currency: String? }
  final class Maker { var name: String; init(_ name: String) { self.name = name } }
  class Food { var number = 0 }
  final class Dish: Food {
    var title = "soup"
    var size = Size.small
    var price = Price(amount: 4)
    var tags: [String] = ["hot"]
    var maker = Maker("Blob")
    weak var friend: Dish?
    init(_ number: Int) {
      super.init()
      self.number = number
    }
  }
  final class Filled { var filling = Filling.of("rye"); var cook: () -> Void = {} }
  final class Ring { var next: Ring?; var number = 0 }
  final class Own: CustomReflectable {
    var seen = 0
    var hidden = 0
    var customMirror: Mirror { Mirror(self, children: ["seen": seen]) }
  }

  final class Guarded {
    let count = Mutex(0)
    let number = Locked(0)
    var title = "x"
  }

  /// The places that differ after one of a hundred was changed.
  private func places<Item>(
    _ make: (Int) -> Item, _ change: (Item) -> Void
  ) -> [String] {
    let (actual, expected) = ((0..<100).map(make), (0..<100).map(make))
    #expect(ReflectiveComparison(of: actual, to: expected).isEqual)
    change(actual[70])
    return ReflectiveComparison(of: actual, to: expected).differences.map(\.path)
  }

  @Test("a change late among many objects is found, at whatever depth")
  func changes() {
    #expect(places(Dish.init) { _ in } == [])
    #expect(places(Dish.init) { $0.number = -1 } == ["[70].number"])
    #expect(places(Dish.init) { $0.title = "salad" } == ["[70].title"])
    #expect(places(Dish.init) { $0.size = .large } == ["[70].size"])
    #expect(places(Dish.init) { $0.price.amount = 5 } == ["[70].price.amount"])
    #expect(places(Dish.init) { $0.price.currency = "CHF" } == ["[70].price.currency"])
    #expect(places(Dish.init) { $0.tags[0] = "cold" } == ["[70].tags[0]"])
    #expect(places(Dish.init) { $0.maker.name = "Bob" } == ["[70].maker.name"])
    let friend = Dish(5)
    #expect(places(Dish.init) { $0.friend = friend } == ["[70].friend"])
  }

  @Test("payloads, closures, circles and mirrors of one's own are looked into each time")
  func notQuick() {
    #expect(places({ _ in Filled() }, { $0.filling = .of("wheat") }) == ["[70].filling.of"])
    let filled = (0..<3).map { _ in Filled() }
    #expect(
      ReflectiveComparison(of: filled, to: (0..<3).map { _ in Filled() }).ignored
        == ["[0].cook", "[1].cook", "[2].cook"])
    func ring(_ number: Int) -> Ring {
      let (one, other) = (Ring(), Ring())
      (one.next, other.next, other.number) = (other, one, number)
      return one
    }
    #expect(places(ring) { $0.next?.number = -1 } == ["[70].next.number"])
    #expect(places({ _ in Own() }, { $0.hidden = 1 }) == [])
    #expect(places({ _ in Own() }, { $0.seen = 1 }) == ["[70].seen"])
    #expect(places({ _ in Maker("a") }, { _ in }) == [])
    #expect(places({ _ in Guarded() }, { $0.title = "y" }) == ["[70].title"])
    #expect(places({ _ in Guarded() }, { $0.number.withLock { $0 = 1 } }).count == 1)
    func differs(_ count: Int) -> Bool {
      let (one, other) = ((0..<count).map { _ in Guarded() }, (0..<count).map { _ in Guarded() })
      one[count - 1].count.withLock { $0 = 1 }
      return !ReflectiveComparison(of: one, to: other).isEqual
    }
    #expect(differs(1) == differs(100), "the first and the last of many are compared alike")
    #expect(
      ReflectiveComparison(of: [Double.nan, 1, .nan], to: [.nan, 2, .nan]).differences.map(\.path)
        == ["[1]"])
  }
}
