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

  /// The glyphs that fit into `width` cells, ending in an ellipsis if cut. A number is shown whole
  /// or not at all: `12345` cut to `123…` would be another one.
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
      var cut = glyph
      while used > max(0, width - 1), let last = glyphs.popLast() {
        used -= last.width
        cut = last
      }
      if isOfNumber(cut) { glyphs.removeLast(lengthOfNumber(endingIn: glyphs)) }
      if width > 0 { glyphs.append(Glyph("…")) }
      break
    }
    return glyphs
  }

  private static func isOfNumber(_ glyph: Glyph) -> Bool {
    glyph.text.utf8.count == 1 && "0123456789.eE+-".utf8.contains(glyph.text.utf8.first ?? 0)
  }

  /// The number of glyphs at the end that are a number, or begin one. A name may end in digits.
  private static func lengthOfNumber(endingIn glyphs: [Glyph]) -> Int {
    let part = glyphs.reversed().prefix(while: isOfNumber).reversed()
    let digits = part.drop { !("0"..."9").contains($0.text) }
    guard digits.count == part.count, part.count < glyphs.count else { return digits.count }
    let before = glyphs[glyphs.count - part.count - 1].text
    return before.allSatisfy { $0.isLetter || $0 == "_" } ? 0 : digits.count
  }

  private static func safe(_ text: Substring) -> String {
    var (rest, result) = (text, "")
    while !rest.isEmpty {
      // A mark may follow the last plain letter.
      let plain = rest.utf8.prefix(while: isPlain).dropLast()
      result += rest[..<plain.endIndex]
      rest = rest[plain.endIndex...]
      let end = rest.utf8.dropFirst().firstIndex(where: isPlain) ?? rest.endIndex
      var reader = GlyphReader(rest[..<end])
      while let glyph = reader.next() { result += glyph.text }
      rest = rest[end...]
    }
    return result
  }

  private static func isPlain(_ text: some StringProtocol, alsoLines: Bool) -> Bool {
    text.utf8.allSatisfy { isPlain($0) || (alsoLines && ($0 == 0x0A || $0 == 0x09)) }
  }

  private static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }
}
