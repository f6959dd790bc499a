import Testing
import ValueTree

@Suite struct PrintingTests {
  @Test("keys stay in order, or are sorted by their bytes")
  func sorted() {
    let value: Value = ["b": ["z": 1, "y": []], "a": .null, "B": [:]]
    #expect(value.text() == #"{"b":{"z":1,"y":[]},"a":null,"B":{}}"#)
    #expect(value.text(.sorted) == #"{"B":{},"a":null,"b":{"y":[],"z":1}}"#)
    #expect(
      value.text(.prettySorted) == """
        {
          "B": {},
          "a": null,
          "b": {
            "y": [],
            "z": 1
          }
        }
        """)
  }

  @Test("text keeps every character; only what JSON demands is escaped")
  func hostile() {
    let text = "\u{0}\u{8}\t\n\u{C}\r\u{1B}[31m\"\\/\u{7F}é\u{2028}\u{202E}👩‍🚀"
    #expect(
      Value.string(text).text()
        == "\"\\u0000\\b\\t\\n\\f\\r\\u001b[31m\\\"\\\\/\u{7F}é\u{2028}\u{202E}👩‍🚀\"")
  }

  @Test("a number that is none, made by hand, prints as null")
  func handMadeNumbers() {
    #expect(Value.number(.double(.nan)).text() == "null")
    #expect(Value.number(.double(.infinity)).text() == "null")
    #expect(Value.number(.digits("1,\"x\":2")).text() == "null")
  }
}
