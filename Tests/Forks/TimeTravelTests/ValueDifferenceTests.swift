import Testing
import TimeTravel
import ValueTree

@Suite("What changed between two values")
struct ValueDifferenceTests {
  private func lines(_ old: Value, _ new: Value) -> String {
    let difference = ValueDifference(from: old, to: new)
    let lines = difference.changes.map { change in
      switch change.kind {
      case .added(let value): "+ \(change.path.text) \(ValuePreview.text(value))"
      case .removed(let value): "− \(change.path.text) \(ValuePreview.text(value))"
      case .changed(let from, let to):
        "± \(change.path.text) \(ValuePreview.text(from)) → \(ValuePreview.text(to))"
      case .moved(let value, let from):
        "↕ \(change.path.text) \(ValuePreview.text(value)) from \(from.text)"
      }
    }
    return (lines + ["\(difference.changeCount) changed, \(difference.keptCount) kept"])
      .joined(separator: "\n")
  }

  @Test("names what went, what changed and what came, and counts what stayed")
  func members() {
    #expect(
      lines(
        ["cart": ["total": 9.5, "open": true], "user": "ann", "old": 1],
        ["cart": ["total": -0.75, "open": true], "user": "ann", "new": [1, 2]])
          == """
          − old 1
          ± cart.total 9.5 → -0.75
          + new [1, 2]
          3 changed, 2 kept
          """)
  }

  @Test("an element put in front of others is one added element")
  func insertion() {
    #expect(
      lines(["a", "b", "c"], ["x", "a", "b", "c"]) == """
        + [0] "x"
        1 changed, 3 kept
        """)
  }

  @Test("an element taken out of the middle is one removed element")
  func removal() {
    #expect(
      lines(["items": [1, 2, 3]], ["items": [1, 3]]) == """
        − items[1] 2
        1 changed, 2 kept
        """)
  }

  @Test("a change inside an element is named by its whole path")
  func nested() {
    #expect(
      lines(
        ["items": [["title": "Tea", "quantity": 1], ["title": "Milk", "quantity": 1]]],
        ["items": [["title": "Tea", "quantity": 2], ["title": "Milk", "quantity": 1]]])
          == """
          ± items[0].quantity 1 → 2
          1 changed, 3 kept
          """)
  }

  @Test("an element is known by its id: it moves, and changes where it is now")
  func identity() {
    #expect(
      lines(
        [["id": 1, "n": 1], ["id": 2, "n": 1], ["id": 3, "n": 1]],
        [["id": 3, "n": 2], ["id": 1, "n": 1], ["id": 2, "n": 1]])
          == """
          ↕ [0] {id: 3, n: 2} from [2]
          ± [0].n 1 → 2
          2 changed, 5 kept
          """)
  }

  @Test("numbers that are equal are no change, however they are written")
  func equalNumbers() {
    #expect(
      lines(["total": 0.0, "list": [1, 2], "n": 1], ["total": -0.0, "list": [1.0, 2], "n": 2])
        == """
        ± n 1 → 2
        1 changed, 3 kept
        """)
  }

  @Test("a value of another kind is one change")
  func kinds() {
    #expect(
      lines(["a": .null], ["a": ["b": 1]]) == """
        ± a null → {b: 1}
        1 changed, 0 kept
        """)
  }

  @Test("beyond the limit changes are counted, not kept")
  func limit() {
    let old = Value.array(ValueArray((0..<50).map { Value.number(Number($0)) }))
    let new = Value.array(ValueArray((0..<50).map { Value.number(Number($0 + 100)) }))
    let difference = ValueDifference(from: old, to: new, limit: 10)
    #expect(difference.changes.count == 10)
    #expect(difference.changeCount == 50)
  }

  @Test("paths are written for people and as pointers")
  func paths() {
    let path = ValuePath([
      .key("cart"), .key("items"), .index(3), .key("a b"), .key("x/y~\"z"), .key("7"),
    ])
    #expect(path.text == #"cart.items[3]["a b"]["x/y~\"z"]["7"]"#)
    #expect(path.pointer.description == "/cart/items/3/a b/x~1y~0\"z/7")
    #expect(ValuePath([.key("a"), .index(1)]).value(in: ["a": [1, 2]]) == 2)
    #expect(ValuePath([.key("a"), .index(9)]).value(in: ["a": [1, 2]]) == nil)
  }
}
