/// Parses the grammar of RFC 9485.
///
/// There `^` and `$` are plain characters, but its mapping to other engines makes them anchors.
/// Here they are anchors at the start or the end of a branch, and plain characters elsewhere.
struct PatternParser {
  private let scalars: [Unicode.Scalar]
  private var offset = 0
  private var depth = 0

  private static let depthLimit = 100

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  mutating func parse() throws(PatternError) -> PatternSyntax {
    let syntax = try parseChoice()
    guard offset == scalars.count else { throw error("“)” without “(”") }
    return syntax
  }

  private var next: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }
  private var following: Unicode.Scalar? {
    offset + 1 < scalars.count ? scalars[offset + 1] : nil
  }

  private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    offset += 1
    return true
  }

  private func error(_ what: String, at offset: Int? = nil) -> PatternError {
    PatternError(what: what, offset: offset ?? self.offset)
  }

  private mutating func parseChoice() throws(PatternError) -> PatternSyntax {
    guard depth < Self.depthLimit else { throw error("too many parentheses inside one another") }
    depth += 1
    defer { depth -= 1 }
    var branches = [try parseBranch()]
    while consume("|") { branches.append(try parseBranch()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func parseBranch() throws(PatternError) -> PatternSyntax {
    var pieces: [PatternSyntax] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      if let anchor = readAnchor(isFirst: pieces.isEmpty) {
        pieces.append(anchor)
      } else {
        pieces.append(try parsePiece())
      }
    }
    return pieces.count == 1 ? pieces[0] : pieces.isEmpty ? .nothing : .sequence(pieces)
  }

  private mutating func readAnchor(isFirst: Bool) -> PatternSyntax? {
    switch (next, following) {
    case ("^", "*"), ("^", "+"), ("^", "?"), ("^", "{"): return nil
    case ("^", _) where isFirst:
      offset += 1
      return .start
    case ("$", nil), ("$", "|"), ("$", ")"):
      offset += 1
      return .end
    default: return nil
    }
  }

  private mutating func parsePiece() throws(PatternError) -> PatternSyntax {
    let atom = try parseAtom()
    if consume("*") { return .repeated(atom, least: 0, most: nil) }
    if consume("+") { return .repeated(atom, least: 1, most: nil) }
    if consume("?") { return .repeated(atom, least: 0, most: 1) }
    return next == "{" ? try parseRange(atom) : atom
  }

  private mutating func parseRange(_ atom: PatternSyntax) throws(PatternError) -> PatternSyntax {
    let start = offset
    offset += 1
    let least = try parseCount()
    var most: Int? = least
    if consume(",") { most = next == "}" ? nil : try parseCount() }
    guard consume("}") else { throw error("“{” without “}”", at: start) }
    if let most, most < least { throw error("a range that ends before it begins", at: start) }
    return .repeated(atom, least: least, most: most)
  }

  private mutating func parseCount() throws(PatternError) -> Int {
    let start = offset
    while let scalar = next, ("0"..."9").contains(scalar) { offset += 1 }
    guard offset > start else { throw error("a number is missing in “{…}”") }
    let digits = String(String.UnicodeScalarView(scalars[start..<offset]))
    return min(Int(digits) ?? Int.max, 1 << 32)
  }

  private mutating func parseAtom() throws(PatternError) -> PatternSyntax {
    let start = offset
    guard let scalar = next else { throw error("a letter is missing") }
    switch scalar {
    case ".":
      offset += 1
      return .scalars(.dot)
    case "\\": return .scalars(try parseEscape())
    case "[": return .scalars(try parseClass())
    case "(":
      offset += 1
      if next == "?" {
        throw error("“(?” means nothing here: a group is “(…)”, and either case is “[aA]”")
      }
      let inner = try parseChoice()
      guard consume(")") else { throw error("“(” without “)”", at: start) }
      return inner
    case "*", "+", "?", "{": throw error("nothing stands before “\(scalar)” to be repeated")
    case "]", "}": throw error("“\(scalar)” is written “\\\(scalar)”")
    default:
      offset += 1
      return .scalars(ScalarSet(scalar))
    }
  }

  private mutating func parseEscape() throws(PatternError) -> ScalarSet {
    if let category = try parseCategory() {
      var set = ScalarSet()
      set.categories = [category]
      return set
    }
    return ScalarSet(try parseEscapedScalar())
  }

  private mutating func parseEscapedScalar() throws(PatternError) -> Unicode.Scalar {
    let start = offset
    offset += 1
    guard let scalar = next else { throw error("“\\” at the end", at: start) }
    offset += 1
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "("..."+", "-", ".", "?", "["..."^", "{"..."}": return scalar
    case "$", "/", "\"", "'", " ", "#", "%", "&", ",", ":", ";", "<"..."@", "_", "`", "~":
      throw error("“\(scalar)” is written without “\\”, or as “[\(scalar)]”", at: start)
    default: throw error("“\\\(scalar)” is not known in patterns of RFC 9485", at: start)
    }
  }

  private mutating func parseCategory() throws(PatternError) -> ScalarCategory? {
    let start = offset
    guard next == "\\", following == "p" || following == "P" else { return nil }
    let isInverted = following == "P"
    offset += 2
    guard consume("{") else { throw error("“{” must follow", at: start) }
    var name = ""
    while let scalar = next, scalar != "}" {
      name.unicodeScalars.append(scalar)
      offset += 1
    }
    guard consume("}"), let category = ScalarCategory(name: name, isInverted: isInverted) else {
      throw error("“\(name)” is no category of letters, like L or Lu", at: start)
    }
    return category
  }

  private mutating func parseClass() throws(PatternError) -> ScalarSet {
    let start = offset
    offset += 1
    var set = ScalarSet()
    set.isInverted = consume("^")
    if consume("-") { set.ranges.append(0x2D...0x2D) }
    while let scalar = next, scalar != "]" {
      if scalar == "-", !set.isEmpty, following == "]" {
        set.ranges.append(0x2D...0x2D)
        offset += 1
        break
      }
      if let category = try parseCategory() {
        set.categories.append(category)
      } else {
        set.ranges.append(try parseClassRange())
      }
    }
    guard consume("]") else { throw error("“[” without “]”", at: start) }
    guard !set.isEmpty else { throw error("an empty “[]”", at: start) }
    return set
  }

  private mutating func parseClassRange() throws(PatternError) -> ClosedRange<UInt32> {
    let start = offset
    let first = try parseClassScalar()
    guard next == "-", let following, following != "]" else {
      return first.value...first.value
    }
    offset += 1
    let last = try parseClassScalar()
    guard first <= last else { throw error("a range that ends before it begins", at: start) }
    return first.value...last.value
  }

  private mutating func parseClassScalar() throws(PatternError) -> Unicode.Scalar {
    guard let scalar = next else { throw error("“[” without “]”") }
    switch scalar {
    case "\\": return try parseEscapedScalar()
    case "[", "]", "-": throw error("“\(scalar)” is written “\\\(scalar)” here")
    default:
      offset += 1
      return scalar
    }
  }
}
