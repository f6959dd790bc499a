import Platform

/// A condition evaluated on JSON text: if comparing places with literals suffices, it builds no
/// values.
///
/// ```swift
/// let condition = TextCondition(try Condition("label == 'tapped' && action.id > 3"))
/// condition?.answer { question in question.answer(in: textOf(question.word)) }
/// ```
///
/// It answers as ``Condition/answer(for:unknown:hidden:limits:neighbours:)`` does, or gives none.
package struct TextCondition: Sendable {
  /// The nodes; each is followed by those inside it.
  private var nodes: [Node] = []
  package private(set) var questions: [Question] = []
  private let hidden: String?

  private struct Node: Sendable {
    var kind: Kind
    var end: Int
  }

  private enum Kind: Sendable {
    case any, all, not
    /// Held by the questions: two threads would change its count for each line.
    case question(Unmanaged<Question>)
    case other
  }

  package final class Question: Sendable {
    package let index: Int
    package let word: Word
    package let place: [String]
    package let path: ScanPath
    fileprivate let wanted: Wanted
    private let expression: LogicalExpression
    private let hidden: String?
    private let firstHidden: UInt8?

    package enum Word: String, Sendable {
      case label, action, state
      /// Another word of a step; inside a filter, the filtered value.
      case other
    }

    fileprivate init(
      _ index: Int, _ word: Word, _ steps: ArraySlice<Step>, _ wanted: Wanted,
      _ whole: LogicalExpression, hidden: String?
    ) {
      (self.index, self.word, self.wanted) = (index, word, wanted)
      (place, path) = (steps.map(\.name), ScanPath(steps.map(\.token)))
      (expression, self.hidden) = (whole, hidden)
      firstHidden = hidden?.utf8.first
    }

    /// Whether the answer may depend on a hidden value.
    fileprivate func mayHide(_ text: UnsafeBufferPointer<UInt8>?) -> Bool {
      guard let first = firstHidden else { return false }
      // A missing value may be inside a hidden one.
      return text.map { $0.first == UInt8(ascii: "\"") && $0.contains(first) } ?? true
    }

    package func answer(forWord value: Value) -> Bool? {
      var run = QueryRun(
        root: .object(ValueObject([(word.rawValue, value)])), limits: .standard, hidden: hidden)
      return (try? run.answer(expression, for: run.root)) ?? nil
    }
  }

  fileprivate struct Step {
    var name: String
    var token: ScanPath.Token
  }

  fileprivate enum Wanted: Sendable {
    case anything
    case truth
    case comparison(ComparisonOperator, TextLiteral)
    /// Whether this holds for an element of an array; `truth` also demands neither false nor null.
    case element(TextCondition, truth: Bool)
  }

  /// Nil if text can answer no part of it.
  package init?(_ condition: Condition, hidden: String? = nil) {
    self.init(condition.expression, isFilter: false, hidden)
  }

  private init?(_ expression: LogicalExpression, isFilter: Bool, _ hidden: String?) {
    self.hidden = hidden
    add(expression, isFilter)
    guard !questions.isEmpty else { return nil }
  }

  private mutating func add(_ expression: LogicalExpression, _ isFilter: Bool) {
    let place = nodes.count
    nodes.append(Node(kind: .other, end: 0))
    switch expression {
    case .any(let parts):
      nodes[place].kind = .any
      for part in parts { add(part, isFilter) }
    case .all(let parts):
      nodes[place].kind = .all
      for part in parts { add(part, isFilter) }
    case .not(let inner):
      nodes[place].kind = .not
      add(inner, isFilter)
    default:
      if let question = question(expression, isFilter) {
        nodes[place].kind = .question(.passUnretained(question))
        questions.append(question)
      }
    }
    nodes[place].end = nodes.count
  }

  private func question(_ expression: LogicalExpression, _ isFilter: Bool) -> Question? {
    let (query, wanted): (InnerQuery, Wanted)
    switch expression {
    case .exists(let asked): (query, wanted) = (asked, .anything)
    case .isTrue(let asked): (query, wanted) = (asked, .truth)
    case .comparison(.single(let asked), let symbol, .literal(let value)):
      guard let literal = TextLiteral(value) else { return nil }
      (query, wanted) = (asked, .comparison(symbol, literal))
    case .comparison(.literal(let value), let symbol, .single(let asked)):
      guard let literal = TextLiteral(value) else { return nil }
      (query, wanted) = (asked, .comparison(symbol.reversed, literal))
    default: return nil
    }
    guard !isFilter || query.origin == .current else { return nil }
    var steps: [Step] = []
    for (index, segment) in query.segments.enumerated() {
      switch (segment.onlyChild, wanted) {
      case (.name(let name)?, _): steps.append(Step(name: name, token: ScanPath.Token(name)))
      case (.index(let index)?, _) where index >= 0:
        steps.append(Step(name: String(index), token: ScanPath.Token(element: index)))
      case (.filter(let filter)?, .anything), (.filter(let filter)?, .truth):
        guard index == query.segments.count - 1,
          let filter = TextCondition(filter, isFilter: true, hidden)
        else { return nil }
        var truth = false
        if case .truth = wanted { truth = true }
        return question(steps, .element(filter, truth: truth), expression, isFilter)
      default: return nil
      }
    }
    return question(steps, wanted, expression, isFilter)
  }

  private func question(
    _ steps: [Step], _ wanted: Wanted, _ expression: LogicalExpression, _ isFilter: Bool
  ) -> Question? {
    guard !isFilter else {
      return Question(questions.count, .other, steps[...], wanted, expression, hidden: hidden)
    }
    guard let word = steps.first?.name else { return nil }
    return Question(
      questions.count, Question.Word(rawValue: word) ?? .other, steps.dropFirst(), wanted,
      expression, hidden: hidden)
  }

  /// Whether a text certainly is a number or a word. It may be one if not.
  package static func isNumberOrWord(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch TextScalar(text) {
    case .number, .word: true
    case .string, nil: false
    }
  }

  /// Asks as many questions as needed, in order; nil if a missing answer matters.
  package func answer(_ ask: (Question) -> Bool?) -> Bool? { answer(at: 0, ask) }

  private func answer(at place: Int, _ ask: (Question) -> Bool?) -> Bool? {
    switch nodes[place].kind {
    case .question(let question): return question._withUnsafeGuaranteedRef(ask)
    case .not: return answer(at: place + 1, ask).map { !$0 }
    case .other: return nil
    case .any: return answer(inside: place, decisive: true, ask)
    case .all: return answer(inside: place, decisive: false, ask)
    }
  }

  private func answer(
    inside place: Int, decisive: Bool, _ ask: (Question) -> Bool?
  ) -> Bool? {
    var isKnown = true
    var next = place + 1
    while next < nodes[place].end {
      switch answer(at: next, ask) {
      case decisive: return decisive
      case nil: isKnown = false
      default: break
      }
      next = nodes[next].end
    }
    return isKnown ? !decisive : nil
  }
}

extension TextCondition.Question {
  package func answer(in text: UnsafeBufferPointer<UInt8>) -> Bool? {
    answer(ValueScanner(text), from: 0).answer
  }

  private func answer(_ scanner: ValueScanner, from offset: Int) -> (answer: Bool?, end: Int?) {
    let (place, end) = scanner.find(path, from: offset)
    return (answer(place.map { UnsafeBufferPointer(rebasing: scanner.bytes[$0]) }), end)
  }

  package func answer(_ text: UnsafeBufferPointer<UInt8>?) -> Bool? {
    guard !mayHide(text) else { return nil }
    guard let text else {
      // A missing value differs from every literal, and is neither less nor more.
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
    case .element(let filter, let truth):
      guard text.first == UInt8(ascii: "[") else { return TextScalar(text).map { _ in false } }
      return Self.answer(ofAnyIn: ValueScanner(text), filter, truth)
    }
  }

  private static func answer(
    ofAnyIn array: ValueScanner, _ filter: TextCondition, _ truth: Bool
  ) -> Bool? {
    var answer: Bool? = false
    let end = array.endOfElements(from: 0) { start in
      var end: Int?
      let isOne = filter.answer { question in
        let (answer, valueEnd) = question.answer(array, from: start)
        end = valueEnd
        return answer
      }
      guard isOne != false || end == nil else { return end }
      guard let element = array.value(from: start) else { return nil }
      let isNothing =
        truth && (array.text(element, is: "false") || array.text(element, is: "null"))
      answer = isOne.map { $0 && !isNothing }
      return answer == false ? element.upperBound : nil
    }
    return end != nil || answer != false ? answer : nil
  }
}

extension ComparisonOperator {
  fileprivate var reversed: Self {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  func holds(_ ordering: Ordering?) -> Bool {
    switch self {
    case .equal: ordering == .equal
    case .notEqual: ordering != .equal
    case .less: ordering == .less
    case .lessOrEqual: ordering == .less || ordering == .equal
    case .greater: ordering == .greater
    case .greaterOrEqual: ordering == .greater || ordering == .equal
    }
  }
}

private struct TextLiteral: Sendable {
  private enum Kind: Sendable {
    case string([UInt8])
    case number(ShortDecimal)
    case word(TextScalar.Word)
  }

  private let kind: Kind

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
      let length = min(text.count, literal.count)
      let order = literal.withUnsafeBytes { literal -> Int32 in
        guard let left = text.baseAddress, let right = literal.baseAddress else { return 0 }
        return memcmp(left, right, length)
      }
      return symbol.holds(order == 0 ? Ordering(text.count, literal.count) : Ordering(order, 0))
    case (.number(let number), .number(let literal)):
      return number.compared(to: literal).map(symbol.holds)
    case (.word(let word), .word(let literal)):
      // Booleans and null have no order.
      return symbol.holds(word == literal ? .equal : nil)
    default: return symbol.holds(nil)
    }
  }
}

private enum TextScalar {
  enum Word: Sendable { case `true`, `false`, null }

  case string(UnsafeRawBufferPointer)
  case number(ShortDecimal)
  case word(Word)

  /// Nil for containers, texts with escapes, numbers with an exponent or many digits, and anything
  /// else.
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

private struct ShortDecimal: Sendable {
  private var digits: Int64 = 0
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
