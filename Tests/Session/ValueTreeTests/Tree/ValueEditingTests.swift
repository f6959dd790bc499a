import Testing
import ValueTree

@Suite("A value changed in place")
struct ValueEditingTests {
  @Test("a member or an element is set wherever it stands, and a copy keeps its own")
  func nested() {
    let cart: Value = ["items": [["title": "Tea", "quantity": 2]], "total": 9.5]
    var changed = cart
    changed["items"]?[0]?["quantity"] = 3
    changed["note"] = "gift"
    #expect(
      changed.text()
        == #"{"items":[{"title":"Tea","quantity":3}],"total":9.5,"note":"gift"}"#)
    #expect(cart.text() == #"{"items":[{"title":"Tea","quantity":2}],"total":9.5}"#)
  }

  @Test("nil takes a member or an element away")
  func removing() {
    var value: Value = ["a": [1, 2, 3], "b": 4]
    value["a"]?[1] = nil
    value["b"] = nil
    value["none"] = nil
    #expect(value.text() == #"{"a":[1,3]}"#)
  }

  @Test("null becomes an object by its first member; what has no members or elements stays")
  func otherKinds() {
    var value: Value = .null
    value["a"] = 1
    #expect(value.text() == #"{"a":1}"#)
    value["a"]?["b"] = 2
    value["a"]?[0] = 2
    value[0] = 2
    #expect(value.text() == #"{"a":1}"#)
    var list: Value = [1]
    list[5] = 2
    list["a"] = 2
    #expect(list.text() == "[1]")
  }
}
