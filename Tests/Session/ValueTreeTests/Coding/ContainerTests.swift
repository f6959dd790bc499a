import FoundationEssentials
import Testing
import ValueTree

@Suite struct ContainerTests {
  class Animal: Codable { var name = "Rex" }

  final class Dog: Animal {
    var age = 3
    enum CodingKeys: CodingKey { case age, parent }

    override init() { super.init() }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      age = try container.decode(Int.self, forKey: .age)
      try super.init(from: try container.superDecoder(forKey: .parent))
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(age, forKey: .age)
      try super.encode(to: container.superEncoder(forKey: .parent))
    }
  }

  @Test("a class writes its superclass into the super container and reads it back")
  func classes() throws {
    let dog = Dog()
    dog.name = "Ace"
    let value = try ValueEncoder().encode(dog)
    #expect(value.text() == #"{"age":3,"parent":{"name":"Ace"}}"#)
    let copy = try ValueDecoder().decode(Dog.self, from: value)
    #expect(copy.name == "Ace" && copy.age == 3)
  }

  /// Writes into three containers in turn, and reads in another order.
  struct Interleaved: Codable, Equatable {
    var numbers = [1, 2, 3]

    enum Key: CodingKey { case left, right, list, only }

    init(numbers: [Int]) { self.numbers = numbers }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      var left = container.nestedContainer(keyedBy: Key.self, forKey: .left)
      var list = container.nestedUnkeyedContainer(forKey: .list)
      for number in numbers {
        try left.encode(number, forKey: .only)
        try list.encode(number)
        var inner = list.nestedUnkeyedContainer()
        try inner.encodeNil()
        try inner.encode("\(number)")
        try number.encode(to: list.superEncoder())
      }
      try container.encode(numbers.count, forKey: .right)
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      var list = try container.nestedUnkeyedContainer(forKey: .list)
      numbers = []
      while !list.isAtEnd {
        numbers.append(try list.decode(Int.self))
        var inner = try list.nestedUnkeyedContainer()
        #expect(try inner.decodeNil())
        #expect(try inner.decode(String.self) == "\(numbers.last ?? 0)")
        #expect(try Int(from: list.superDecoder()) == numbers.last)
      }
      let left = try container.nestedContainer(keyedBy: Key.self, forKey: .left)
      #expect(try left.decode(Int.self, forKey: .only) == numbers.last)
    }
  }

  @Test("containers that are open at once are filled in any order")
  func interleaved() throws {
    let value = try ValueEncoder().encode(Interleaved(numbers: [7, 8]))
    #expect(
      value.text()
        == #"{"left":{"only":8},"list":[7,[null,"7"],7,8,[null,"8"],8],"right":2}"#)
    #expect(
      try ValueDecoder().decode(Interleaved.self, from: value) == Interleaved(numbers: [7, 8]))
  }

  struct Spoken: Codable {
    static let key = CodingUserInfoKey(rawValue: "language")!
    var word = ""
    init() {}
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(encoder.userInfo[Self.key] as? String ?? "none")
    }
    init(from decoder: any Decoder) throws {
      word = decoder.userInfo[Self.key] as? String ?? "none"
    }
  }

  @Test("user info reaches every encode(to:) and init(from:)")
  func userInfo() throws {
    let info = [Spoken.key: "Welsh"]
    #expect(
      try ValueEncoder(userInfo: info).encode(["a": [Spoken()]]).text() == #"{"a":["Welsh"]}"#)
    #expect(try IncrementalEncoder(userInfo: info).encode([Spoken()]).text() == #"["Welsh"]"#)
    let decoded = try ValueDecoder(userInfo: info).decode([Spoken].self, from: ["x"])
    #expect(decoded[0].word == "Welsh")
  }

  final class Node: Codable { var next: [Node] = [] }

  @Test("a cycle of instances is an error that names the place, not a crash")
  func cycle() throws {
    let node = Node()
    node.next = [node]
    defer { node.next = [] }
    let encoders: [(Node) throws -> Value] = [
      { node in try ValueEncoder().encode(node) },
      { node in try IncrementalEncoder().encode(node) },
    ]
    for encode in encoders {
      let error = #expect(throws: EncodingError.self) { try encode(node) }
      guard case .invalidValue(_, let context)? = error else { continue }
      #expect(context.debugDescription == "more than 500 containers inside one another; a cycle?")
      #expect(context.codingPath.prefix(3).map(\.stringValue) == ["next", "0", "next"])
    }
  }

  @Test("a value too deep for its type is an error, not a crash")
  func deepDecoding() {
    var value: Value = ["next": []]
    for _ in 0..<20_000 { value = ["next": [value]] }
    #expect(throws: DecodingError.self) { try ValueDecoder().decode(Node.self, from: value) }
  }

  @Test("numbers decode into the types that hold them, and into no others")
  func numbers() throws {
    let decoder = ValueDecoder()
    #expect(try decoder.decode(Int.self, from: Value(parsing: "2.0")) == 2)
    #expect(try decoder.decode(UInt8.self, from: Value(parsing: "2e1")) == 20)
    #expect(try decoder.decode(Double.self, from: 3) == 3)
    #expect(try decoder.decode(Double.self, from: "-Infinity") == -.infinity)
    #expect(
      try decoder.decode(Decimal.self, from: Value(parsing: "0.10000000000000000000000001"))
        == Decimal(string: "0.10000000000000000000000001"))
    for text in ["256", "-1", "1.5", "1e400", "\"1\"", "null", "true"] {
      #expect(throws: DecodingError.self) {
        try decoder.decode(UInt8.self, from: Value(parsing: text))
      }
    }
    #expect(throws: DecodingError.self) {
      try decoder.decode(Double.self, from: Value(parsing: "1e400"))
    }
  }

  struct Wide: Codable, Equatable {
    var low = Int128.min
    var high = [UInt128.max]
    var maybe: UInt128? = 1
  }

  @Test("integers of 128 bits keep every digit")
  func wide() throws {
    let value = try ValueEncoder().encode(Wide())
    #expect(
      value.text() == #"{"low":-170141183460469231731687303715884105728,"#
        + #""high":[340282366920938463463374607431768211455],"maybe":1}"#)
    #expect(try ValueDecoder().decode(Wide.self, from: value) == Wide())
  }
}
