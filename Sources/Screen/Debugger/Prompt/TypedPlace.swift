import Platform
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

  /// The members of the state that continue a typed place.
  static func completions(of text: String, in state: Value) -> [String] {
    guard !text.isEmpty, let (holder, sign, word) = parts(text, state) else { return [] }
    let start = text.dropLast(word.count)
    switch holder {
    case .object(let object) where sign != "[":
      let keys = object.prefix(1_000).map(\.key).filter { ValuePath([.key($0)]).text == $0 }
      return keys.contains(word) ? [] : keys.filter { $0.hasPrefix(word) }.map { start + $0 }
    case .array(let array) where sign == "[":
      if word.isEmpty { return array.isEmpty ? [] : [text + "0]"] }
      return Int(word).map(array.indices.contains) == true ? [text + "]"] : []
    default: return []
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
      .map { $0.words.replacing(/\.$/, with: "") }
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
    guard let prompt = state.prompt else { return impossible("only a prompt takes Tab") }
    let (token, words) = state.completions(of: prompt)
    guard let first = words.first else { return }
    state.prompt?.line.insert(String(first.dropFirst(token.count)))
    state.prompt?.problem = nil
    state.prompt?.mistake = nil
    lineChanged()
  }
}

extension DebuggerState {
  /// The words that continue the last one of a line, and that one: words of conditions, places and
  /// values of this state, labels.
  func completions(of prompt: Prompt) -> (token: String, words: [String]) {
    let text = prompt.line.text
    if prompt.isSend {
      let token = String(text.dropFirst(Prompt.send.count))
      return (token, driving.sendable(token))
    }
    let isPlace = ["watch", "blame"].contains { text.hasPrefix($0 + " ") }
    guard prompt.line.cursor == prompt.line.characters.count,
      prompt.condition != nil || prompt.purpose == .command && isPlace
    else { return ("", []) }
    let value = moment?.state ?? .null
    if text.count(where: { $0 == "'" }) % 2 == 1, let quote = text.lastIndex(of: "'") {
      let token = String(text[text.index(after: quote)...])
      let labels = reading.pages.labels(of: here.branch).map(\.escapedInCondition)
      return (token, labels.filter { $0.hasPrefix(token) }.map { $0 + "'" })
    }
    let token = String(text.reversed().prefix { !" (!&|<>=,".contains($0) }.reversed())
    let head = text.dropLast(token.count)
    if let known = valueHere(comparedIn: head, in: value) {
      return (token, known.hasPrefix(token) && known != token ? [known] : [])
    }
    let before = token.hasPrefix("previous.") ? "previous." : ""
    let place = String(token.dropFirst(before.count))
    var words = TypedPlace.completions(of: place, in: value).map { before + $0 }
    if !token.isEmpty, !isPlace, !token.contains(where: { ".[".contains($0) }) {
      words += (Condition.words + Condition.functions.map { $0 + "(" }).filter {
        $0.hasPrefix(token) && $0 != token
      }
    }
    words += (searches.functions ?? []).filter { $0.hasPrefix(token) && $0 != token }
    return (token, words)
  }

  /// The value of this state at the place that a condition compares at its end.
  private func valueHere(comparedIn head: Substring, in state: Value) -> String? {
    let parts = head.split(separator: " ")
    guard let sign = parts.last, ["==", "!=", "<", ">", "<=", ">="].contains(sign),
      let place = parts.dropLast().last,
      let here = TypedPlace.path(String(place), in: state)?.value(in: state)
    else { return nil }
    switch here {
    case .string(let text): return "'\(text.escapedInCondition)'"
    case .array, .object: return nil
    default: return here.text()
    }
  }
}
