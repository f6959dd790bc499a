import Testing

@testable import ValueTree

@Suite("Text patterns")
struct TextPatternTests {
  @Test(
    "a pattern matches whole texts as RFC 9485 says",
    arguments: [
      ("", ["", nil], ["a"]),
      ("a|b|", ["a", "b", ""], ["ab"]),
      ("ab*c", ["ac", "abc", "abbbc"], ["ab", "bc", "abcc"]),
      ("(ab)+", ["ab", "abab"], ["", "aba"]),
      ("colou?r", ["color", "colour"], ["colouur"]),
      ("a{3}", ["aaa"], ["aa", "aaaa"]),
      ("a{2,3}", ["aa", "aaa"], ["a", "aaaa"]),
      ("a{2,}", ["aa", "aaaaaa"], ["a"]),
      ("(a|b){0,2}c", ["c", "ac", "abc"], ["abac"]),
      ("(a*)*", ["", "aaa"], ["b"]),
      ("a.c", ["abc", "a\u{2028}c", "aéc", "a😀c"], ["a\nc", "a\rc", "ac"]),
      ("[a-c]x", ["ax", "bx", "cx"], ["dx", "x"]),
      ("[^a-c]", ["d", "^", "é"], ["a", ""]),
      ("[-a]", ["-", "a"], ["b"]),
      ("[a-]", ["-", "a"], ["b"]),
      ("[^-a]", ["b"], ["-", "a"]),
      ("[\\^\\-\\]\\n]", ["^", "-", "]", "\n"], ["\\", "n"]),
      ("[\\p{Lu}0-9_]+", ["É9_", "A"], ["é", "a"]),
      ("\\p{L}+", ["straße", "Ω"], ["a1", ""]),
      ("\\P{N}", ["a"], ["5", "½"]),
      ("[^\\P{Lu}]", ["A"], ["a"]),
      ("cart\\.added\\(\\)", ["cart.added()"], ["cartxadded()"]),
      ("^ab$", ["ab"], ["^ab$", "abc"]),
      ("a$b^c", ["a$b^c"], ["abc"]),
      ("x^*", ["x", "x^^"], ["^"]),
    ] as [(String, [String?], [String])])
  func whole(pattern: String, matching: [String?], others: [String]) throws {
    let pattern = try TextPattern(pattern)
    for text in matching.compactMap(\.self) { #expect(pattern.matches(text), "\(text)") }
    for text in others { #expect(!pattern.matches(text), "\(text)") }
  }

  @Test("a pattern is found anywhere in a text, and an anchor holds it to an end")
  func search() throws {
    #expect(try TextPattern("b+c").isFound(in: "abbbcd"))
    #expect(try TextPattern("").isFound(in: ""))
    #expect(try TextPattern("^a").isFound(in: "abc"))
    #expect(try !TextPattern("^b").isFound(in: "abc"))
    #expect(try TextPattern("c$").isFound(in: "abc"))
    #expect(try !TextPattern("b$").isFound(in: "abc"))
    #expect(try !TextPattern("d|x").isFound(in: "abc"))
    #expect(try TextPattern("aab").isFound(in: "aaaab"))
  }

  @Test(
    "a text that is no pattern is refused with the reason",
    arguments: [
      ("a(", "“(” without “)” (character 2)"),
      ("a)", "“)” without “(” (character 2)"),
      ("*", "nothing stands before “*” to be repeated (character 1)"),
      ("a**", "nothing stands before “*” to be repeated (character 3)"),
      ("a{2,1}", "a range that ends before it begins (character 2)"),
      ("a{", "a number is missing in “{…}” (character 3)"),
      ("[z-a]", "a range that ends before it begins (character 2)"),
      ("[]", "an empty “[]” (character 1)"),
      ("[a", "“[” without “]” (character 1)"),
      ("]", "“]” is written “\\]” (character 1)"),
      ("\\d", "“\\d” is not known in patterns of RFC 9485 (character 1)"),
      ("\\$", "“$” is written without “\\”, or as “[$]” (character 1)"),
      ("\\p{Xx}", "“Xx” is no category of letters, like L or Lu (character 1)"),
      (
        "(?:a)",
        "“(?” means nothing here: a group is “(…)”, and either case is “[aA]” (character 2)"
      ),
      ("(a{1000}){1000}", "a pattern that repeats too much (character 1)"),
      ("a{99999999999999999999}", "a pattern that repeats too much (character 1)"),
      (
        String(repeating: "(", count: 200),
        "too many parentheses inside one another (character 101)"
      ),
    ])
  func refused(pattern: String, message: String) {
    let error = #expect(throws: PatternError.self) { try TextPattern(pattern) }
    #expect(error?.description == message)
  }

  @Test("a pattern that makes backtracking matchers run forever costs steps in line with the text")
  func hostile() throws {
    let text = String(repeating: "a", count: 20_000) + "!"
    var work = 1_000_000
    #expect(try !TextPattern("(a+)+b").matches(text, whole: true, work: &work))
    #expect(try !TextPattern("(a|aa)*(a|aa)*b").matches(text, whole: false, work: &work))
    #expect(work > 0)
  }
}
