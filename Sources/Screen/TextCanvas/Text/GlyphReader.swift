/// Splits text into glyphs, the only way from text to cells.
///
/// Unsafe scalars become visible names: a C0 control its picture (`␛`), others their number
/// (`‹U+202E›`). A glyph has at most four marks; further marks, and those without a base, are
/// named, too. It reads only as far as needed, so huge lines are cheap.
struct GlyphReader: IteratorProtocol {
  static let mostMarks = 4
  /// The longest emoji sequence in use has ten scalars.
  static let mostJoined = 12

  private static let joiner: UInt32 = 0x200D
  private static let textStyle: UInt32 = 0xFE0E
  private static let emojiStyle: UInt32 = 0xFE0F
  private static let keycap: UInt32 = 0x20E3

  /// The most common single-scalar glyphs: Latin letters, punctuation, arrows, lines and blocks.
  private static let usual: [Glyph?] = usualPages.flatMap { page in
    (0..<256).map { (place: UInt32) in
      guard let scalar = Unicode.Scalar(page << 8 + place), ScalarKind(scalar) == .narrow,
        page == 0 && place < 0x80 || !scalar.properties.isEmoji
      else { return nil }
      return Glyph(String(scalar))
    }
  }

  private static let usualPages: [UInt32] = [0x00, 0x20, 0x21, 0x25]

  private static func usual(_ scalar: Unicode.Scalar) -> Glyph? {
    usualPages.firstIndex(of: scalar.value >> 8).flatMap { page in
      usual[page << 8 + Int(scalar.value & 0xFF)]
    }
  }

  private var source: Substring.UnicodeScalarView.Iterator
  private var ahead: Unicode.Scalar?
  private var afterAhead: Unicode.Scalar?
  private var naming: [Glyph] = []

  init(_ text: Substring) {
    source = text.unicodeScalars.makeIterator()
    ahead = source.next()
  }

  mutating func next() -> Glyph? {
    if !naming.isEmpty { return naming.removeLast() }
    guard let scalar = nextScalar() else { return nil }
    if let glyph = Self.usual(scalar),
      ahead.map({ $0.value < 0x80 || Self.usual($0) != nil }) ?? true
    {
      return glyph
    }
    switch ScalarKind(scalar) {
    case .hidden, .mark: return name(scalar)
    case .narrow: return glyph(from: scalar, width: 1)
    case .wide: return glyph(from: scalar, width: 2)
    }
  }

  private mutating func nextScalar() -> Unicode.Scalar? {
    let taken = ahead
    if let following = afterAhead {
      ahead = following
      afterAhead = nil
    } else if taken != nil {
      ahead = source.next()
    }
    return taken
  }

  private mutating func peekSecond() -> Unicode.Scalar? {
    if afterAhead == nil, ahead != nil { afterAhead = source.next() }
    return afterAhead
  }

  private mutating func name(_ scalar: Unicode.Scalar) -> Glyph {
    if scalar.value < 0x20 { return Glyph(String(Unicode.Scalar(UInt16(0x2400 + scalar.value))!)) }
    if scalar.value == 0x7F { return Glyph("␡") }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let padding = String(repeating: "0", count: max(0, 4 - digits.count))
    naming = "U+\(padding)\(digits)›".reversed().map { Glyph(String($0)) }
    return Glyph("‹")
  }

  private mutating func glyph(from base: Unicode.Scalar, width: Int) -> Glyph {
    if ScalarKind.isRegionalIndicator(base.value) { return flag(from: base) }
    if let keycap = keycapSequence(from: base) { return keycap }
    var text = String.UnicodeScalarView([base])
    if base.value > 0x7F, base.properties.isEmoji {
      return emoji(from: base, text: &text, width: width)
    }
    appendMarks(onto: &text, base: base)
    return Glyph(String(text), width: width)
  }

  private mutating func appendMarks(onto text: inout String.UnicodeScalarView, base: Unicode.Scalar)
  {
    var count = 0
    while count < Self.mostMarks, let mark = ahead, ScalarKind(mark) == .mark {
      if ScalarKind.isTrailingJamo(mark.value), !ScalarKind.isHangulBase(base.value) { return }
      text.append(mark)
      _ = nextScalar()
      count += 1
    }
  }

  private mutating func flag(from first: Unicode.Scalar) -> Glyph {
    guard let second = ahead, ScalarKind.isRegionalIndicator(second.value) else {
      return Glyph(String(first), isUncertain: true)
    }
    _ = nextScalar()
    return Glyph(String(String.UnicodeScalarView([first, second])), width: 2, isUncertain: true)
  }

  private mutating func keycapSequence(from base: Unicode.Scalar) -> Glyph? {
    guard base.value < 0x80, base.properties.isEmoji, let style = ahead,
      style.value == Self.emojiStyle, let cap = peekSecond(), cap.value == Self.keycap
    else { return nil }
    _ = nextScalar()
    _ = nextScalar()
    return Glyph(String(String.UnicodeScalarView([base, style, cap])), width: 2, isUncertain: true)
  }

  private mutating func emoji(
    from base: Unicode.Scalar, text: inout String.UnicodeScalarView, width: Int
  ) -> Glyph {
    var last = base
    var width = width
    var count = 1
    while count < Self.mostJoined, let next = ahead {
      if next.value == Self.emojiStyle, last.properties.isEmoji {
        width = 2
      } else if next.value == Self.textStyle, count == 1 {
        width = max(1, width)
      } else if next.properties.isEmojiModifier, last.properties.isEmojiModifierBase {
        width = 2
      } else if next.value == Self.joiner, let joined = peekSecond(), Self.joins(joined) {
        text.append(next)
        _ = nextScalar()
        width = 2
        count += 1
      } else {
        break
      }
      guard let taken = nextScalar() else { break }
      text.append(taken)
      last = taken
      count += 1
    }
    if count == 1 {
      appendMarks(onto: &text, base: base)
      return Glyph(String(text), width: width)
    }
    return Glyph(String(text), width: width, isUncertain: true)
  }

  private static func joins(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0xFF && scalar.properties.isEmoji && !scalar.properties.isEmojiModifier
      && !ScalarKind.isRegionalIndicator(scalar.value)
  }
}

/// The content of one cell, or of two: a scalar with its marks.
struct Glyph: Hashable {
  var text: String
  var width: Int
  var isUncertain: Bool

  init(_ text: String, width: Int = 1, isUncertain: Bool = false) {
    (self.text, self.width, self.isUncertain) = (text, width, isUncertain)
  }
}
