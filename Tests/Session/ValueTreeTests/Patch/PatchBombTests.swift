import Platform
import TestSupport
import Testing

@testable import ValueTree

@Suite("A patch cannot make more of a value than there is room for") struct PatchBombTests {
  private static func doubling(_ count: Int) -> Patch {
    Patch(
      (0..<count).map { _ in .copy(from: Pointer(tokens: ["a"]), to: Pointer(tokens: ["a", "-"])) })
  }

  @Test("copies of copies are refused before the value is too long to be written")
  func copies() throws {
    let editor = ValueEditor(["a": ["x"]], sizeLimit: 10_000)
    let error = #expect(throws: PatchError.self) { try editor.apply(Self.doubling(60)) }
    #expect(error?.fault == .tooLarge(limit: 10_000))
    let size = WrittenSize.measure(editor.value, limit: .max)
    #expect(size <= 4 * 10_000)
  }

  @Test("the same in many patches, each with an editor of its own")
  func manyPatches() throws {
    var value: Value = ["a": ["x"]]
    let error = #expect(throws: PatchError.self) {
      for _ in 0..<100 {
        let editor = ValueEditor(value, sizeLimit: 10_000)
        try editor.apply(Self.doubling(1))
        value = editor.value
      }
    }
    #expect(error?.fault == .tooLarge(limit: 10_000))
    let size = WrittenSize.measure(value, limit: .max)
    #expect(size <= 10_000)
  }

  @Test("the weight of a value is known without a walk, whatever was done to it")
  func weight() throws {
    var value: Value = ["a": [1, "two", ["b": .null]], "c": 12.5]
    func expectFresh() throws {
      #expect(value.weight == (try Value(parsing: value.bytes())).weight, "\(value)")
    }
    try expectFresh()
    let operations: [PatchOperation] = [
      .add(["a", "-"], ["x": "y"]), .add(["a", "0"], "first"), .replace(["a", "2"], [1, 2]),
      .remove(["a", "1"]), .add(["d"], "new"), .replace(["d"], [:]), .remove(["c"]),
      .move(from: ["a", "2", "b"], to: ["e"]), .copy(from: ["a"], to: ["a", "0"]),
      .copy(from: [], to: ["whole"]),
    ]
    for operation in operations {
      value = try Patch([operation]).applied(to: value)
      try expectFresh()
    }
    let long: Value = ["a": .array(ValueArray((0..<5_000).map { .number(Number($0)) }))]
    value = try Patch(
      (0..<6_000).map {
        $0.isMultiple(of: 3)
          ? .remove(["a", "1"]) : .add(["a", "\($0.isMultiple(of: 2) ? 0 : 7)"], .string("\($0)"))
      } + [.replace(["a", "17"], [1, 2, 3])]
    ).applied(to: long)
    try expectFresh()
  }

  @Test("two values that share their parts are compared within a budget, and the patch still fits")
  func comparison() throws {
    func tree(_ leaf: Value) -> Value {
      (0..<24).reduce(leaf) { value, _ in ["x": value, "y": value] }
    }
    let (old, new) = (tree(1), tree(2))
    let work = LookCount()
    let patch = work.counting {
      Patch(ChangeFinder(matching: .standard, places: 10_000).changes(from: old, to: new))
    }
    #expect(patch.operations.count < 1_250)
    #expect(work.count < 20_000)
    let nested = (0..<12).reduce([1] as Value) { value, _ in [value, value, 0] }
    let other = (0..<12).reduce([2] as Value) { value, _ in [value, value, 0] }
    for places in [10, 100, 1_000, 1_000_000] {
      let tree = ChangeFinder(matching: .standard, places: places).changes(from: nested, to: other)
      #expect(try Patch(tree).applied(to: nested) == other, "\(places)")
    }
  }

  @Test("what is copied and taken out again does not count")
  func copiedAndRemoved() throws {
    let text = Value.string(String(repeating: "x", count: 4_000))
    let editor = ValueEditor(["a": text], sizeLimit: 10_000)
    for _ in 0..<100 {
      try editor.apply(.copy(from: Pointer(tokens: ["a"]), to: Pointer(tokens: ["b"])))
      try editor.apply(.remove(Pointer(tokens: ["b"])))
    }
    #expect(editor.value == ["a": text])
  }

  @Test("many operations on one array give what they give one by one")
  func runs() throws {
    var generator = SystemRandomNumberGenerator()
    var start: [Value] = (0..<5_000).map { .number(Number($0)) }
    var operations: [PatchOperation] = []
    for number in 0..<4_000 {
      let new = Value.number(Number(100_000 + number))
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        let index = Int.random(in: 0..<start.count, using: &generator)
        start.remove(at: index)
        operations.append(.remove(Pointer(tokens: ["a", "\(index)"])))
      case 1:
        let index = Int.random(in: 0..<start.count, using: &generator)
        start[index] = new
        operations.append(.replace(Pointer(tokens: ["a", "\(index)"]), new))
      case 2:
        start.append(new)
        operations.append(.add(Pointer(tokens: ["a", "-"]), new))
      default:
        let index = Int.random(in: 0...start.count, using: &generator)
        start.insert(new, at: index)
        operations.append(.add(Pointer(tokens: ["a", "\(index)"]), new))
      }
    }
    let before: Value = ["a": .array(ValueArray((0..<5_000).map { .number(Number($0)) }))]
    #expect(try Patch(operations).applied(to: before) == ["a": .array(ValueArray(start))])
    operations.append(.remove(Pointer(tokens: ["a", "99999"])))
    let error = #expect(throws: PatchError.self) { try Patch(operations).applied(to: before) }
    #expect(error?.index == 4_000)
  }

  @Test(
    "200,000 inserts take work in line with their number, however they are spread over arrays",
    arguments: [1, 2, 3, 40])
  func inserts(arrays: Int) throws {
    let operations = (0..<200_000).map {
      PatchOperation.add(Pointer(tokens: ["a", "\($0 % arrays)", "0"]), .number(Number($0)))
    }
    let start: Value = ["a": .array(ValueArray((0..<arrays).map { _ in [] }))]
    let work = LookCount()
    let value = try work.counting { try Patch(operations).applied(to: start) }
    #expect(value["a"]?[199_999 % arrays]?[0] == 199_999)
    #expect(work.count < 20_000)
  }

  @Test("the same where the arrays lie in one another, and other operations stand between")
  func insertsBetween() throws {
    var operations: [PatchOperation] = []
    for number in 0..<50_000 {
      operations += [
        .add(["a", "0"], .number(Number(number))), .add(["a", "-", "0"], 1),
        .test(["n"], 0), .copy(from: ["a", "1"], to: ["last"]),
      ]
      // The outer array ends with the inner one, which gets an element in front.
      operations[operations.count - 3] = .add(
        Pointer(tokens: ["a", "\(number + 2)", "0"]), .number(Number(number)))
    }
    let work = LookCount()
    let value = try work.counting {
      try Patch(operations).applied(to: ["a": [true, [false]], "n": 0])
    }
    #expect(value["a"]?[0] == 49_999)
    #expect(value["a"]?[50_001]?[0] == 49_999)
    #expect(value["last"] == 49_998)
    #expect(work.count < 20_000)
  }

  @Test("many operations of all kinds on long arrays in one another give what they give one by one")
  func model() throws {
    var generator = SeededGenerator(seed: 20_261_122)
    func long(_ count: Int) -> Value { .array(ValueArray((0..<count).map { .number(Number($0)) })) }
    let start: Value = [
      "a": long(5_000),
      "b": ["c": long(4_500), "d": .array([long(4_200), long(3), [long(4_100)]])],
    ]
    var value = start
    var operations: [PatchOperation] = []
    /// A place on a random way down: of something that is there, or where something can be put.
    func place(isNew: Bool) -> Pointer {
      var tokens: [String] = []
      var here = value
      while true {
        switch here {
        case .array(let array) where !array.isEmpty:
          let index = Int.random(in: 0..<min(array.count, 9), using: &generator)
          tokens.append(isNew && index == 8 ? "-" : "\(index)")
          guard case .some(let next) = here[index], tokens.last != "-" else {
            return Pointer(tokens: tokens)
          }
          here = next
        case .object(let object) where !object.isEmpty:
          let member = object.randomElement(using: &generator)
          tokens.append(member?.key ?? "")
          here = member?.value ?? .null
        default: return Pointer(tokens: tokens)
        }
        if Int.random(in: 0..<6, using: &generator) == 0 { return Pointer(tokens: tokens) }
      }
    }
    while operations.count < 400 {
      let new = Value.number(Number(100_000 + operations.count))
      let operation: PatchOperation =
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<60: .add(place(isNew: true), new)
        case 60..<75: .remove(place(isNew: false))
        case 75..<85: .replace(place(isNew: false), new)
        case 85..<93: .move(from: place(isNew: false), to: place(isNew: true))
        case 93..<97: .copy(from: place(isNew: false), to: place(isNew: true))
        default: .test(place(isNew: false), new)
        }
      // An operation that removes or adds much would end the test early.
      let short = operation.path.tokens.count < 2 && Int.random(in: 0..<100, using: &generator) > 0
      guard !short, let next = try? Patch([operation]).applied(to: value),
        next["a"]?.elementCount ?? 0 > 4_200, WrittenSize.measure(next, limit: 1 << 20) < 1 << 20
      else { continue }
      value = next
      operations.append(operation)
    }
    let patch = Patch(operations)
    #expect(try patch.applied(to: start) == value)
    #expect(try patch.inverse(for: start).applied(to: value) == start)
  }

  @Test("whoever stops waiting for a patch is heard after a small piece of work")
  func interruption() throws {
    let inserts = (0..<10_000).map {
      PatchOperation.add(["a", "0"], .number(Number($0)))
    }
    let work = LookCount()
    _ = try work.counting { try Patch(inserts).applied(to: ["a": []]) }
    #expect(work.count > 20)
    for share in [1, 3, 7] {
      let stopped = LookCount(stopAt: max(1, work.count * share / 8))
      let error = #expect(throws: PatchError.self) {
        try stopped.counting { try Patch(inserts).applied(to: ["a": []]) }
      }
      #expect(error?.fault == .interrupted)
      #expect(stopped.count <= work.count * share / 8 + 2)
    }
  }
}

extension Value {
  fileprivate var elementCount: Int? {
    if case .array(let array) = self { array.count } else { nil }
  }
}
