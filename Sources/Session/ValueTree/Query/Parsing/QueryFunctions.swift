extension QueryParser {
  static let functions = ["length", "count", "match", "search", "value"]
  /// Those that only conditions know.
  static let ownFunctions = ["sum", "unique", "sorted", "changed"]
  static let neighbourFunctions: [String: NeighbourQuestion.Direction] = [
    "precededBy": .before, "followedBy": .after,
  ]

  mutating func parseFunction(
    _ name: String, from start: Int
  ) throws(QueryError) -> Operand {
    if asksSteps, let direction = Self.neighbourFunctions[name] {
      return try parseNeighbour(direction, name: name, from: start)
    }
    if asksSteps, name == LastQuestion.word { return try parseLast(from: start) }
    guard Self.functions.contains(name) || asksSteps && Self.ownFunctions.contains(name) else {
      let known = asksSteps ? Condition.functions : Self.functions
      let nearest = NearestWord.find(name, in: known)
      throw reader.error(
        "There is no function “\(name)”.", at: start,
        hint: nearest.map { "Did you mean “\($0)”?" }
          ?? "There are \(known.joined(separator: ", ")).")
    }
    let arguments = try nested { parser throws(QueryError) in try parser.parseArguments() }
    try expect(name == "match" || name == "search" ? 2 : 1, of: arguments, name: name, at: start)
    return Operand(kind: try meaning(of: name, arguments), offset: start)
  }

  private func meaning(
    of name: String, _ arguments: [Operand]
  ) throws(QueryError) -> Operand.Kind {
    switch name {
    case "length": return .comparand(.length(try comparand(arguments[0])))
    case "count": return .comparand(.count(try query(arguments[0], of: name)))
    case "value": return .comparand(.value(try query(arguments[0], of: name)))
    case "sum": return .comparand(.sum(try query(arguments[0], of: name)))
    case "changed": return .logical(try change(of: arguments[0]))
    case "unique", "sorted":
      let test = name == "unique" ? ElementTest.unique : .sorted
      return .logical(.elements(test, try query(arguments[0], of: name)))
    default:
      let text = try comparand(arguments[0])
      return .logical(.matches(text, try pattern(arguments[1]), whole: name == "match"))
    }
  }

  /// Whether a part of the state is another than before the step. Nothing is before the first one.
  private func change(of operand: Operand) throws(QueryError) -> LogicalExpression {
    let now = try query(operand, of: "changed")
    guard now.single != nil, now.origin == .root, now.names.first == "state" else {
      throw reader.error(
        "changed takes one place in the state.", at: operand.offset,
        hint: "For instance: changed(state.total).")
    }
    let previous = QuerySegment.children([.name("previous")])
    let before = InnerQuery(origin: .root, segments: [previous] + now.segments.dropFirst())
    return .all([
      .exists(InnerQuery(origin: .root, segments: [previous])),
      .comparison(.single(now), .notEqual, .single(before)),
    ])
  }

  private mutating func parseArguments() throws(QueryError) -> [Operand] {
    _ = reader.consume("(")
    reader.skipBlanks()
    guard !reader.consume(")") else { return [] }
    var arguments: [Operand] = []
    repeat {
      reader.skipBlanks()
      arguments.append(try parseOperand())
      reader.skipBlanks()
    } while reader.consume(",")
    guard reader.consume(")") else {
      throw reader.error("Expected “,” or “)” after an argument, found \(reader.found).")
    }
    return arguments
  }

  private func expect(
    _ count: Int, of arguments: [Operand], name: String, at start: Int
  ) throws(QueryError) {
    guard arguments.count != count else { return }
    let example =
      switch name {
      case "length": "length(state.items)"
      case "count": "count(state.items[*])"
      case "value": "value(state..total)"
      case "sum", "unique", "sorted": "\(name)(state.items[*].quantity)"
      case "changed": "changed(state.total)"
      default: "\(name)(label, 'cart/.*')"
      }
    throw reader.error(
      "\(name) takes \(count == 1 ? "one argument" : "two arguments"), not \(arguments.count).",
      at: start, hint: "For instance: \(example).")
  }

  private func query(_ operand: Operand, of name: String) throws(QueryError) -> InnerQuery {
    if case .query(let query) = operand.kind { return query }
    throw reader.error("\(name) takes a path, not a value.", at: operand.offset)
  }

  private func pattern(_ operand: Operand) throws(QueryError) -> PatternSource {
    let comparand = try comparand(operand)
    guard case .literal(let literal) = comparand else { return .found(comparand) }
    guard let text = literal.value.string else { return .invalid }
    do throws(PatternError) {
      return .written(try TextPattern(text))
    } catch {
      // RFC 9535 lets an invalid pattern match nothing; a condition reports it.
      guard asksSteps else { return .invalid }
      throw reader.error("“\(text)” is no pattern: \(error)", at: operand.offset)
    }
  }

  private mutating func parseNeighbour(
    _ direction: NeighbourQuestion.Direction, name: String, from start: Int
  ) throws(QueryError) -> Operand {
    guard filterDepth == 0 else {
      throw reader.error("\(name) asks about steps, and cannot stand inside a filter.", at: start)
    }
    _ = reader.consume("(")
    reader.skipBlanks()
    let textStart = reader.offset
    let outer = neighbours
    neighbours = []
    let expression = try parseExpression()
    let inner = neighbours
    neighbours = outer
    let text = String(decoding: reader.bytes[textStart..<reader.offset], as: UTF8.self)
    var question = NeighbourQuestion(
      direction: direction,
      condition: Condition(text: text, expression: expression, neighbours: inner))
    reader.skipBlanks()
    if reader.consume(",") {
      reader.skipBlanks()
      let place = reader.offset
      guard let steps = try reader.readInteger(), steps > 0 else {
        throw reader.error(
          "The second argument of \(name) is a number of steps.", at: place,
          hint: "For instance: \(name)(label == 'save', 5).")
      }
      question.within = steps
      reader.skipBlanks()
    }
    guard reader.consume(")") else {
      throw reader.error("Expected “)” at the end of \(name), found \(reader.found).")
    }
    neighbours.append(question)
    return Operand(kind: .logical(.neighbour(neighbours.count - 1)), offset: start)
  }
}

package enum NearestWord {
  static func find(_ word: String, in known: some Sequence<String>) -> String? {
    known.map { (word: $0, distance: distance(word.lowercased(), $0.lowercased())) }
      .filter { $0.distance <= max(1, min($0.word.count, word.count) / 2) }
      .min { $0.distance < $1.distance }?.word
  }

  /// The edit distance; an exchange of two letters counts as one.
  package static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.prefix(64)), Array(right))
    var before: [Int] = []
    var row = Array(0...right.count)
    for (i, letter) in left.enumerated() {
      var next = [i + 1]
      for (j, other) in right.enumerated() {
        var distance = min(row[j + 1] + 1, next[j] + 1, row[j] + (letter == other ? 0 : 1))
        if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other {
          distance = min(distance, before[j - 1] + 1)
        }
        next.append(distance)
      }
      (before, row) = (row, next)
    }
    return row[right.count]
  }
}
