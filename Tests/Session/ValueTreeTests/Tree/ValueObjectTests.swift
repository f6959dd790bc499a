import Testing
import ValueTree

@Suite struct ValueObjectTests {
  @Test("members keep their order; setting keeps a place, adding goes to the end, nil removes")
  func order() {
    var object: ValueObject = ["b": 1, "a": 2, "c": 3]
    object["a"] = 20
    object["d"] = 4
    object["b"] = nil
    #expect(object.keys == ["a", "c", "d"])
    #expect(Value.object(object).text() == #"{"a":20,"c":3,"d":4}"#)
  }

  @Test("where a key comes twice the last value counts, at the place of the first")
  func duplicates() throws {
    let built: ValueObject = ["a": 1, "b": 2, "a": 3]
    #expect(built == ["a": 3, "b": 2])
    #expect(built.keys == ["a", "b"])
    #expect(try Value(parsing: #"{"a":1,"b":2,"a":3}"#).text() == #"{"a":3,"b":2}"#)
  }

  @Test("a composed and a decomposed character are two keys and two strings")
  func canonicalEquivalence() throws {
    let value = try Value(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2}")
    guard case .object(let object) = value else {
      Issue.record("not an object")
      return
    }
    #expect(object.count == 2)
    #expect(object["\u{E9}"] == 1)
    #expect(object["e\u{301}"] == 2)
    #expect(Value.string("\u{E9}") != Value.string("e\u{301}"))
  }

  @Test("a copy does not see what happens to the original, in objects of any size")
  func copies() {
    for count in [1, 3, 8, 9, 100] {
      var object = ValueObject(
        (0..<count).map { (key: "key \($0)", value: Value.number(Number($0))) })
      let copy = object
      object["key 0"] = "changed"
      object["new"] = true
      #expect(copy["key 0"] == 0)
      #expect(copy["new"] == nil)
      #expect(copy.count == count)
      #expect(object.count == count + 1)
      #expect(object["new"] == true)
      #expect(object["key \(count - 1)"] == (count == 1 ? "changed" : .number(Number(count - 1))))
    }
  }

  @Test("thousands of members can be added one by one")
  func growing() {
    var object = ValueObject([])
    for number in 0..<5_000 { object["key \(number)"] = .number(Number(number)) }
    #expect(object.count == 5_000)
    #expect(object["key 4321"] == 4321)
    #expect(object["key 5000"] == nil)
  }

  @Test("objects with the same members in another order are equal and hash alike")
  func equality() {
    let first: Value = ["a": 1, "b": [1, 2]]
    let second: Value = ["b": [1, 2], "a": 1]
    #expect(first == second)
    #expect(first.hashValue == second.hashValue)
    #expect(first != ["a": 1, "b": [2, 1]])
  }
}
