import Testing

@testable import TextCanvas

@Suite("Width")
struct WidthTests {
  @Test(
    "text takes the cells that terminals give it",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("ｱ", 1), ("Ａ", 2),
      ("한글", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("👍", 2), ("👍🏽", 2), ("👩\u{200D}🚀", 2),
      ("👨\u{200D}👩\u{200D}👧\u{200D}👦", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("🇩🇪", 2), ("🇩🇪🇫🇷", 4),
      ("🇩", 1), ("1\u{FE0F}\u{20E3}", 2), ("क्षि", 3), ("ไทย", 3), ("กำ", 2), ("…─●", 3),
      ("\u{1FAE9}", 2), ("␛", 1), ("\u{202E}", 8), ("☎\u{FE0E}", 1), ("🏳\u{FE0F}\u{200D}🌈", 2),
      ("㊗", 2), ("𠮷", 2), ("\u{3000}", 2), ("\u{A0}", 1), ("𝔸", 1),
    ])
  func widths(text: String, width: Int) {
    #expect(SafeText.width(text) == width)
  }

  @Test("counting stops at the limit")
  func limit() {
    #expect(SafeText.width("日本語", upTo: 3) == 4)
    #expect(SafeText.width(String(repeating: "x", count: 1_000), upTo: 10) == 10)
  }

  @Test(
    "what does not fit is cut, and an ellipsis stands for it",
    arguments: [
      ("dispatch", 8, "dispatch"), ("dispatch", 5, "disp…"), ("dispatch", 1, "…"),
      ("dispatch", 0, ""), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
      ("a日", 2, "a…"), ("\u{1B}x", 2, "␛x"), ("", 0, ""), ("x", -3, ""),
    ])
  func truncation(text: String, width: Int, shown: String) {
    #expect(SafeText.truncated(text, to: width) == shown)
  }

  @Test("a glyph is uncertain when terminals disagree about it")
  func uncertain() {
    func uncertain(_ text: String) -> Bool? {
      var reader = GlyphReader(text[...])
      return reader.next()?.isUncertain
    }
    #expect(uncertain("a") == false)
    #expect(uncertain("日") == false)
    #expect(uncertain("👍") == false)
    #expect(uncertain("👍🏽") == true)
    #expect(uncertain("❤\u{FE0F}") == true)
    #expect(uncertain("🇩🇪") == true)
    #expect(uncertain("👩\u{200D}🚀") == true)
  }
}
