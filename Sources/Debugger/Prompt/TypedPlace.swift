import SessionWords
import TimeTravel
import ValueTree

extension TypedPlace {
  /// Nil for invalid text; the place may be missing at this step.
  static func path(_ text: String, in state: Value) -> ValuePath? {
    pointer(text).map { ValuePath($0.place(in: state) ?? $0, in: state) }
  }

  private static func pointer(_ text: String) -> Pointer? {
    text.isEmpty ? nil : Pointer(place: text)
  }

  static func completion(of text: String, in state: Value) -> String? {
    guard !text.isEmpty, let (holder, sign, word) = parts(text, state) else { return nil }
    switch holder {
    case .object(let object) where sign != "[":
      let keys = object.map(\.key).filter { ValuePath([.key($0)]).text == $0 }
      return keys.contains(word) ? nil : rest(of: word, in: keys)
    case .array(let array) where sign == "[":
      if word.isEmpty { return array.isEmpty ? nil : "0]" }
      return Int(word).map(array.indices.contains) == true ? "]" : nil
    default: return nil
    }
  }

  static func problem(with text: String, in state: Value) -> String {
    guard !text.isEmpty else { return "which part? Type its path, as in cart.items[0].total" }
    return suggestion(for: text, in: state) ?? "“\(text)” is not in the state"
  }

  static func suggestion(for text: String, in state: Value) -> String? {
    guard let pointer = pointer(text), pointer.place(in: state) == nil,
      let near = pointer.nearest(in: state)
    else { return nil }
    let word = text.hasPrefix("state.") ? "state." : ""
    return
      "“\(text)” is not in the state: did you mean “\(word)\(ValuePath(near, in: state).text)”?"
  }

  static func rest(of word: String, in words: [String]) -> String? {
    words.first { $0.hasPrefix(word) && $0 != word }.map { String($0.dropFirst(word.count)) }
  }

  /// The container of the typed part, the separator, and the typed letters.
  private static func parts(
    _ text: String, _ state: Value
  ) -> (holder: Value, sign: Character?, word: String)? {
    guard let cut = text.lastIndex(where: { $0 == "." || $0 == "[" }) else {
      return (state, nil, text)
    }
    let holder = String(text[..<cut])
    let value = holder == "state" ? state : path(holder, in: state)?.value(in: state)
    return value.map { ($0, text[cut], String(text[text.index(after: cut)...])) }
  }
}

extension OpenSession {
  /// Says what the question asks for in vain.
  func absence(in question: StepQuestion?, of branch: BranchID) async throws -> String? {
    guard let question else { return nil }
    return try await doubts(about: question.condition, of: branch).first
      .map { $0.replacing(/\.$/, with: "") }
  }
}

extension DebuggerUpdate {
  /// A typed condition, read at this step.
  func question(_ text: String) throws(QueryError) -> StepQuestion {
    try StepQuestion.typed(text, in: state.moment?.state)
  }

  func suggestion(for question: StepQuestion) -> String? {
    guard let value = state.moment?.state else { return nil }
    return (question.condition.paths(in: "state") ?? []).lazy.compactMap {
      TypedPlace.suggestion(for: ValuePath($0, in: value).text, in: value)
    }.first
  }

  mutating func completePlace() {
    guard let prompt = state.prompt else { return }
    let text = prompt.line.text
    let token = String(text.reversed().prefix { !" (!&|<>=,".contains($0) }.reversed())
    let rest: String?
    if token.hasPrefix("'") {
      let labels = state.reading.pages.labels(of: state.here.branch).map(\.escapedInCondition)
      rest = TypedPlace.rest(of: String(token.dropFirst()), in: labels).map { $0 + "'" }
    } else {
      let place = token.hasPrefix("previous.") ? String(token.dropFirst(9)) : token
      let hasPlaces = [.condition, .filter, .command].contains(prompt.purpose)
      rest =
        hasPlaces ? state.moment?.state.flatMap { TypedPlace.completion(of: place, in: $0) } : nil
    }
    if let rest { state.prompt?.line.insert(rest) }
  }
}
