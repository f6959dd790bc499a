import Testing

@testable import ValueTree

@Suite("Patch")
struct PatchTests {
  static let shop: Value = [
    "items": [["id": 1, "title": "Tea"], ["id": 2, "title": "Milk"]], "total": 9.5, "coupon": .null,
  ]

  @Test("each operation does what RFC 6902 says")
  func operations() throws {
    let patch = Patch([
      .test(["items", "0", "id"], 1),
      .add(["items", "1"], ["id": 3]),
      .add(["items", "-"], ["id": 4]),
      .remove(["coupon"]),
      .replace(["total"], 12),
      .move(from: ["items", "0", "title"], to: ["first"]),
      .copy(from: ["items", "1"], to: ["copy"]),
    ])
    let after: Value = [
      "items": [["id": 1], ["id": 3], ["id": 2, "title": "Milk"], ["id": 4]],
      "total": 12, "first": "Tea", "copy": ["id": 3],
    ]
    #expect(try patch.applied(to: Self.shop) == after)
    #expect(try patch.inverse(for: Self.shop).applied(to: after) == Self.shop)
  }

  @Test("the inverse of a move brings back what the move wrote over")
  func inverseOfMoves() throws {
    let value: Value = ["a": 1, "b": [2, 3, 4], "c": ["d": 5]]
    for operation: PatchOperation in [
      .move(from: ["a"], to: ["c", "d"]), .move(from: ["b", "0"], to: ["b", "2"]),
      .move(from: ["b", "2"], to: ["b", "-"]), .move(from: ["c"], to: []),
      .move(from: ["a"], to: ["a"]), .copy(from: ["b"], to: ["b", "-"]),
      .copy(from: ["a"], to: ["c", "d"]), .add([], 7), .add(["b", "3"], 0),
    ] {
      let patch = Patch([operation])
      let after = try patch.applied(to: value)
      #expect(try patch.inverse(for: value).applied(to: after) == value, "\(operation)")
    }
  }

  @Test("a patch is written as RFC 6902 writes it, and read back")
  func valueForm() throws {
    let patch = Patch([
      .add(["a/b"], 1), .remove(["c"]), .replace([], .null), .move(from: ["d"], to: ["e", "0"]),
      .copy(from: ["f"], to: ["-"]), .test(["g~"], [true]),
    ])
    let value: Value = [
      ["op": "add", "path": "/a~1b", "value": 1],
      ["op": "remove", "path": "/c"],
      ["op": "replace", "path": "", "value": .null],
      ["op": "move", "from": "/d", "path": "/e/0"],
      ["op": "copy", "from": "/f", "path": "/-"],
      ["op": "test", "path": "/g~0", "value": [true]],
    ]
    #expect(patch.value == value)
    #expect(try Patch(value) == patch)
  }

  @Test(
    "a patch that cannot be read says which operation and what is wrong",
    arguments: [
      (["op": "add"], "A patch is an array of operations."),
      ([1], "Operation 0: An operation is an object with “op” and “path”."),
      ([["path": "/a"]], "Operation 0 (/a): “op” is missing."),
      (
        [["op": "remove", "path": "/a"], ["op": "spam", "path": "/a"]],
        "Operation 1 (spam /a): “spam” is none of add, remove, replace, move, copy and test."
      ),
      ([["op": "remove", "path": .null]], "Operation 0 (remove): “path” must be a string."),
      ([["op": "add", "path": "/a"]], "Operation 0 (add /a): “value” is missing."),
      ([["op": "copy", "path": "/a"]], "Operation 0 (copy /a): “from” is missing."),
      (
        [["op": "remove", "path": "a"]],
        "Operation 0 (remove): The pointer “a” must be empty or begin with “/”: did you mean “/a”?"
      ),
    ] as [(Value, String)])
  func unreadable(value: Value, message: String) {
    let error = #expect(throws: PatchError.self) { try Patch(value) }
    #expect(error?.description == message)
  }

  @Test(
    "an operation that fails is named with its place and what was wrong there",
    arguments: [
      (
        [.remove(["x"])],
        "Operation 0 (remove /x): There is no member “x” in the object at the top."
      ),
      (
        [.remove(["coupon"]), .replace(["coupon"], 1)],
        "Operation 1 (replace /coupon): There is no member “coupon” in the object at the top."
      ),
      (
        [.add(["items", "3"], 1)],
        "Operation 0 (add /items/3): There is no element 3: the array at /items ends at 1."
      ),
      (
        [.add(["total", "x"], 1)],
        "Operation 0 (add /total/x): Nothing lies inside /total: it holds a number."
      ),
      (
        [.remove([])],
        "Operation 0 (remove the top): The whole value cannot be removed: replace it by null instead."
      ),
      (
        [.move(from: ["items"], to: ["items", "0"])],
        "Operation 0 (move /items/0): A value cannot be moved into itself."
      ),
      (
        [.test(["total"], 9)], "Operation 0 (test /total): 9 was expected, 9.5 was found."
      ),
    ] as [([PatchOperation], String)])
  func failing(operations: [PatchOperation], message: String) {
    let error = #expect(throws: PatchError.self) {
      try Patch(operations).applied(to: PatchTests.shop)
    }
    #expect(error?.description == message)
  }

  @Test("a test compares numbers by what they are worth and texts by their code points")
  func testing() throws {
    let value: Value = ["n": 10, "s": "\u{E9}"]
    _ = try Patch([.test(["n"], 10.0)]).applied(to: value)
    #expect(throws: PatchError.self) {
      try Patch([.test(["s"], "e\u{301}")]).applied(to: value)
    }
  }

  @Test("parts that a patch does not touch keep their storage")
  func sharing() throws {
    let after = try Patch([.replace(["total"], 1)]).applied(to: Self.shop)
    guard case .array(let before)? = Self.shop["items"], case .array(let kept)? = after["items"]
    else { Issue.record("no items"); return }
    #expect(kept.isIdentical(to: before))
  }

  @Test("an editor copies a container once and changes the copy in place from then on")
  func editing() throws {
    let editor = ValueEditor(Self.shop)
    try editor.apply(Patch([.replace(["items", "0", "title"], "Pot")]))
    // Storage that was copied again would be gone.
    weak let items = editor.value["items"]?.node
    weak let first = editor.value["items"]?[0]?.node
    try editor.apply(Patch([.replace(["items", "0", "title"], "Cup")]))
    #expect(items != nil)
    #expect(first != nil)
    #expect(Self.shop["items"]?[0]?["title"] == "Tea")
    // A value that was taken stays as it was.
    let taken = editor.value
    try editor.apply(Patch([.remove(["items", "0"]), .add(["items", "-"], 5)]))
    #expect(taken["items"]?[0]?["title"] == "Cup")
    #expect(editor.value["items"] == [["id": 2, "title": "Milk"], 5])
  }

  @Test("a patch touches the places of its operations, those around and those inside")
  func touching() {
    let patch = Patch([.replace(["cart", "items", "3"], 1)])
    #expect(patch.touches(["cart"]))
    #expect(patch.touches(["cart", "items", "3", "title"]))
    #expect(!patch.touches(["cart", "total"]))
  }
}
