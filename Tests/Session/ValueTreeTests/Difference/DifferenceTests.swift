import Testing

@testable import ValueTree

@Suite("Difference")
struct DifferenceTests {
  private func operations(
    _ old: Value, _ new: Value, matching: ElementMatching = .standard
  ) -> [String] {
    let patch = Patch(from: old, to: new, matching: matching)
    #expect((try? patch.applied(to: old).isExactlyEqual(to: new)) == true)
    return patch.operations.map { operation in
      switch operation {
      case .add(let path, let value): "add \(path) \(value.briefText)"
      case .remove(let path): "remove \(path)"
      case .replace(let path, let value): "replace \(path) \(value.briefText)"
      case .move(let from, let path): "move \(from) \(path)"
      case .copy(let from, let path): "copy \(from) \(path)"
      case .test(let path, _): "test \(path)"
      }
    }
  }

  private func items(_ ids: some Sequence<Int>, quantity: Int = 1) -> Value {
    .array(
      ValueArray(ids.map { ["id": .number(Number($0)), "quantity": .number(Number(quantity))] }))
  }

  @Test("values that print the same have no difference")
  func same() {
    let value: Value = ["a": [1, 2.5, "x", .null, true], "b": [:]]
    #expect(operations(value, ["b": [:], "a": [1, 2.5, "x", .null, true]]) == [])
  }

  @Test("another text of the same number is a change, and so is another text of the same letter")
  func representations() {
    #expect(operations(["a": 0.0], ["a": -0.0]) == ["replace /a -0.0"])
    #expect(operations(["a": 1], ["a": 1.0]) == ["replace /a 1.0"])
    #expect(operations(["a": "\u{E9}"], ["a": "e\u{301}"]) == ["replace /a “e\u{301}”"])
  }

  @Test("an insert at the front of 5,000 elements names one element")
  func insertAtFront() {
    let old = items(1...5_000)
    #expect(operations(old, items(0...5_000)) == ["add /0 an object of 2"])
    #expect(operations(old, items(0...5_000), matching: .byContent) == ["add /0 an object of 2"])
  }

  @Test("edits at both ends of an array name only what they touch")
  func bothEnds() {
    let old = items(1...1_000)
    guard case .array(let array) = items(0...999) else { return }
    var elements = Array(array)
    elements[500] = ["id": 500, "quantity": 7]
    #expect(
      operations(old, .array(ValueArray(elements)))
        == ["remove /999", "add /0 an object of 2", "replace /500/quantity 7"])
  }

  @Test("an element is found again by its identity, wherever it went")
  func moves() {
    #expect(operations(items([1, 2, 3, 4]), items([4, 1, 2, 3])) == ["move /3 /0"])
    #expect(operations(items([1, 2, 3, 4]), items([2, 3, 4, 1])) == ["move /0 /3"])
    #expect(
      operations(items([1, 2, 3, 4]), items([4, 2, 3, 1])) == ["move /3 /0", "move /1 /3"])
    let old: Value = [["_id": "a", "n": 1], ["_id": "b", "n": 2], ["_id": "c", "n": 3]]
    let new: Value = [["_id": "c", "n": 9], ["_id": "a", "n": 1], ["_id": "b", "n": 2]]
    #expect(operations(old, new) == ["move /2 /0", "replace /0/n 9"])
  }

  @Test("the identity key can be chosen")
  func chosenKey() {
    let old: Value = [["sku": 1, "n": 1], ["sku": 2, "n": 2]]
    let new: Value = [["sku": 2, "n": 5], ["sku": 1, "n": 6]]
    #expect(
      operations(old, new, matching: ElementMatching(identityKeys: ["sku"]))
        == ["move /1 /0", "replace /0/n 5", "replace /1/n 6"]
        || operations(old, new, matching: ElementMatching(identityKeys: ["sku"]))
          == ["move /0 /1", "replace /0/n 5", "replace /1/n 6"]
    )
  }

  @Test("identities that come twice are none: such elements are matched by content")
  func doubledIdentities() {
    let old: Value = .array(ValueArray((1...50).map { ["id": 0, "n": .number(Number($0))] }))
    let new: Value = .array(ValueArray((0...50).map { ["id": 0, "n": .number(Number($0))] }))
    #expect(operations(old, new) == ["add /0 an object of 2"])
  }

  @Test("without identities, what stands between two matches is compared in order")
  func inOrder() {
    let old: Value = ["a", ["n": 1, "m": 1], "b", ["n": 2], "c"]
    let new: Value = ["x", "a", ["n": 1, "m": 2], "b", ["n": 2], "d"]
    #expect(operations(old, new) == ["add /0 “x”", "replace /2/m 2", "replace /5 “d”"])
  }

  @Test("without identities, elements that have most in common are taken for the same one")
  func likeness() {
    func item(_ title: String, _ price: Int, _ count: Int) -> Value {
      ["title": .string(title), "price": .number(Number(price)), "count": .number(Number(count))]
    }
    let (tea, milk, pot) = (item("Tea", 4, 1), item("Milk", 2, 1), item("Pot", 30, 1))
    #expect(
      operations(["l": [tea, milk, pot]], ["l": [item("Milk", 2, 2), pot]])
        == ["remove /l/0", "replace /l/0/count 2"])
    #expect(
      operations(["l": [tea, pot]], ["l": [milk, item("Tea", 5, 1), item("Pot", 30, 7)]])
        == ["add /l/0 an object of 3", "replace /l/1/price 5", "replace /l/2/count 7"])
  }

  @Test("a field of a board is changed in place, not moved")
  func board() {
    #expect(operations([0, 0, 1, 0, 2], [0, 5, 1, 0, 7]) == ["replace /1 5", "replace /4 7"])
  }

  @Test("removing almost all of a long list replaces the list")
  func cleared() {
    #expect(operations(["l": items(1...500)], ["l": []]) == ["replace /l an array of 0"])
    #expect(
      operations(["l": items(1...500)], ["l": items([1, 500])]) == ["replace /l an array of 2"])
  }

  @Test("lists that have nothing in common are compared in near-linear time")
  func nothingInCommon() {
    let old = Value.array(ValueArray((0..<20_000).map { Value.number(Number($0)) }))
    let new = Value.array(ValueArray((20_000..<40_000).map { Value.number(Number($0)) }))
    #expect(operations(["l": old], ["l": new]) == ["replace /l an array of 20000"])
  }

  @Test("a difference deeper than any recursion may go replaces the deep part")
  func deep() {
    func nested(_ leaf: Value) -> Value {
      (0..<900).reduce(leaf) { inner, _ in ["a": inner] }
    }
    let patch = Patch(from: nested(1), to: nested(2))
    #expect(patch.operations.count == 1)
    #expect(patch.operations[0].path.tokens.count == ChangeFinder.depthLimit)
    #expect(Patch(from: nested(1), to: nested(1)).isEmpty)
  }

  @Test("values are compared without counting references, and this compiler's layout allows it")
  func borrowing() {
    #expect(BorrowedNode.isPossible)
  }

  @Test(
    "a change at any place of a list with shared elements is seen", arguments: [1, 7, 8, 9, 40])
  func everyPlace(count: Int) {
    let values: [Value] = (0..<count).map { place in
      switch place % 4 {
      case 0: ["id": .number(Number(place))]
      case 1: .string("a text number \(place)")
      case 2: .number(Number(place))
      default: .bool(true)
      }
    }
    for place in 0..<count {
      for change in ["another text", 999, false, .null] as [Value] {
        var changed = values
        changed[place] = change
        let patch = Patch(from: .array(ValueArray(values)), to: .array(ValueArray(changed)))
        #expect(patch == Patch([.replace(Pointer().appending(place), change)]))
      }
    }
  }

  @Test("shared parts are not looked at")
  func shared() throws {
    let state: Value = ["items": items(1...1_000), "total": 1]
    let next = try Patch([.replace(["total"], 2)]).applied(to: state)
    #expect(operations(state, next) == ["replace /total 2"])
  }

  @Test("the readable difference lists places, old and new values, and counts what was kept")
  func readable() {
    let old: Value = [
      "cart": [
        "items": [["id": 1, "n": 1], ["id": 2, "n": 1], ["id": 3, "n": 1]], "open": true,
      ],
      "coupon": "TEA", "total": 9.5, "user": ["name": "Bo"],
    ]
    let new: Value = [
      "cart": [
        "items": [["id": 3, "n": 1], ["id": 1, "n": 2], ["id": 4, "n": 1]], "open": true,
      ],
      "total": -0.5, "user": ["name": "Bo"], "note": "late",
    ]
    #expect(
      Difference(from: old, to: new).description == """
        - /coupon  “TEA”
        - /cart/items/1  an object of 2
        > /cart/items/1  from /cart/items/0
        ~ /cart/items/1/n  1 → 2
        + /cart/items/2  an object of 2
        ~ /total  9.5 → -0.5
        + /note  “late”
        7 changes, 4 kept
        """)
  }
}
