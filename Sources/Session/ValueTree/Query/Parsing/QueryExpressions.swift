extension QueryParser {
  mutating func parseExpression() throws(QueryError) -> LogicalExpression {
    try nested { parser throws(QueryError) in
      var parts = [try parser.parseConjunction()]
      while try parser.consumeOperator("||", insteadOf: ["or", "|"]) {
        parts.append(try parser.parseConjunction())
      }
      return parts.count == 1 ? parts[0] : .any(parts)
    }
  }

  private mutating func parseConjunction() throws(QueryError) -> LogicalExpression {
    var parts = [try parseBasicExpression()]
    while try consumeOperator("&&", insteadOf: ["and", "&"]) {
      parts.append(try parseBasicExpression())
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func consumeOperator(
    _ symbol: StaticString, insteadOf others: [String]
  ) throws(QueryError) -> Bool {
    let start = reader.offset
    reader.skipBlanks()
    if reader.consume(symbol) {
      reader.skipBlanks()
      return true
    }
    let place = reader.offset
    let word = reader.readName() ?? reader.next.map { String(UnicodeScalar($0)) } ?? ""
    if others.contains(word.lowercased()) {
      throw reader.error("“\(word)” is no operator.", at: place, hint: "Write “\(symbol)”.")
    }
    reader.offset = start
    return false
  }

  private mutating func parseBasicExpression() throws(QueryError) -> LogicalExpression {
    let start = reader.offset
    let isNegated = reader.consume("!")
    if isNegated { reader.skipBlanks() }
    if reader.next == UInt8(ascii: "(") {
      let inner = try parseParentheses()
      return isNegated ? .not(inner) : inner
    }
    let operand = try parseOperand()
    let afterOperand = reader.offset
    reader.skipBlanks()
    if let symbol = try readComparison() {
      guard !isNegated else {
        throw reader.error(
          "“!” does not apply to a comparison.", at: start,
          hint: "Put the comparison in parentheses: !(… \(symbol.rawValue) …).")
      }
      let left = try comparand(operand)
      reader.skipBlanks()
      let right = try comparand(try parseOperand())
      return .comparison(left, symbol, right)
    }
    reader.offset = afterOperand
    let test = try self.test(operand)
    return isNegated ? .not(test) : test
  }

  private mutating func parseParentheses() throws(QueryError) -> LogicalExpression {
    let start = reader.offset
    _ = reader.consume("(")
    reader.skipBlanks()
    let inner = try parseExpression()
    reader.skipBlanks()
    guard reader.consume(")") else {
      if reader.isAtEnd {
        throw reader.error("The parenthesis that begins here has no end.", at: start)
      }
      throw reader.error("Expected “)”, “&&” or “||”, found \(reader.found).")
    }
    return inner
  }

  private mutating func readComparison() throws(QueryError) -> ComparisonOperator? {
    if reader.consume("==") {
      guard reader.next != UInt8(ascii: "=") else {
        throw reader.error("“===” is no operator.", at: reader.offset - 2, hint: "Write “==”.")
      }
      return .equal
    }
    if reader.consume("!=") { return .notEqual }
    if reader.consume("<=") { return .lessOrEqual }
    if reader.consume(">=") { return .greaterOrEqual }
    if reader.next == UInt8(ascii: "<"), reader.byte(after: 1) == UInt8(ascii: ">") {
      throw reader.error("“<>” is no operator.", hint: "Write “!=”.")
    }
    if reader.consume("<") { return .less }
    if reader.consume(">") { return .greater }
    if reader.next == UInt8(ascii: "=") {
      let isPattern = reader.byte(after: 1) == UInt8(ascii: "~")
      throw reader.error(
        isPattern ? "“=~” is no operator." : "“=” is no operator.",
        hint: isPattern ? "Write search(text, 'pattern')." : "Write “==” to compare.")
    }
    return nil
  }

  func comparand(_ operand: Operand) throws(QueryError) -> Comparand {
    switch operand.kind {
    case .comparand(let comparand): return comparand
    case .query(let query):
      if query.single != nil { return .single(query) }
      throw reader.error(
        "This finds any number of values, and a comparison needs one.", at: operand.offset,
        hint: "Ask with a filter, like state.items[?@.price > 3], or use count(…) or value(…).")
    case .logical:
      throw reader.error(
        "This is true or false already, and cannot be compared.", at: operand.offset,
        hint: "Leave out the comparison; “!” in front negates it.")
    }
  }

  private func test(_ operand: Operand) throws(QueryError) -> LogicalExpression {
    switch operand.kind {
    case .query(let query): return operand.isWord ? .isTrue(query) : .exists(query)
    case .logical(let expression): return expression
    case .comparand(.literal):
      throw reader.error(
        "A value alone is neither true nor false here.", at: operand.offset,
        hint: "Compare it with something: state.total == 3.")
    case .comparand:
      throw reader.error(
        "This gives a value, which must be compared with something.", at: operand.offset,
        hint: "For instance: length(state.items) > 0.")
    }
  }
}

struct Operand {
  enum Kind {
    case comparand(Comparand)
    case query(InnerQuery)
    case logical(LogicalExpression)
  }

  var kind: Kind
  var offset: Int
  var isWord = false
}

extension QueryParser {
  mutating func parseOperand() throws(QueryError) -> Operand {
    let start = reader.offset
    func literal(_ value: Value) -> Operand {
      Operand(kind: .comparand(.literal(QueryLiteral(value))), offset: start)
    }
    if reader.consume("@") {
      return Operand(kind: .query(try parseInnerQuery(.current)), offset: start)
    }
    if reader.consume("$") {
      return Operand(kind: .query(try parseInnerQuery(.root)), offset: start)
    }
    if let name = reader.readCodeName() { return try parseCode(name, from: start) }
    if let text = try reader.readString() {
      let file = reader.offset
      if reader.consume("#"), let name = reader.readName() {
        return try parseCode("\(text)#\(name)", from: start)
      }
      reader.offset = file
      return literal(.string(text))
    }
    if let number = try reader.readNumber() { return literal(number) }
    guard let name = reader.readName() else {
      throw reader.error(
        reader.isAtEnd ? "Something is missing at the end." : "\(reader.found) cannot stand here.",
        hint: reader.next == UInt8(ascii: "[") || reader.next == UInt8(ascii: "{")
          ? "Arrays and objects cannot be written in a query." : nil)
    }
    if reader.next == UInt8(ascii: "(") { return try parseFunction(name, from: start) }
    switch name {
    case "true": return literal(true)
    case "false": return literal(false)
    case "null": return literal(.null)
    default: return try parseWord(name, from: start)
    }
  }

  /// A function of the user's own, such as `rules.mjs#isSorted`. Its value is a part of the step.
  private mutating func parseCode(
    _ name: String, from start: Int
  ) throws(QueryError) -> Operand {
    guard asksSteps else {
      throw reader.error("A query cannot name a function in a file.", at: start)
    }
    let first: [QuerySegment] = [.children([.name(Condition.code)]), .children([.name(name)])]
    return Operand(
      kind: .query(try parseInnerQuery(.root, after: first, isCode: true)), offset: start,
      isWord: true)
  }

  /// A word and its segments, always relative to the step.
  private mutating func parseWord(
    _ word: String, from start: Int
  ) throws(QueryError) -> Operand {
    guard asksSteps else {
      throw reader.error(
        "“\(word)” is neither a literal nor a function.", at: start,
        hint: "A path begins with “@” (the value at hand) or “$” (the whole): @.\(word).")
    }
    guard Condition.words.contains(word) else {
      var error = reader.error(
        "“\(word)” is none of the words that a step has.", at: start,
        hint: Condition.hint(for: word))
      if error.hint?.hasPrefix("Write") != true { error.unknownWord = word }
      throw error
    }
    let query = try parseInnerQuery(.root, after: [.children([.name(word)])])
    return Operand(kind: .query(query), offset: start, isWord: true)
  }
}
