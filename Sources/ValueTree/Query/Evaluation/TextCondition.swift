/// A condition that is asked of JSON text: where its answer follows from comparing places with literals,
/// nothing is built.
///
/// ```swift
/// let condition = TextCondition(try Condition("label == 'tapped' && action.id > 3"))
/// condition?.answer { question in question.answer(textOf(question.word, question.place)) }
/// ```
///
/// An answer is never another one than that of ``Condition/holds(for:limits:neighbours:)``; where the text
/// alone does not tell there is none.
package struct TextCondition: Sendable {
  private let root: Node
  /// How many questions there are; each knows its own ``Question/index``.
  package let count: Int

  /// One place of a step and what is asked about it.
  package struct Question: Sendable {
    package let index: Int
    /// Such as `state`.
    package let word: String
    /// The names that lead from there to the place.
    package let place: [String]
    fileprivate let wanted: Wanted
    private let expression: LogicalExpression

    fileprivate init?(
      _ index: Int, _ query: InnerQuery, _ wanted: Wanted, _ whole: LogicalExpression
    ) {
      var names: [String] = []
      for step in query.single ?? [] {
        guard case .name(let name) = step else { return nil }
        names.append(name)
      }
      guard let word = names.first else { return nil }
      (self.index, self.word, self.wanted, expression) = (index, word, wanted, whole)
      place = Array(names.dropFirst())
    }

    /// The answer for the value of the word.
    package func answer(forWord value: Value) -> Bool? {
      var run = QueryRun(root: .object(ValueObject([(word, value)])), limits: .standard)
      return try? run.holds(expression, for: run.root)
    }
  }

  fileprivate enum Wanted: Sendable {
    case anything
    case truth
    case comparison(ComparisonOperator, TextLiteral)
  }

  private indirect enum Node: Sendable {
    case any([Node])
    case all([Node])
    case not(Node)
    case question(Question)
    /// What text does not tell.
    case other
  }

  /// Nil where no part of it can be asked of text.
  package init?(_ condition: Condition) {
    var count = 0
    root = Self.node(condition.expression, &count)
    guard count > 0 else { return nil }
    self.count = count
  }

  private static func node(_ expression: LogicalExpression, _ count: inout Int) -> Node {
    let asked: (query: InnerQuery, wanted: Wanted)
    switch expression {
    case .any(let parts): return .any(parts.map { node($0, &count) })
    case .all(let parts): return .all(parts.map { node($0, &count) })
    case .not(let inner): return .not(node(inner, &count))
    case .exists(let query): asked = (query, .anything)
    case .isTrue(let query): asked = (query, .truth)
    case .comparison(.single(let query), let symbol, .literal(let value)):
      guard let literal = TextLiteral(value) else { return .other }
      asked = (query, .comparison(symbol, literal))
    case .comparison(.literal(let value), let symbol, .single(let query)):
      guard let literal = TextLiteral(value) else { return .other }
      asked = (query, .comparison(symbol.reversed, literal))
    case .comparison, .matches, .neighbour: return .other
    }
    guard let question = Question(count, asked.query, asked.wanted, expression) else {
      return .other
    }
    count += 1
    return .question(question)
  }

  /// Asks the questions in their order, as many as are needed; nil where one has no answer and the others
  /// do not make up for it.
  package func answer(_ ask: (Question) -> Bool?) -> Bool? { Self.answer(root, ask) }

  private static func answer(_ node: Node, _ ask: (Question) -> Bool?) -> Bool? {
    switch node {
    case .question(let question): return ask(question)
    case .not(let inner): return answer(inner, ask).map { !$0 }
    case .other: return nil
    case .any(let parts): return answer(parts, decisive: true, ask)
    case .all(let parts): return answer(parts, decisive: false, ask)
    }
  }

  private static func answer(
    _ parts: [Node], decisive: Bool, _ ask: (Question) -> Bool?
  ) -> Bool? {
    var isKnown = true
    for part in parts {
      switch answer(part, ask) {
      case decisive: return decisive
      case nil: isKnown = false
      default: break
      }
    }
    return isKnown ? !decisive : nil
  }
}

extension TextCondition.Question {
  /// The answer for the text that stands at the place; nil for a text that would have to be parsed.
  package func answer(_ text: UnsafeBufferPointer<UInt8>?) -> Bool? {
    guard let text else {
      // Nothing is unlike every literal, and neither less nor more.
      if case .comparison(.notEqual, _) = wanted { return true }
      return false
    }
    switch wanted {
    case .anything: return TextScalar(text).map { _ in true }
    case .truth:
      switch TextScalar(text) {
      case nil: return nil
      case .word(let word): return word == .true
      default: return true
      }
    case .comparison(let symbol, let literal): return literal.answer(symbol, text)
    }
  }
}

extension ComparisonOperator {
  /// The same with the sides changed.
  fileprivate var reversed: Self {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  fileprivate func holds(_ ordering: Ordering) -> Bool {
    switch self {
    case .equal: ordering == .equal
    case .notEqual: ordering != .equal
    case .less: ordering == .less
    case .lessOrEqual: ordering != .greater
    case .greater: ordering == .greater
    case .greaterOrEqual: ordering != .less
    }
  }
}

/// What a text is compared with.
private struct TextLiteral: Sendable {
  private enum Kind: Sendable {
    case string([UInt8])
    case number(ShortDecimal)
    case word(TextScalar.Word)
  }

  private let kind: Kind

  /// Nil for a number with too many digits, and for what no comparison is made with.
  init?(_ value: Value) {
    switch value {
    case .string(let text): kind = .string(Array(text.utf8))
    case .number(let number):
      guard let number = Array(number.text.utf8).withUnsafeBufferPointer(ShortDecimal.init) else {
        return nil
      }
      kind = .number(number)
    case .bool(let value): kind = .word(value ? .true : .false)
    case .null: kind = .word(.null)
    case .array, .object: return nil
    }
  }

  func answer(_ symbol: ComparisonOperator, _ text: UnsafeBufferPointer<UInt8>) -> Bool? {
    guard let scalar = TextScalar(text) else { return nil }
    switch (scalar, kind) {
    case (.string(let text), .string(let literal)):
      if text.elementsEqual(literal) { return symbol.holds(.equal) }
      return symbol.holds(text.lexicographicallyPrecedes(literal) ? .less : .greater)
    case (.number(let number), .number(let literal)):
      return number.compared(to: literal).map(symbol.holds)
    case (.word(let word), .word(let literal)):
      // They are in no order.
      switch symbol {
      case .equal, .lessOrEqual, .greaterOrEqual: return word == literal
      case .notEqual: return word != literal
      case .less, .greater: return false
      }
    default: return symbol == .notEqual
    }
  }
}

/// A value whose text is as good as itself.
private enum TextScalar {
  enum Word: Sendable { case `true`, `false`, null }

  /// What stands between the quotes.
  case string(UnsafeRawBufferPointer)
  case number(ShortDecimal)
  case word(Word)

  /// Nil for containers, for texts with escapes, for numbers with an exponent or many digits, and for
  /// what is no value at all.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard let first = text.first else { return nil }
    switch first {
    case UInt8(ascii: "\""):
      let inner = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: text.dropFirst().dropLast()))
      guard text.count >= 2, !inner.contains(where: { $0 < 0x20 || $0 == 0x5C }) else { return nil }
      self = .string(inner)
    case UInt8(ascii: "t") where text.elementsEqual("true".utf8): self = .word(.true)
    case UInt8(ascii: "f") where text.elementsEqual("false".utf8): self = .word(.false)
    case UInt8(ascii: "n") where text.elementsEqual("null".utf8): self = .word(.null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard let number = ShortDecimal(text) else { return nil }
      self = .number(number)
    default: return nil
    }
  }
}

/// A number of at most 18 digits without an exponent, exactly.
private struct ShortDecimal: Sendable {
  private var digits: Int64 = 0
  /// How many of them stand behind the point.
  private var scale = 0

  init?(_ text: UnsafeBufferPointer<UInt8>) {
    let isNegative = text.first == UInt8(ascii: "-")
    var count = 0
    var point: Int?
    for byte in text.dropFirst(isNegative ? 1 : 0) {
      if byte == UInt8(ascii: "."), point == nil, count > 0 {
        point = count
        continue
      }
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10, count < 18, count != 1 || point != nil || digits != 0 else { return nil }
      digits = digits * 10 + Int64(digit)
      count += 1
    }
    guard count > 0, point != count else { return nil }
    scale = point.map { count - $0 } ?? 0
    if isNegative { digits = -digits }
  }

  /// Nil where the digits of the two lie too far apart.
  func compared(to other: ShortDecimal) -> Ordering? {
    let scale = max(scale, other.scale)
    guard let left = digits(scale), let right = other.digits(scale) else { return nil }
    return Ordering(left, right)
  }

  private func digits(_ scale: Int) -> Int64? {
    var digits = digits
    for _ in self.scale..<scale {
      let (product, isOver) = digits.multipliedReportingOverflow(by: 10)
      guard !isOver else { return nil }
      digits = product
    }
    return digits
  }
}
