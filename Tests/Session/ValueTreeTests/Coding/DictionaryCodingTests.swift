import Testing
import ValueTree

@Suite struct DictionaryCodingTests {
  enum Suit: String, Codable { case hearts, spades }
  enum Level: Int, Codable { case low = 1, high = 20 }
  struct Key: Codable, Hashable { var part: Int }

  struct Model: Codable, Equatable {
    var byText = ["b": 1, "a": 2, "B": 3]
    var byNumber = [2: "two", 10: "ten", -1: "minus one"]
    var bySuit = [Suit.spades: [1], .hearts: []]
    var byLevel = [Level.high: true, .low: false]
    var byKey = [Key(part: 2): "b", Key(part: 1): "a"]
    var tags: Set = ["z", "a", "m"]
    var empty: [String: Int] = [:]
  }

  @Test("dictionaries are sorted by key and sets by text; only keys that are no text make an array")
  func forms() throws {
    #expect(
      try ValueEncoder().encode(Model()).text() == #"{"byText":{"B":3,"a":2,"b":1},"#
        + #""byNumber":{"-1":"minus one","10":"ten","2":"two"},"#
        + #""bySuit":{"hearts":[],"spades":[1]},"byLevel":{"1":false,"20":true},"#
        + #""byKey":[{"part":1},"a",{"part":2},"b"],"tags":["a","m","z"],"empty":{}}"#)
  }

  @Test("they decode back")
  func roundTrip() throws {
    let value = try ValueEncoder().encode(Model())
    #expect(try ValueDecoder().decode(Model.self, from: value) == Model())
  }

  @Test("a key that is none of the enum's raw values is an error that names its path")
  func badKey() throws {
    let error = #expect(throws: DecodingError.self) {
      try ValueDecoder().decode([String: [Level: Bool]].self, from: ["levels": ["7": true]])
    }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(context.debugDescription == "\"7\" is no Level, at /levels")
  }
}
