extension QueryParser {
  mutating func parseOperand() throws(QueryError) -> Operand {
    let start = reader.offset
    if reader.take("@") {
      return Operand(kind: .query(try parseInnerQuery(.current)), offset: start)
    }
    if reader.take("$") {
      return Operand(kind: .query(try parseInnerQuery(.root)), offset: start)
    }
    if let text = try reader.takeString() {
      return Operand(kind: .comparand(.literal(.string(text))), offset: start)
    }
    if let number = try reader.takeNumber() {
      return Operand(kind: .comparand(.literal(number)), offset: start)
    }
    guard let name = reader.takeName() else {
      throw reader.error(
        reader.isAtEnd ? "Something is missing at the end." : "\(reader.found) cannot stand here.",
        hint: reader.next == UInt8(ascii: "[") || reader.next == UInt8(ascii: "{")
          ? "Arrays and objects cannot be written in a query." : nil)
    }
    if reader.next == UInt8(ascii: "(") { return try parseFunction(name, from: start) }
    switch name {
    case "true": return Operand(kind: .comparand(.literal(true)), offset: start)
    case "false": return Operand(kind: .comparand(.literal(false)), offset: start)
    case "null": return Operand(kind: .comparand(.literal(.null)), offset: start)
    default: return try parseWord(name, from: start)
    }
  }

  /// A word of a condition and its segments, counted from the step wherever it stands.
  private mutating func parseWord(
    _ word: String, from start: Int
  ) throws(QueryError) -> Operand {
    guard let dialect else {
      throw reader.error(
        "“\(word)” is neither a literal nor a function.", at: start,
        hint: "A path begins with “@” (the value at hand) or “$” (the whole): @.\(word).")
    }
    guard dialect.words.contains(word) else {
      throw reader.error(
        "“\(word)” is none of the words that a step has.", at: start,
        hint: dialect.hint(for: word))
    }
    let query = try parseInnerQuery(.root, after: [.children([.name(word)])])
    return Operand(kind: .query(query), offset: start, isWord: true)
  }
}
