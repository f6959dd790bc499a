import SessionWords
import TimeTravel
import ValueTree

extension ForkForm {
  /// What the form describes, or nil after noting what is wrong with it.
  mutating func wantedChange() -> BranchChange? {
    problem = nil
    switch change {
    case .skip: return .skip
    case .insert: return parsedText().map { .insert($0) }
    case .replace: return parsedText().map { .replace($0) }
    case .answer: return wantedAnswer()
    case .set:
      guard let path else {
        field = .part
        problem = TypedPlace.problem(with: part.text, in: state ?? .null)
        return nil
      }
      return parsedText().map { .set(pointer: path.pointer.description, value: $0) }
    case .read:
      guard reads.indices.contains(read) else { return nil }
      let key = reads[read].key
      let index = reads[..<read].count { $0.key == key }
      return parsedText().map {
        .read(key: key, index: index, outcome: givesError ? .failure($0) : .value($0))
      }
    }
  }

  private mutating func wantedAnswer() -> BranchChange? {
    guard let effect = chosenEffect else {
      problem = "no effect is in flight here"
      return nil
    }
    switch answer {
    case .emit:
      return parsedText().map { .answer(effect: effect.number, outcome: .emit(action: $0)) }
    case .last:
      return parsedText().map { .lastAnswer(effect: effect.number, action: $0) }
    case .finish: return .answer(effect: effect.number, outcome: .finish)
    case .fail: return .answer(effect: effect.number, outcome: .fail(message: text.text))
    case .cancel: return .answer(effect: effect.number, outcome: .cancel)
    case .reply, .refusal:
      guard let question = effect.question else { return nil }
      let isError = answer == .refusal
      return parsedText().map {
        let outcome = isError ? Read.Outcome.failure($0) : .value($0)
        if case .heard(let reply) = asking, reply.outcome == outcome { return .reply(reply) }
        return .reply(Reply(to: question, outcome))
      }
    case .live: return nil
    }
  }

  /// What is to be asked for real: `asking` is `now` when the user has said so twice.
  mutating func wantedQuestion() -> (Question, effect: Int)? {
    guard change == .answer, answer == .live, let effect = chosenEffect,
      let question = effect.question
    else { return nil }
    switch asking {
    case .warned:
      asking = .now
      problem = "\(question.text) is asked; Escape stops waiting"
    case .notYet, .now, .heard:
      asking = .warned
      problem =
        "\(enter) again asks \(question.text) for real, once: what that does in the world, it does"
    }
    return (question, effect.number)
  }

  /// Whether the text is JSON.
  var isJSON: Bool {
    change != .skip && !(change == .answer && [.finish, .fail, .cancel].contains(answer))
  }

  /// Takes over what comes back from an editor: on one line where it is as it should be, else as it
  /// is, with what is wrong.
  mutating func take(edited: String) {
    var edited = edited
    while edited.last?.isNewline == true { edited.removeLast() }
    text.replace(with: edited)
    isTextTyped = true
    field = .text
    problem = nil
    if isJSON, let value = parsedText() { text.replace(with: value.text()) }
  }

  private mutating func parsedText() -> Value? {
    guard !text.text.isEmpty else {
      if field == .template, !filter.text.isEmpty {
        problem = namelessWords
      } else {
        field = .text
        problem =
          change == .set || change == .read || answer == .reply || answer == .refusal
          ? "no value yet: type it as JSON" : "no action yet: pick one above, or type it as JSON"
      }
      return nil
    }
    field = .text
    do {
      return try Value(parsing: text.text)
    } catch {
      // The name of an action stands for it; it is shown before it runs.
      if let offer = allOffers.first(where: { $0.label == text.text }), let action = offer.action {
        put(action.text())
        problem = "this is “\(offer.label)”: \(enter) again runs it"
        return nil
      }
      let line = text.characters.contains(where: \.isNewline) ? "line \(error.line), " : ""
      problem = "\(line)column \(error.column): \(error.what)"
      text.place(line: error.line, column: error.column)
      return nil
    }
  }
}
