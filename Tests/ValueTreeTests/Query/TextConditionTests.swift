import Testing

@testable import ValueTree

@Suite("A condition asked of text")
struct TextConditionTests {
  /// Asks each question of the text of a step.
  private func answer(_ condition: String, _ step: String) throws -> Bool? {
    let condition = try #require(TextCondition(try Condition(condition)))
    return Array(step.utf8).withUnsafeBufferPointer { bytes in
      let scanner = ValueScanner(bytes)
      return condition.answer { question in
        let range = scanner.range(of: [question.word] + question.place)
        return question.answer(range.map { UnsafeBufferPointer(rebasing: bytes[$0]) })
      }
    }
  }

  private static let literals = [
    "0", "-0", "1", "-1", "1.5", "1.50", "0.1", "-12", "123456789012345678", "'a'", "'ab'",
    "''", "'é'", "true", "false", "null",
  ]
  private static let values = [
    "0", "-0", "-0.0", "1", "1.0", "-1", "1.5", "1.25", "0.1", "-12.0", "123456789012345678",
    "123456789012345679", "0.000000000000000001", "1e2", "100", #""a""#, #""ab""#, #""""#, #""é""#,
    #""\u0061""#, "true", "false", "null", "[]", "{}", "[1]",
  ]

  @Test("an answer of the text is that of the values")
  func agreement() throws {
    var told = 0
    for literal in Self.literals {
      for symbol in ["==", "!=", "<", "<=", ">", ">="] {
        for text in ["state.a \(symbol) \(literal)", "\(literal) \(symbol) state.a"] {
          let condition = try Condition(text)
          for value in Self.values {
            let step = #"{"state":{"b":1,"a":\#(value)}}"#
            guard let answer = try answer(text, step) else { continue }
            told += 1
            #expect(try condition.holds(for: Value(parsing: step)) == answer, "\(text) \(value)")
          }
        }
      }
    }
    #expect(told > 3_500)
  }

  @Test(
    "what is there and what is true",
    arguments: [
      ("state.a", "false", false), ("state.a", "null", false), ("state.a", "0", true),
      ("!state.a", "false", true), ("@.state.a", "false", true), ("state.b", "1", false),
      ("state.b == null", "1", false), ("state.b != 3", "1", true),
      ("state.a == 1 && label == 'x'", "2", false), ("state.a == 1 || state.a == 2", "2", true),
    ] as [(String, String, Bool)])
  func presence(condition: String, value: String, expected: Bool) throws {
    let step = #"{"state":{"a":\#(value)}}"#
    #expect(try answer(condition, step) == expected)
    #expect(try Condition(condition).holds(for: Value(parsing: step)) == expected)
  }

  @Test(
    "what text does not tell has no answer",
    arguments: [
      ("state.a == 'a'", #""\u0061""#), ("state.a == 100", "1e2"), ("state.a == 1", "01"),
      ("state.a == 1", "1."), ("state.a == 1", "-"), ("state.a == 1", "[1]"), ("state.a", "{}"),
      ("state.a < 1", "nul"), ("state.a == 1", "1234567890123456789"), ("state.a == 'a'", "\"\t\""),
      ("state.a == 1 || count(state.*) > 9", "2"), ("state.a == 2 && match(state.b, 'x')", "2"),
    ])
  func silence(condition: String, value: String) throws {
    #expect(try answer(condition, #"{"state":{"a":\#(value)}}"#) == nil)
  }

  @Test("one part is enough where it decides")
  func decisive() throws {
    #expect(try answer("label == 'a' && count(state.*) > 9", #"{"label":"b"}"#) == false)
    #expect(try answer("count(state.*) > 9 || label == 'b'", #"{"label":"b"}"#) == true)
    #expect(TextCondition(try Condition("count(state.*) > 9")) == nil)
  }
}
