/// A pattern as a tree.
indirect enum PatternSyntax {
  case nothing
  /// The beginning and the end of the text.
  case start, end
  case scalars(ScalarSet)
  case sequence([PatternSyntax])
  case choice([PatternSyntax])
  case repeated(PatternSyntax, least: Int, most: Int?)
}

/// A set of Unicode scalars: ranges and general categories, or all but these.
struct ScalarSet: Sendable {
  var ranges: [ClosedRange<UInt32>] = []
  var categories: [ScalarCategory] = []
  var isInverted = false

  init() {}

  init(_ scalar: Unicode.Scalar) { ranges = [scalar.value...scalar.value] }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let isIn =
      ranges.contains { $0.contains(scalar.value) }
      || !categories.isEmpty && categories.contains { $0.contains(scalar) }
    return isIn != isInverted
  }

  /// The dot: all but the ends of lines.
  static let dot: ScalarSet = {
    var set = ScalarSet()
    set.ranges = [0x0A...0x0A, 0x0D...0x0D]
    set.isInverted = true
    return set
  }()
}

/// `\p{Lu}`, `\p{L}`, `\P{Lu}`.
struct ScalarCategory: Sendable {
  private let categories: Set<Unicode.GeneralCategory>
  private let isInverted: Bool

  /// Nil for a name that is none of RFC 9485's.
  init?(name: String, isInverted: Bool) {
    let found = Self.names.filter { $0.key.hasPrefix(name) }.map(\.value)
    guard !name.isEmpty, !found.isEmpty else { return nil }
    categories = Set(found)
    self.isInverted = isInverted
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    categories.contains(scalar.properties.generalCategory) != isInverted
  }

  private static let names: [String: Unicode.GeneralCategory] = [
    "Ll": .lowercaseLetter, "Lm": .modifierLetter, "Lo": .otherLetter, "Lt": .titlecaseLetter,
    "Lu": .uppercaseLetter, "Mc": .spacingMark, "Me": .enclosingMark, "Mn": .nonspacingMark,
    "Nd": .decimalNumber, "Nl": .letterNumber, "No": .otherNumber, "Pc": .connectorPunctuation,
    "Pd": .dashPunctuation, "Pe": .closePunctuation, "Pf": .finalPunctuation,
    "Pi": .initialPunctuation, "Po": .otherPunctuation, "Ps": .openPunctuation,
    "Zl": .lineSeparator, "Zp": .paragraphSeparator, "Zs": .spaceSeparator,
    "Sc": .currencySymbol, "Sk": .modifierSymbol, "Sm": .mathSymbol, "So": .otherSymbol,
    "Cc": .control, "Cf": .format, "Cn": .unassigned, "Co": .privateUse,
  ]
}
