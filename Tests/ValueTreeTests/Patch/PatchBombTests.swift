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

  @Test("200,000 inserts at the front of an array take no time that grows with their square")
  func inserts() throws {
    let operations = (0..<200_000).map {
      PatchOperation.add(Pointer(tokens: ["a", "0"]), .number(Number($0)))
    }
    let value = try Patch(operations).applied(to: ["a": []])
    #expect(value["a"]?[0] == 199_999)
  }
}
