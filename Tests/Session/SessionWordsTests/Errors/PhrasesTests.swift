import Testing

@testable import SessionWords

@Suite("Words for people and shells")
struct PhrasesTests {
  @Test(
    "a text is one word of a shell, whatever is in it",
    arguments: [
      ("cart.retcon", "cart.retcon"), ("", "''"), ("a b", "'a b'"), ("$(x)", "'$(x)'"),
      ("it's", #"'it'\''s'"#), ("a\nb", "'a\nb'"), ("-x", "-x"), ("~", "'~'"), ("é", "'é'"),
      // A mark behind it makes another character of a quote, and the shell knows only bytes.
      ("a'\u{301};touch x;'", "'a'\\''\u{301};touch x;'\\'''"),
    ])
  func quoted(text: String, word: String) {
    #expect(Array(ShellWord.quoted(text).utf8) == Array(word.utf8))
    #expect(ShellWord.words(in: word)?.map { Array($0.utf8) } == [Array(text.utf8)])
  }

  @Test(
    "a text is split into words as a shell does it",
    arguments: [
      (" a  b\tc\n", ["a", "b", "c"]), (#"a\ b 'c d'"e f""#, ["a b", "c de f"]),
      (#""a\"b" 'a\'"#, ["a\"b", "a\\"]), ("''", [""]), ("", []), ("'a", nil), (#"a\"#, nil),
    ] as [(String, [String]?)])
  func words(text: String, words: [String]?) {
    #expect(ShellWord.words(in: text) == words)
  }

  @Test("where a text has patterns, a backslash that protects nothing stays")
  func patterns() {
    #expect(
      ShellWord.words(in: #"a\d\ b "x\d\"" c"#, withPatterns: true) == [#"a\d b"#, #"x\d""#, "c"])
    #expect(ShellWord.words(in: "a\tb", withPatterns: true) == ["a\tb"])
  }

  @Test("numbers and steps have their words")
  func numbers() {
    #expect(
      [0, 999, 1_000, -1_000, 1_234_567].map(grouped) == [
        "0", "999", "1,000", "-1,000", "1,234,567",
      ])
    #expect(counted(1, "step") == "1 step" && counted(1_000, "step") == "1,000 steps")
    #expect(named(3...3) == "step 3" && named(3...4) == "steps 3 to 4")
    #expect(named(999...1_000) == "steps 999 to 1,000")
  }

  @Test("a long text is cut in its middle, by scalars")
  func clipped() {
    #expect("abcdefgh".clipped(to: 8) == "abcdefgh")
    #expect("abcdefghi".clipped(to: 8) == "abcde…hi")
    let stacked = "e" + String(repeating: "\u{301}", count: 1_000)
    #expect(stacked.clipped(to: 8).unicodeScalars.count == 8)
  }

  @Test("an error is one sentence: where, what, and what to do")
  func sentences() {
    #expect(
      SessionError(.badHeader("x"), path: "a.retcon", line: 1).sentence
        == "a.retcon, line 1: the header cannot be used: x. Repair the first line or record again.")
    #expect(
      SessionError(.noStep(9, available: 0...3), path: "a").sentence
        == "a: there is no step 9, the steps are 0 to 3.")
    #expect(
      SessionError(.noStateToStartWith(step: 5, known: [2, 8]), path: "a").sentence
        == "a: the new session would start at step 5, which has no recorded state. "
        + "Start with step 3 or 9: the state before is recorded.")
    #expect(SessionError(.noStateToStartWith(step: 5, known: []), path: "a").next == nil)
  }
}
