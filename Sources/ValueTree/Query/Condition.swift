/// A question about a step: a logical expression of RFC 9535, in which the words of a step may stand for
/// paths.
///
/// ```swift
/// let condition = try Condition("state.total < 0 && label == 'cart/couponApplied'")
/// let step: Value = ["label": "cart/couponApplied", "state": ["total": -0.75]]
/// try condition.holds(for: step)  // true
/// condition.paths.map(\.description)  // ["/state/total", "/label"]
/// ```
///
/// A path that begins with a word and stands alone (`state.isLoading`, `!state.error`) holds when there
/// is a value other than false and null. Written with `@` or `$` it asks, as in RFC 9535, only whether
/// there is any value.
public struct Condition: Sendable {
  /// As it was written.
  public let text: String
  let expression: LogicalExpression
  /// What it asks about earlier and later steps; the answers are given to ``holds(for:limits:neighbours:)``.
  public let neighbours: [NeighbourQuestion]

  /// The words that a step has and that paths begin with.
  public static let words = [
    "label", "action", "state", "previous", "cause", "step", "time", "reads", "branch", "standing",
  ]

  /// Reads the text; an error says at which letter it cannot go on.
  public init(_ text: String) throws(QueryError) {
    var parser = QueryParser(text, dialect: .steps)
    let expression = try parser.parseCondition()
    self.init(text: text, expression: expression, neighbours: parser.neighbours)
  }

  init(text: String, expression: LogicalExpression, neighbours: [NeighbourQuestion]) {
    self.text = text
    self.expression = expression
    self.neighbours = neighbours
  }

  /// Whether the condition holds for a step: an object with the words as keys, of which only those in
  /// ``paths`` are looked at. `neighbours` gives the answer to the question with that place in
  /// ``neighbours``.
  public func holds(
    for step: Value, limits: QueryLimits = .standard, neighbours: ((Int) -> Bool)? = nil
  ) throws(QueryRunError) -> Bool {
    var run = QueryRun(root: step, limits: limits, neighbours: neighbours)
    return try run.holds(expression, for: step)
  }
}

extension Condition: Hashable, CustomStringConvertible {
  /// The same text, letter by letter: `a == 1` and `a==1` are two.
  public static func == (left: Self, right: Self) -> Bool { left.text.isExactly(right.text) }
  /// Fits the equality: letter by letter.
  public func hash(into hasher: inout Hasher) { text.hashExactly(into: &hasher) }
  /// As it was written.
  public var description: String { text }
}

/// What a condition asks about the steps before or after the one at hand: whether the inner condition
/// holds for any of them.
public struct NeighbourQuestion: Sendable, Hashable {
  /// Which steps are asked.
  public enum Direction: Sendable, Hashable {
    /// The steps before the one at hand, or those after it.
    case before, after
  }

  /// Whether the steps before or those after are asked.
  public var direction: Direction
  /// What has to hold for one of them.
  public var condition: Condition
  /// How many steps away it may be at most; nil for any distance.
  public var within: Int?
}

extension QueryParser {
  /// An expression, whole, with blanks around it.
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

/// What conditions may say beyond RFC 9535.
struct ConditionDialect: Sendable {
  /// The words that may stand in place of `$.word`.
  var words: [String]
  var neighbourFunctions: [String: NeighbourQuestion.Direction]

  static let steps = ConditionDialect(
    words: Condition.words, neighbourFunctions: ["precededBy": .before, "followedBy": .after])

  func hint(for word: String) -> String {
    switch word.lowercased() {
    case "not": return "Write “!(…)”."
    case "and": return "Write “&&”."
    case "or": return "Write “||”."
    case "nil", "undefined", "none": return "Write “null”."
    case "type": return "The short name of an action is “label”."
    case "values", "outcome", "assumptions": return "Write “standing.\(word)”."
    default: break
    }
    if let nearest = NearestWord.find(word, in: words) { return "Did you mean “\(nearest)”?" }
    return "A path begins with one of \(words.joined(separator: ", ")): state.\(word)."
  }
}
