import Testing

@testable import ValueTree

@Suite("A condition asked of text")
struct TextConditionTests {
  /// Asks each question of the text of a step.
  private func answer(
    _ condition: String, _ step: String, hidden: String? = nil
  ) throws -> Bool? {
    guard let condition = TextCondition(try Condition(condition), hidden: hidden) else {
      return nil
    }
    return Array(step.utf8).withUnsafeBufferPointer { bytes in
      let scanner = ValueScanner(bytes)
      return condition.answer { question in
        guard let range = scanner.range(of: [question.word.rawValue]) else {
          return question.answer(nil)
        }
        return question.answer(in: UnsafeBufferPointer(rebasing: bytes[range]))
      }
    }
  }

  @Test(
    "the text answers nothing where a hidden value decides",
    arguments: [
      "state.a == 'x'", "state.a != 'x'", "!state.a", "state.a.b != 1", "!state.a.b",
      "state.list[?@.n != 2]", "state.list[?!(@.n == 3)]", "state.list[?@.m != 2]",
      "state.a[?@.n != 2]", "state.b == 'x'", "state.c != 1",
    ])
  func hidden(text: String) throws {
    let step = #"{"state":{"a":"<hidden>","b":"x","list":[{"n":2},{"n":"<hidden>"},"<hidden>"]}}"#
    let told = try answer(text, step, hidden: "<hidden")
    let known = try Condition(text).answer(for: Value(parsing: step), hidden: "<hidden")
    #expect(told == nil || told == known)
    #expect(told == true || text != "state.b == 'x'")
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
    "an element of an array has no name",
    arguments: [
      ("state.a[1] == 2", "[1,2]", true), ("state.a[1] == 2", "[1]", false),
      ("state.a[0].n > 1", #"[{"n":2}]"#, true), ("state.a[1] != 2", #"{"1":2}"#, true),
      ("state.a['1'] == 2", #"{"1":2}"#, true), ("!state.a[0]", "[]", true),
    ])
  func elements(condition: String, value: String, expected: Bool) throws {
    let step = #"{"state":{"a":\#(value)}}"#
    #expect(try answer(condition, step) == expected)
    #expect(try Condition(condition).holds(for: Value(parsing: step)) == expected)
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
    "a filter is asked of each element",
    arguments: [
      ("state.a[?@.b < 0]", #"[{"b":1},3,{"b":-2}]"#, true), ("state.a[?@.b < 0]", "[[]]", false),
      ("state.a[?@.b.c == 'x' && @.d]", #"[{"b":{"c":"x"}},{"d":1,"b":{"c":"x"}}]"#, true),
      ("state.a[?@ < 0]", "[1, -1]", true), ("state.a[?@ == null]", "[null]", false),
      ("@.state.a[?@ == null]", "[null]", true), ("!state.a[?@.b < 0]", "3", true),
      ("state.a[?@.b[?@ == 2]]", #"[{"b":[1]},{"b":[1,2]}]"#, true),
      ("state.a[?@.b != 1]", #"[{"b":1},{"b":1}]"#, false), ("state.c[?@.b < 0]", "1", false),
      ("state.a[?@.b < 0]", #"{"x":{"b":-1}}"#, nil),
      ("state.a[?@.b < 0]", #"[{"b":1e2}]"#, nil),
      ("state.a[?@.b < 0]", #"[{"b":1e2},{"b":-1}]"#, nil),
      ("state.a[?@.b < $.label]", #"[{"b":1}]"#, nil), ("state.a[?@.b < 0].b", #"[{"b":-1}]"#, nil),
    ] as [(String, String, Bool?)])
  func filters(condition: String, value: String, expected: Bool?) throws {
    let step = #"{"state":{"a":\#(value)}}"#
    guard let told = try answer(condition, step) else { return #expect(expected == nil) }
    #expect(told == expected)
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
