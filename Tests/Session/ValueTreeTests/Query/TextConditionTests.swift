import TestSupport
import Testing

@testable import ValueTree

@Suite("A condition asked of text")
struct TextConditionTests {
  /// Asks each question of the text of a step.
  private func answer(
    _ condition: String, _ step: String, hidden: String? = nil
  ) throws -> Bool? {
    let condition = try Condition(condition)
    return Array(step.utf8).withUnsafeBufferPointer { bytes in
      let scanner = ValueScanner(bytes)
      return condition.answer(hidden: hidden) { names in
        guard let word = names.first else { return nil }
        return FoundText(
          scanner.range(of: [word]).map { UnsafeBufferPointer(rebasing: bytes[$0]) }, by: 1)
      }
    }
  }

  @Test(
    "the text answers nothing where a hidden value decides",
    arguments: [
      "state.a == 'x'", "state.a != 'x'", "!state.a", "state.a.b != 1", "!state.a.b",
      "state.list[?@.n != 2]", "state.list[?!(@.n == 3)]", "state.list[?@.m != 2]",
      "state.a[?@.n != 2]", "state.b == 'x'", "state.c != 1", "unique(state.list[*].n)",
      "sum(state.list[*].n) == 2", "sorted(state.list[*].n)", "unique(state.list[*])",
    ])
  func hidden(text: String) throws {
    let step = #"{"state":{"a":"<hidden>","b":"x","list":[{"n":2},{"n":"<hidden>"},"<hidden>"]}}"#
    let told = try answer(text, step, hidden: "<hidden")
    let known = try Condition(text).answer(for: Value(parsing: step), hidden: "<hidden")
    #expect(told == known)
  }

  private static let literals = [
    "0", "-0", "1", "-1", "1.5", "1.50", "0.1", "-12", "123456789012345678", "'a'", "'ab'",
    "''", "'é'", "true", "false", "null",
  ]
  private static let values = [
    "0", "-0", "-0.0", "1", "1.0", "-1", "1.5", "1.25", "0.1", "-12.0", "123456789012345678",
    "123456789012345679", "0.000000000000000001", "1e2", "100", #""a""#, #""ab""#, #""""#, #""é""#,
    #""\u0061""#, "true", "false", "null", "[]", "{}", "[1]",
    "1234567890123456789", "1.0000000000000001", "-0.5e-3", "0.00001", #""\ud83d\ude00""#,
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
            let answer = try answer(text, step)
            told += 1
            #expect(try condition.holds(for: Value(parsing: step)) == answer, "\(text) \(value)")
          }
        }
      }
    }
    #expect(told > 5_000)
  }

  @Test(
    "an element of an array has no name",
    arguments: [
      ("state.a[1] == 2", "[1,2]", true), ("state.a[1] == 2", "[1]", false),
      ("state.a[0].n > 1", #"[{"n":2}]"#, true), ("state.a[1] != 2", #"{"1":2}"#, true),
      ("state.a['1'] == 2", #"{"1":2}"#, true), ("!state.a[0]", "[]", true),
      ("sum(state.a[*]) == 1.5", "[1,0.5]", true), ("sum(state.a[*]) == 0", "[]", true),
      ("unique(state.a[*])", "[1,1.0]", false), ("unique(state.a[*].n)", #"[{"n":1},{}]"#, true),
      ("unique(state.a[*])", "[9007199254740993,9007199254740992]", true),
      ("sorted(state.a[*])", "[1,2,2]", true), ("sorted(state.a[*])", #"[1,"a"]"#, false),
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
      ("state.a[?@.b < 0]", #"{"x":{"b":-1}}"#, true),
      ("state.a[?@.b < 0]", #"{"x":{"b":-1},"x":{"b":1}}"#, nil),
      ("state.a[?@.b < 0]", #"[{"b":1e2}]"#, false),
      ("state.a[?@.b < 0]", #"[{"b":1e2},{"b":-1}]"#, true),
      ("state.a[?@.b < $.state.c]", #"[{"b":1}]"#, false),
      ("state.a[?@.b < 0].b", #"[{"b":-1}]"#, true),
      ("count(state.a[?@.b < 0]) == 2", #"[{"b":-1},{"b":-2,"c":{}},{"b":3}]"#, true),
      ("state.a[-1].b == 3 && state.a[1:].b", #"[{"b":1},{"b":3}]"#, true),
    ] as [(String, String, Bool?)])
  func filters(condition: String, value: String, expected: Bool?) throws {
    let step = #"{"state":{"a":\#(value)}}"#
    guard let told = try answer(condition, step) else { return #expect(expected == nil) }
    #expect(told == expected)
    #expect(try Condition(condition).holds(for: Value(parsing: step)) == expected)
  }

  @Test(
    "text that is no JSON has no answer where it decides",
    arguments: [
      ("state.a == 1", "01"), ("state.a == 1", "1."), ("state.a == 1", "-"), ("state.a < 1", "nul"),
      ("state.a == 'x'", "\"\t\""), ("count(state.a[*]) == 2", "[1 2]"),
      ("length(state.a) == 1", "{1}"), ("state.a.b == 1", #"{"b" 1}"#),
      ("state.a == 1 || precededBy(label == 'b')", "2"),
    ])
  func silence(condition: String, value: String) throws {
    #expect(try answer(condition, #"{"state":{"a":\#(value)}}"#) == nil)
  }

  @Test("one part is enough where it decides")
  func decisive() throws {
    #expect(try answer("label == 'a' && state.a > 1", #"{"label":"b","state":{"a":01}}"#) == false)
    #expect(try answer("state.a > 1 || label == 'b'", #"{"label":"b","state":{"a":01}}"#) == true)
    #expect(try answer("precededBy(state.a) && label == 'a'", #"{"label":"b"}"#) == false)
  }

  private static let questions = [
    "state.a == state.b", "state.a != state.b", "state.a < state.b", "state.a[0] == state.b[-1]",
    "state.a.n > 1", "state.a[?@.n > 1]", "count(state.a[?@.n >= state.b.n]) > 1",
    "count(state..n) > 2", "state..*[?@ == 2]", "length(state.a) == length(state.b)",
    "length(state.a.s) > 1", "count(state.a.*) == 2", "count(state.a[*]) == count(state.b[*])",
    "value(state.a[?@.n == 2].s) == 'é'", "state.a[1:3][?@.s]", "state.a[::-2].n", "!state.a",
    "@.state.a", "$.state.a.n", "state['a']['n'] == 2", "search(state.a.s, 'a')",
    "match(state.a[0].s, state.b.s)", "state.a[0, 'n']", "state.a[?@.s != null]",
    "state.a[?!@.n || @.s == 'tea']", "state.a == 'tea' || state.b == 'tea'", "state.a <= 'x'",
    "count(state[?@.n]) == 2", "state.a[?count(@.*) > 1]", "state.a[-2].n != state.a.n",
  ]

  private static func json(_ random: inout SeededGenerator, _ depth: Int = 0) -> String {
    let scalars = [
      "0", "1", "2", "-1", "2.0", "2.50", "1e1", "12345678901234567890", "true", "false", "null",
      #""""#, #""tea""#, #""é""#, #""\u00e9""#, #""a\"]}""#, #""x y""#,
    ]
    switch Int.random(in: depth > 2 ? 0..<4 : 0..<10, using: &random) {
    case 0..<4: return scalars.randomElement(using: &random) ?? "0"
    case 4..<7:
      let count = Int.random(in: 0..<4, using: &random)
      return "[" + (0..<count).map { _ in json(&random, depth + 1) }.joined(separator: " ,") + "]"
    default:
      let names = ["n", "s", "a", #"\u006e"#, "b"].shuffled(using: &random)
      let count = Int.random(in: 0..<4, using: &random)
      var members = names.prefix(count).map { #""\#($0)": \#(json(&random, depth + 1))"# }
      if count > 0, Int.random(in: 0..<9, using: &random) == 0 { members.append(members[0]) }
      return "{" + members.joined(separator: ",") + "}"
    }
  }

  @Test("text answers 12,000 questions as its value does")
  func random() throws {
    var (random, told) = (SeededGenerator(seed: 69), 0)
    for _ in 0..<400 {
      let (a, b) = (Self.json(&random), Self.json(&random))
      let step = #"{"label":"tea","state": {"a":\#(a), "b":\#(b)}}"#
      let value = try Value(parsing: step)
      for question in Self.questions {
        guard let answer = try answer(question, step) else { continue }
        told += 1
        #expect(try Condition(question).holds(for: value) == answer, "\(question) of \(step)")
      }
    }
    #expect(told > 10_000)
  }
}
