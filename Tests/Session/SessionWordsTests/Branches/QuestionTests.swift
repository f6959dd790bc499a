import Testing
import ValueTree

@testable import SessionWords

@Suite("Whether two questions are the same")
struct QuestionTests {
  @Test(
    "they are, they are not, or nobody can tell",
    arguments: [
      (Question("a"), Question("a"), true), (Question("a"), Question("b"), false),
      (Question("a", []), Question("a", []), true), (Question("a"), Question("a", []), nil),
      (Question("a", [1]), Question("a", [2]), false),
      (Question("a", [1]), Question("a", [1, 1]), false),
      (Question("a", [1.0]), Question("a", [1]), false),
      (Question("a", ["<redacted>"]), Question("a", ["<redacted>"]), nil),
      (Question("a", [["x": ["<redacted>"]]]), Question("a", [["x": ["<redacted>"]]]), nil),
      (Question("a", ["<redacted>", 1]), Question("a", ["<redacted>", 2]), false),
      (Question("a", [["notComparable": "T"]]), Question("a", [["notComparable": "T"]]), nil),
      (Question("date", at: .seconds(1)), Question("date", at: .seconds(2)), false),
      (Question("date", at: .seconds(1)), Question("date", at: .seconds(1)), true),
      (Question("uuid", at: .seconds(1)), Question("uuid", at: .seconds(2)), true),
    ] as [(Question, Question, Bool?)])
  func same(one: Question, other: Question, isSame: Bool?) {
    #expect(one.isSame(as: other) == isSame)
    #expect(other.isSame(as: one) == isSame)
  }

  @Test("a question is shown as a call")
  func text() {
    #expect(Question("date").text == "date")
    #expect(Question("search", ["a\"b", 3, .null]).text == #"search("a\"b", 3, null)"#)
    #expect(Question("watch", [Question.incomparable(Int.self)]).text == "watch(<Int>)")
  }

  @Test("what the system draws needs no arguments; what the app asks is unclear without them")
  func unclear() {
    #expect(!Read(key: "date", value: 1).isUnclear && !Read(key: "uuid", value: 1).isUnclear)
    #expect(Read(key: "api", value: 1).isUnclear)
    #expect(!Read(key: "api", arguments: [], value: 1).isUnclear)
    #expect(Read(key: "api", arguments: [Redaction.placeholder], value: 1).isUnclear)
  }
}
