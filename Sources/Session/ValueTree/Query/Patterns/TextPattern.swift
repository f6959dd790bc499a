/// A pattern of RFC 9485 (I-Regexp), matched in linear time.
///
/// ```swift
/// let pattern = try TextPattern("cart/(added|removed)")
/// pattern.matches("cart/added")  // true
/// pattern.isFound(in: "the cart/removed step")  // true
/// ```
public struct TextPattern: Sendable {
  /// The text as written.
  public let text: String
  private let program: PatternProgram

  /// Parses the pattern; an error names the offending character.
  public init(_ text: String) throws(PatternError) {
    self.text = text
    var parser = PatternParser(text)
    program = try PatternProgram(try parser.parse())
  }

  /// Whether the whole text matches.
  public func matches(_ text: String) -> Bool {
    var work = Int.max
    return matches(text, whole: true, work: &work)
  }

  /// Whether a part of the text matches.
  public func isFound(in text: String) -> Bool {
    var work = Int.max
    return matches(text, whole: false, work: &work)
  }

  /// Lowers `work` for each letter and state; below 0 the answer is meaningless.
  func matches(_ text: String, whole: Bool, work: inout Int) -> Bool {
    var matcher = PatternMatcher(program)
    return matcher.matches(text.unicodeScalars, whole: whole, work: &work)
  }
}

extension TextPattern: Hashable {
  /// Compares the texts character by character.
  public static func == (left: Self, right: Self) -> Bool { left.text.isExactly(right.text) }
  /// Hashes the text character by character.
  public func hash(into hasher: inout Hasher) { text.hashExactly(into: &hasher) }
}

/// The reason why a text does not follow RFC 9485.
public struct PatternError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The mistake, without its place.
  public var what: String
  /// The character of the pattern, from 0.
  public var offset: Int

  /// The mistake and the character, from 1.
  public var description: String { "\(what) (character \(offset + 1))" }
}

indirect enum PatternSyntax {
  case nothing
  case start, end
  case scalars(ScalarSet)
  case sequence([PatternSyntax])
  case choice([PatternSyntax])
  case repeated(PatternSyntax, least: Int, most: Int?)
}

/// A set of Unicode scalars: ranges and general categories, or all others.
struct ScalarSet: Sendable {
  var ranges: [ClosedRange<UInt32>] = []
  var categories: [ScalarCategory] = []
  var isInverted = false

  init() {}

  var isEmpty: Bool { ranges.isEmpty && categories.isEmpty }

  init(_ scalar: Unicode.Scalar) { ranges = [scalar.value...scalar.value] }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let isIn =
      ranges.contains { $0.contains(scalar.value) }
      || !categories.isEmpty && categories.contains { $0.contains(scalar) }
    return isIn != isInverted
  }

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

struct PatternProgram: Sendable {
  enum Instruction: Sendable {
    case scalar(ScalarSet)
    case jump(Int)
    case either(Int, Int)
    case start, end
    case accept
  }

  private(set) var instructions: [Instruction] = []

  /// The most instructions: each costs a step for each character.
  static let sizeLimit = 2_000

  init(_ syntax: PatternSyntax) throws(PatternError) {
    guard Self.size(syntax) < Self.sizeLimit else {
      throw PatternError(what: "a pattern that repeats too much", offset: 0)
    }
    add(syntax)
    instructions.append(.accept)
  }

  private static func size(_ syntax: PatternSyntax) -> Int {
    switch syntax {
    case .nothing: return 0
    case .scalars, .start, .end: return 1
    case .sequence(let parts), .choice(let parts):
      return parts.reduce(0) { min($0 + size($1) + 2, sizeLimit) }
    case .repeated(let inner, let least, let most):
      let one = size(inner) + 2
      let count = max(least, most ?? 0) + 1
      return count >= sizeLimit ? sizeLimit : min(one * count, sizeLimit)
    }
  }

  private mutating func add(_ syntax: PatternSyntax) {
    switch syntax {
    case .nothing: break
    case .start: instructions.append(.start)
    case .end: instructions.append(.end)
    case .scalars(let set): instructions.append(.scalar(set))
    case .sequence(let parts): for part in parts { add(part) }
    case .choice(let parts):
      var jumps: [Int] = []
      for part in parts.dropLast() {
        let split = hole()
        add(part)
        jumps.append(hole())
        instructions[split] = .either(split + 1, instructions.count)
      }
      if let last = parts.last { add(last) }
      for jump in jumps { instructions[jump] = .jump(instructions.count) }
    case .repeated(let inner, let least, let most):
      for _ in 0..<least { add(inner) }
      if let most {
        let splits = (least..<most).map { _ in
          let split = hole()
          add(inner)
          return split
        }
        for split in splits { instructions[split] = .either(split + 1, instructions.count) }
      } else {
        let split = hole()
        add(inner)
        instructions.append(.jump(split))
        instructions[split] = .either(split + 1, instructions.count)
      }
    }
  }

  private mutating func hole() -> Int {
    instructions.append(.accept)
    return instructions.count - 1
  }
}
