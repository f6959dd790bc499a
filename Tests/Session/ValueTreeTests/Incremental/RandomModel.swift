import FoundationEssentials

/// A model with every kind of part that an incremental encoder could get wrong, and random changes.
struct RandomModel: Encodable {
  var plain = PlainPart()
  var counter = Counter()
  var lineage: Base = Derived()
  var data = Data([1, 2])
  var ignored: () -> Void = {}
  var both: [Mixed] = []
  var loose = Loose()

  enum CodingKeys: String, CodingKey { case plain, counter, lineage, data, both, loose }

  /// Without a reference of any kind.
  struct PlainPart: Encodable {
    var number = 1
    var zero = 0.0
    var text = "é"
    var maybe: Int?
    var nested: Int?? = .some(nil)
    var item: Item? = Item()
    var items = [Item(), Item(), Item()]
    var rows: [[Double]] = [[0], [], [1, 2]]
    var byName = ["é": Item(), "b": Item()]
    var byNumber = [1: -0.0, 20: 1]
    var bySuit = [Suit.hearts: [1]]
    var byItem = [Key(part: 1): "a", Key(part: 2): "b"]
    var tags: Set = ["x", "é"]
    var route = Route.list([Item()], selected: 0)
    var loose = Loose()
    var twice = Twice()
    var located = [Located(), Located()]
    var nan = Double.nan
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var wide: UInt64 = .max
    var small: Float = 0.1
    @Clamped var level = 3
    var url = URL(string: "https://example.org")
    var decimal = Decimal(1)
    var generic = Pair(left: "l", right: [0.0])
    var flags = [true, false]
  }

  struct Item: Encodable {
    var id = 0
    var done = false
    var title = "title that is longer than fifteen bytes"
    var price = 0.0
    var note: String?
    var history: [Double] = [0]
  }

  struct Key: Hashable, Encodable { var part: Int }
  enum Suit: String, Encodable, CaseIterable { case hearts, spades, clubs }

  struct Pair<Left: Encodable, Right: Encodable>: Encodable {
    var left: Left
    var right: Right
  }

  @propertyWrapper struct Clamped: Encodable { var wrappedValue: Int }

  indirect enum Route: Encodable {
    case home
    case list([Item], selected: Double)
    case inside(Route, Item)
  }

  /// Equal to everything, and encodes through nested containers.
  struct Loose: Encodable, Hashable {
    var hidden = 0.0
    var list = [0.0]
    static func == (left: Self, right: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Name.self)
      var inner = container.nestedContainer(keyedBy: Name.self, forKey: Name("inner"))
      var list = container.nestedUnkeyedContainer(forKey: Name("list"))
      try inner.encode(hidden, forKey: Name("hidden"))
      for number in self.list { try list.encode([number]) }
      try inner.encode(Item(price: hidden), forKey: Name("item"))
      try self.list.encode(to: container.superEncoder())
    }
  }

  /// Gives one key twice: the last value counts.
  struct Twice: Encodable {
    var first = Item()
    var second = Item()

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Name.self)
      try container.encode(first, forKey: Name("item"))
      try container.encode(second, forKey: Name("item"))
      if second.done { try container.encode(first, forKey: Name("first")) }
    }
  }

  /// Encodes where it stands.
  struct Located: Encodable {
    var number = 0

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(encoder.codingPath.map(\.stringValue).joined(separator: "/"))
      try container.encode(number)
    }
  }

  struct Mixed: Encodable {
    var counter = Counter()
    var items = [Item()]
  }

  final class Counter: Encodable { var count = 0 }

  class Base: Encodable { var name = "base" }

  final class Derived: Base {
    var items = [Item()]
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Name.self)
      try container.encode(items, forKey: Name("items"))
      try super.encode(to: container.superEncoder())
    }
  }

  struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }
}
