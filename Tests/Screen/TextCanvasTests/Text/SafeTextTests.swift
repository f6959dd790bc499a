import Platform
import Testing

@testable import TextCanvas

@Suite("Safe text")
struct SafeTextTests {
  @Test(
    "a control is shown by its picture",
    arguments: [
      ("\u{1B}[2J", "␛[2J"), ("a\u{0}b", "a␀b"), ("\u{7}", "␇"), ("\u{7F}", "␡"),
      ("a\r\nb", "a␍␊b"), ("\t", "␉"), ("\u{1F}", "␟"),
    ])
  func controls(text: String, shown: String) {
    #expect(SafeText.line(text) == shown)
  }

  @Test(
    "what nobody would see is shown by its number",
    arguments: [
      ("\u{9B}31m", "‹U+009B›31m"), ("\u{9D}", "‹U+009D›"), ("a\u{202E}b", "a‹U+202E›b"),
      ("\u{2066}x\u{2069}", "‹U+2066›x‹U+2069›"), ("a\u{200B}b", "a‹U+200B›b"),
      ("\u{FEFF}x", "‹U+FEFF›x"), ("soft\u{AD}hyphen", "soft‹U+00AD›hyphen"),
      ("a\u{2028}b", "a‹U+2028›b"), ("\u{E000}", "‹U+E000›"), ("\u{FFFE}", "‹U+FFFE›"),
      ("\u{10FFFF}", "‹U+10FFFF›"), ("\u{0378}", "‹U+0378›"), ("\u{3164}", "‹U+3164›"),
      ("\u{115F}", "‹U+115F›"), ("\u{E0041}", "‹U+E0041›"), ("\u{180B}", "‹U+180B›"),
      ("x\u{E0100}", "x‹U+E0100›"), ("\u{61C}", "‹U+061C›"), ("\u{2060}", "‹U+2060›"),
    ])
  func invisible(text: String, shown: String) {
    #expect(SafeText.line(text) == shown)
  }

  @Test(
    "a joiner, a style or a mark without its base is named, with it it is drawn",
    arguments: [
      ("a\u{200D}b", "a‹U+200D›b"), ("👩\u{200D}", "👩‹U+200D›"), ("👩\u{200D}🚀", "👩\u{200D}🚀"),
      ("a\u{FE0F}", "a‹U+FE0F›"), ("❤\u{FE0F}", "❤\u{FE0F}"), ("1\u{FE0F}", "1‹U+FE0F›"),
      ("\u{301}", "‹U+0301›"), ("\u{1B}\u{301}", "␛‹U+0301›"), ("e\u{301}", "e\u{301}"),
      ("a\u{1160}", "a‹U+1160›"), ("a\u{1161}", "a‹U+1161›"),
      ("\u{1100}\u{1161}", "\u{1100}\u{1161}"),
    ])
  func needsBase(text: String, shown: String) {
    #expect(Array(SafeText.line(text).unicodeScalars) == Array(shown.unicodeScalars))
  }

  @Test(
    "a number is shown whole or not at all",
    arguments: [
      ("1234567890", "…"), ("id 12345678", "id …"), ("[1, -12345]", "[1, -…"),
      ("total: 1.25e16", "total: …"), ("user12345678", "user1234…"), ("12345.75", "12345.75"),
      ("12 and more", "12 and m…"), ("step 12 even", "step 12 …"),
    ])
  func cutNumber(text: String, shown: String) {
    #expect(SafeText.truncated(text, to: 9) == shown)
  }

  @Test("at most four marks hang on one character")
  func stackedMarks() {
    let shown = SafeText.line("a" + String(repeating: "\u{301}", count: 6))
    #expect(shown.unicodeScalars.count == 5 + 2 * "‹U+0301›".count)
    #expect(shown.hasSuffix("‹U+0301›‹U+0301›"))
  }

  @Test("no scalar of any kind comes through as something unseen, wherever it stands")
  func everyScalar() {
    var leaked: [UInt32] = []
    for block in stride(from: UInt32(0), through: 0x10FFFF, by: 0x100) {
      let scalars = (block..<block + 0x100).filter(isLookedAt).compactMap { Unicode.Scalar($0) }
      let text = scalars.map { "\($0)a\($0)" }.joined(separator: "\u{200D}")
      for shown in SafeText.line(text).unicodeScalars {
        switch shown.properties.generalCategory {
        case .control, .format, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
          if shown != "\u{200D}" { leaked.append(shown.value) }
        default:
          if shown.properties.isDefaultIgnorableCodePoint, !Self.styles.contains(shown) {
            leaked.append(shown.value)
          }
        }
      }
    }
    #expect(leaked == [])
  }

  /// All scalars of the planes where characters are; of the rest, which takes long, every 61st.
  private func isLookedAt(_ value: UInt32) -> Bool {
    getenv("RETCON_LONG") != nil || [0, 1, 14].contains(value >> 16) || value % 61 == 0
      || value & 0xFFFE == 0xFFFE
  }

  /// The marks that an emoji may carry, which are invisible by themselves.
  static let styles: [Unicode.Scalar] = ["\u{FE0E}", "\u{FE0F}"]

  @Test("lines keep their ends and tabs, and nothing else")
  func lines() {
    #expect(SafeText.lines("a\tb\n\u{1B}c\r\nd") == "a\tb\n␛c␍\nd")
    #expect(SafeText.lines("plain\ntext") == "plain\ntext")
  }
}
