import TestSupport
import Testing

@testable import ValueTree

@Suite struct IncrementalEncoderTests {
  @Test("after any change the tree is, byte for byte, the one that the plain encoder gives")
  func property() throws {
    var model = RandomModel()
    var changes = ModelChanges(random: SeededGenerator(seed: RandomRuns.seed))
    let encoder = IncrementalEncoder()
    for run in 0..<RandomRuns.count / 5 {
      changes.change(&model)
      let incremental = try encoder.encode(model).bytes()
      let plain = try ValueEncoder().encode(model).bytes()
      let isSame = incremental == plain
      try #require(
        isSame,
        """
        seed \(RandomRuns.seed), run \(run):
        \(String(decoding: incremental, as: UTF8.self))
        \(String(decoding: plain, as: UTF8.self))
        """)
    }
  }

  @Test("the same for a model without references, whose parts are all taken over")
  func transparentProperty() throws {
    var model = RandomModel()
    var changes = ModelChanges(random: SeededGenerator(seed: RandomRuns.seed &+ 1))
    let encoder = IncrementalEncoder()
    // Nothing asks for its place here, so elements may be taken over where they have moved.
    model.plain.located = []
    for run in 0..<RandomRuns.count / 4 {
      changes.change(&model)
      model.plain.located = []
      let incremental = try encoder.encode(model.plain).bytes()
      let isSame = try incremental == ValueEncoder().encode(model.plain).bytes()
      try #require(isSame, "seed \(RandomRuns.seed), run \(run)")
    }
  }

  struct State: Encodable {
    var items = (0..<100).map { RandomModel.Item(id: $0) }
    var byName = Dictionary(
      uniqueKeysWithValues: (0..<100).map { ("name \($0)", RandomModel.Item(id: $0)) })
    var other = RandomModel.Item()
  }

  /// Which items and members of two trees have the same storage.
  private func shared(_ left: Value, _ right: Value, _ path: String) -> Int {
    let pairs: [(Value, Value)]
    switch (left[path], right[path]) {
    case (.array(let left)?, .array(let right)?): pairs = Array(zip(left, right))
    case (.object(let left)?, .object(let right)?):
      pairs = left.compactMap { member in right[member.key].map { (member.value, $0) } }
    default: pairs = []
    }
    return pairs.count { left, right in
      if case (.object(let left), .object(let right)) = (left, right) {
        return left.isIdentical(to: right)
      }
      return false
    }
  }

  /// The identities of the storage of all items.
  private func storages(_ tree: Value, _ path: String) -> Set<ObjectIdentifier> {
    guard case .array(let items)? = tree[path] else { return [] }
    return Set(items.compactMap { $0.node.map { ObjectIdentifier($0) } })
  }

  @Test("all but the way to a changed leaf is shared with the tree before")
  func sharing() throws {
    var state = State()
    let encoder = IncrementalEncoder()
    let first = try encoder.encode(state)
    state.items[7].price = -0.0
    let second = try encoder.encode(state)
    #expect(shared(first, second, "items") == 99)
    #expect(shared(first, second, "byName") == 100)
    #expect(second["items"]?[7]?["price"]?.text() == "-0.0")
    state.byName["name 3"]?.id = 1
    let third = try encoder.encode(state)
    #expect(shared(second, third, "items") == 100)
    #expect(shared(second, third, "byName") == 99)
    state.items.insert(RandomModel.Item(), at: 50)
    let fourth = try encoder.encode(state)
    #expect(shared(third, fourth, "items") == 50)
    state.items.removeLast(3)
    state.items.insert(RandomModel.Item(id: -1), at: 0)
    state.items.remove(at: 70)
    let fifth = try encoder.encode(state)
    #expect(fifth.isExactlyEqual(to: try ValueEncoder().encode(state)))
    #expect(storages(fourth, "items").intersection(storages(fifth, "items")).count == 97)
    #expect(try encoder.encode(state).isExactlyEqual(to: fifth))
  }

  @Test("whoever goes on changing an array that was encoded changes it in place")
  func keptApart() throws {
    func storage(_ state: State) -> UnsafeRawPointer? {
      state.items.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
    }
    var state = State()
    let encoder = IncrementalEncoder()
    _ = try encoder.encode(state)
    state.items[7].price = 1
    _ = try encoder.encode(state)
    let before = storage(state)
    for index in [8, 99, 0] {
      state.items[index].price += 2
      #expect(storage(state) == before)
      #expect(try encoder.encode(state).isExactlyEqual(to: ValueEncoder().encode(state)))
    }
    let copy = state
    state.items.removeLast(40)
    state.items[3].price = -0.0
    #expect(try encoder.encode(state).isExactlyEqual(to: ValueEncoder().encode(state)))
    #expect(try encoder.encode(copy).isExactlyEqual(to: ValueEncoder().encode(copy)))
  }

  struct Model: Encodable {
    var state = State()
    let counter = RandomModel.Counter()
    var closure: () -> Void = {}
    enum CodingKeys: CodingKey { case state, counter }
  }

  @Test("parts beside a class instance or an excluded closure are shared all the same")
  func besideReferences() throws {
    var model = Model()
    let encoder = IncrementalEncoder()
    let first = try encoder.encode(model)
    model.counter.count = 5
    model.state.items[7].price = 3
    let second = try encoder.encode(model)
    #expect(second["counter"]?["count"] == 5)
    #expect(shared(first["state"] ?? .null, second["state"] ?? .null, "items") == 99)
    #expect(shared(first["state"] ?? .null, second["state"] ?? .null, "byName") == 100)
  }

  @Test("an instance that changed behind a reference is never taken for the same")
  func mutatedReferences() throws {
    struct Holder: Encodable { var list = [RandomModel.Counter(), RandomModel.Counter()] }
    let holder = Holder()
    let encoder = IncrementalEncoder()
    #expect(try encoder.encode(holder).text() == #"{"list":[{"count":0},{"count":0}]}"#)
    holder.list[1].count = 9
    #expect(try encoder.encode(holder).text() == #"{"list":[{"count":0},{"count":9}]}"#)
  }

  @Test("an error leaves the encoder usable")
  func errors() throws {
    struct Failing: Encodable {
      var fails = false
      var number = 1
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if fails {
          throw EncodingError.invalidValue(
            self, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "no"))
        }
        try container.encode(number)
      }
    }
    struct Model: Encodable { var parts = [Failing(), Failing()] }
    var model = Model()
    let encoder = IncrementalEncoder()
    #expect(try encoder.encode(model).text() == #"{"parts":[1,1]}"#)
    model.parts[1].fails = true
    let error = #expect(throws: EncodingError.self) { try encoder.encode(model) }
    guard case .invalidValue(_, let context)? = error else { return }
    #expect(context.codingPath.map(\.stringValue) == ["parts", "1"])
    #expect(throws: EncodingError.self) { try encoder.encode(model) }
    #expect(try encoder.encode(Failing(number: 5)).text() == "5")
    model.parts[1] = Failing(number: 2)
    #expect(try encoder.encode(model).text() == #"{"parts":[1,2]}"#)
  }
}
