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
    default: break
    }
    if let nearest = NearestWord.find(word, in: words) { return "Did you mean “\(nearest)”?" }
    return "A path begins with one of \(words.joined(separator: ", ")): state.\(word)."
  }
}
