/// A rough token count, rather too high: a word costs one per six letters, a number one per three
/// digits, two marks one, non-ASCII two.
struct TokenCount: Sendable {
  private(set) var total = 0
  private var run = (kind: Kind.blank, length: 0)

  private enum Kind: Int {
    case blank = 0
    case signs = 2
    case digits = 3
    case letters = 6
  }

  init(_ text: String = "") { for scalar in text.unicodeScalars { add(scalar) } }

  mutating func add(_ scalar: Unicode.Scalar) {
    let kind: Kind
    switch scalar {
    case "a"..."z", "A"..."Z": kind = .letters
    case "0"..."9": kind = .digits
    case " ": kind = .blank
    case _ where scalar.isASCII: kind = .signs
    default:
      total += 2
      kind = .blank
    }
    run = kind == run.kind ? (kind, run.length + 1) : (kind, 1)
    if kind != .blank, (run.length - 1).isMultiple(of: kind.rawValue) { total += 1 }
  }

  static func prefix<Text: StringProtocol>(of text: Text, _ tokens: Int) -> Text.SubSequence {
    var count = TokenCount()
    return text.prefix { character in
      for scalar in character.unicodeScalars { count.add(scalar) }
      return count.total <= tokens
    }
  }
}
