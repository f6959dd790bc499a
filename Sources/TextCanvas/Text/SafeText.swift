/// Text of a session, made safe to show in terminals and on the clipboard.
///
/// Logs are untrusted. Controls (C0, C1, DEL) and characters that change direction, take no space,
/// or are private or unassigned become pictures or numbers:
///
/// ```swift
/// SafeText.line("\u{1B}[2J")       // "␛[2J"
/// SafeText.line("a\u{202E}b")      // "a‹U+202E›b"
/// SafeText.width("日本")            // 4
/// SafeText.truncated("dispatch", to: 5)   // "disp…"
/// ```
///
/// A `Canvas` does this itself; other output must call `line` or `lines`.
@usableFromInline
package enum SafeText {
  /// One line: line ends and tabs become `␊` and `␉`.
  package static func line<Text: StringProtocol>(_ text: Text) -> String
  where Text.SubSequence == Substring {
    if isPlain(text, alsoLines: false) { return String(text) }
    return safe(text[...])
  }

  package static func lines<Text: StringProtocol>(_ text: Text) -> String
  where Text.SubSequence == Substring {
    if isPlain(text, alsoLines: true) { return String(text) }
    var result = ""
    var rest = text[...]
    while let cut = rest.unicodeScalars.firstIndex(where: { $0 == "\n" || $0 == "\t" }) {
      result += safe(rest[..<cut])
      result.unicodeScalars.append(rest.unicodeScalars[cut])
      rest = rest[rest.unicodeScalars.index(after: cut)...]
    }
    return result + safe(rest)
  }

  /// An equivalent JSON text that cannot act on a terminal: controls and invisible characters are
  /// escaped as `\u202e`. Outside of strings JSON has none.
  package static func json(_ text: String) -> String {
    if isPlain(text, alsoLines: true) { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if case .hidden = ScalarKind(scalar), scalar != "\n", scalar != "\t" {
        for unit in UTF16.encode(scalar) ?? UTF16.EncodedScalar() {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The width of the text as one line, in cells, counted only up to `limit`.
  @inlinable
  package static func width<Text: StringProtocol>(_ text: Text, upTo limit: Int = .max) -> Int
  where Text.SubSequence == Substring {
    cells(of: text[...], upTo: limit)
  }

  @usableFromInline
  static func cells(of text: Substring, upTo limit: Int) -> Int {
    var reader = GlyphReader(text)
    var width = 0
    while width < limit, let glyph = reader.next() { width += glyph.width }
    return width
  }

  /// The text as one line of at most `width` cells, ending in an ellipsis if cut.
  package static func truncated<Text: StringProtocol>(_ text: Text, to width: Int) -> String
  where Text.SubSequence == Substring {
    glyphs(of: text[...], fitting: width).reduce(into: "") { $0 += $1.text }
  }

  /// The glyphs that fit into `width` cells, ending in an ellipsis if cut.
  static func glyphs(of text: Substring, fitting width: Int) -> [Glyph] {
    var reader = GlyphReader(text)
    var glyphs: [Glyph] = []
    var used = 0
    while let glyph = reader.next() {
      guard used + glyph.width > width else {
        glyphs.append(glyph)
        used += glyph.width
        continue
      }
      while used > max(0, width - 1), let last = glyphs.popLast() { used -= last.width }
      if width > 0 { glyphs.append(Glyph("…")) }
      break
    }
    return glyphs
  }

  private static func safe(_ text: Substring) -> String {
    var reader = GlyphReader(text)
    var result = ""
    while let glyph = reader.next() { result += glyph.text }
    return result
  }

  private static func isPlain(_ text: some StringProtocol, alsoLines: Bool) -> Bool {
    text.utf8.allSatisfy { byte in
      (byte >= 0x20 && byte < 0x7F) || (alsoLines && (byte == 0x0A || byte == 0x09))
    }
  }
}
