/// A question about a step: a logical expression of RFC 9535, with names of a step's parts as
/// paths.
///
/// ```swift
/// let condition = try Condition("state.total < 0 && label == 'cart/couponApplied'")
/// let step: Value = ["label": "cart/couponApplied", "state": ["total": -0.75]]
/// try condition.holds(for: step)  // true
/// condition.paths.map(\.description)  // ["/state/total", "/label"]
/// ```
///
/// A path that begins with such a word and is not compared (`state.isLoading`, `!state.error`)
/// holds if its value is neither false nor null. With `@` or `$` it only asks, as in RFC 9535,
/// whether a value exists.
public struct Condition: Sendable {
  /// The text as written.
  public let text: String
  let expression: LogicalExpression
  /// The questions about earlier and later steps; pass their answers to
  /// ``holds(for:limits:neighbours:)``.
  public let neighbours: [NeighbourQuestion]

  /// The words that name a step's parts.
  public static let words = [
    "label", "action", "state", "previous", "cause", "step", "time", "reads", "branch", "standing",
    "started",
  ]
  /// The part of a step that holds the values of the user's own functions, by their names.
  package static let code = "code"
  /// The functions that a condition may call.
  package static let functions =
    QueryParser.functions + QueryParser.ownFunctions + [LastQuestion.word]
    + QueryParser.neighbourFunctions.keys.sorted()
}

extension Condition {
  /// Reads the text; an error names the offending character.
  public init(_ text: String) throws(QueryError) {
    var parser = QueryParser(text, asksSteps: true)
    let expression = try parser.parseCondition()
    self.init(text: text, expression: expression, neighbours: parser.neighbours)
  }

  /// The text that holds where this one does not, without a second negation.
  package static func opposite(of text: String) -> String {
    if text.hasPrefix("!("), text.hasSuffix(")") {
      let inner = String(text.dropFirst(2).dropLast())
      if (try? Condition(inner)) != nil { return inner }
    }
    return "!(\(text))"
  }

  /// Whether the condition holds for a step, given as an object with the words as keys; only those
  /// in ``paths`` are read. `neighbours` answers the question at that index of ``neighbours``.
  public func holds(
    for step: Value, limits: QueryLimits = .standard, neighbours: ((Int) -> Bool)? = nil
  ) throws(QueryRunError) -> Bool {
    try answer(for: step, limits: limits, neighbours: neighbours) == true
  }

  /// Whether the condition holds; nil if that depends on a word whose value is unknown, on a
  /// neighbour with an unknown answer, or on a value with the text `hidden` in it. Only `@.word`
  /// alone asks whether a word is known.
  package func answer(
    for step: Value, unknown: [String] = [], hidden: String? = nil,
    limits: QueryLimits = .standard, neighbours: ((Int) -> Bool?)? = nil
  ) throws(QueryRunError) -> Bool? {
    var run = QueryRun<Value>(limits: limits, hidden: hidden, neighbours: neighbours)
    return try run.answer(expression, for: nil, unknown: unknown) { _ in (step, 0) }
  }

  /// The same, from JSON text: `text` gets the names with which a path begins, a word first. Nil also
  /// if only the parsed step can tell.
  package func answer(hidden: String?, text: (_ names: [String]) -> FoundText?) -> Bool? {
    var end = JSONText.End()
    return withUnsafeMutablePointer(to: &end) { end in
      var run = QueryRun<JSONText>(limits: .standard, hidden: hidden)
      let answer = try? run.answer(expression, for: nil) {
        (query) throws(QueryRunError) in
        guard let found = text(query.names), found.text != nil || hidden == nil else {
          throw .unreadable
        }
        return (found.text.map { JSONText($0, end) }, found.names)
      }
      return answer ?? nil
    }
  }
}

/// The text of the value that the first names of a path find; nil without one.
package struct FoundText {
  package let text: UnsafeBufferPointer<UInt8>?
  package let names: Int

  package init(_ text: UnsafeBufferPointer<UInt8>?, by names: Int) {
    (self.text, self.names) = (text, names)
  }
}

extension Condition: Hashable, CustomStringConvertible {
  /// Compares the texts character by character: `a == 1` and `a==1` differ.
  public static func == (left: Self, right: Self) -> Bool { left.text.isExactly(right.text) }
  /// Hashes the text character by character.
  public func hash(into hasher: inout Hasher) { text.hashExactly(into: &hasher) }
  /// The text as written.
  public var description: String { text }
}

/// A question about steps before or after: whether the inner condition holds for any of them.
public struct NeighbourQuestion: Sendable, Hashable {
  /// The direction of a question.
  public enum Direction: Sendable, Hashable {
    /// The steps before, or those after.
    case before, after
  }

  /// Which steps the question is about.
  public var direction: Direction
  /// The condition for one of them.
  public var condition: Condition
  /// The most steps away; nil for any distance.
  public var within: Int?
}

extension QueryParser {
  mutating func parseCondition() throws(QueryError) -> LogicalExpression {
    reader.skipBlanks()
    guard !reader.isAtEnd else {
      throw reader.error("The condition is empty.", hint: "For instance: state.total < 0")
    }
    let expression = try parseExpression()
    reader.skipBlanks()
    guard reader.isAtEnd else {
      throw reader.error("Expected “&&”, “||” or the end, found \(reader.found).")
    }
    return expression
  }
}

extension Condition {
  static func hint(for word: String) -> String {
    switch word.lowercased() {
    case "not": return "Write “!(…)”."
    case "and": return "Write “&&”."
    case "or": return "Write “||”."
    case "nil", "undefined", "none": return "Write “null”."
    case "before", "prev", "prior", "old": return "Did you mean “previous”?"
    case "type": return "The short name of an action is “label”."
    case "values", "outcome", "assumptions": return "Write “standing.\(word)”."
    default: break
    }
    if let nearest = NearestWord.find(word, in: words) { return "Did you mean “\(nearest)”?" }
    return "A path begins with one of \(words.joined(separator: ", ")): state.\(word)."
  }
}
