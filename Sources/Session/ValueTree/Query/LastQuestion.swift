/// A question about the last earlier step with the same values at some places: `last(label,
/// payload.id)`.
package struct LastQuestion: Sendable, Hashable {
  static let word = "last"
  fileprivate static let words = ["label", "action", "cause", "reads"]

  /// The places as written. Conditions find the earlier step under this name.
  package let text: String
  let places: [Pointer]

  /// The values at the places; nil if a step lacks one, so that no step is like it.
  package func key(of step: Value) -> String? {
    var key = ""
    for place in places {
      guard let value = step[place] else { return nil }
      key += value.text() + "\n"
    }
    return key
  }
}

extension Condition {
  /// The questions about the last step with the same values, each once.
  package var lasts: [LastQuestion] {
    let texts = paths.filter { $0.tokens.first == LastQuestion.word && $0.tokens.count > 1 }
      .map(\.tokens[1])
    return Set(texts).sorted().compactMap { text in
      var parser = QueryParser("\(LastQuestion.word)(\(text))", asksSteps: true)
      _ = parser.reader.readName()
      return try? parser.parseLastPlaces()
    }
  }
}

extension QueryParser {
  mutating func parseLast(from start: Int) throws(QueryError) -> Operand {
    let question = try parseLastPlaces()
    let first = [LastQuestion.word, question.text].map { QuerySegment.children([.name($0)]) }
    return Operand(
      kind: .query(try parseInnerQuery(.root, after: first)), offset: start, isWord: true)
  }

  /// The places between the parentheses. One that begins with no word of a step is in the action.
  fileprivate mutating func parseLastPlaces() throws(QueryError) -> LastQuestion {
    _ = reader.consume("(")
    reader.skipBlanks()
    let textStart = reader.offset
    var textEnd = textStart
    var places: [Pointer] = []
    repeat {
      reader.skipBlanks()
      let start = reader.offset
      let word = reader.readName() ?? ""
      let isKnown = LastQuestion.words.contains(word)
      let names = isKnown ? [word] : ["action", word]
      let query = try parseInnerQuery(
        .root, after: names.map { QuerySegment.children([.name($0)]) })
      let tokens = query.segments.names(followingIndices: true)
      guard !word.isEmpty, tokens.count == query.segments.count,
        isKnown || !Condition.words.contains(word)
      else {
        throw reader.error(
          "last takes places in \(LastQuestion.words.joined(separator: ", ")).", at: start,
          hint: "For instance: last(label, action.payload.id).state.total.")
      }
      places.append(Pointer(tokens: tokens))
      textEnd = reader.offset
      reader.skipBlanks()
    } while reader.consume(",")
    guard reader.consume(")") else {
      throw reader.error("Expected “,” or “)” after a place, found \(reader.found).")
    }
    let text = String(decoding: reader.bytes[textStart..<textEnd], as: UTF8.self)
    return LastQuestion(text: text, places: places)
  }
}
