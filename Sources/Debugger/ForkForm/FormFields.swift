import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

extension ForkForm {
  mutating func pick(by offset: Int) {
    guard field == .template else { return move(by: offset) }
    let count = shownOffers.count
    guard count > 0 else { return }
    selected = min(max(selected + offset, 0), count - 1)
    takeOffer()
  }

  mutating func wheel(by offset: Int) {
    guard fields.contains(.template) else { return }
    field = .template
    pick(by: offset)
  }

  mutating func takeBack() {
    (checking, runsWhenFound, wanted) = (nil, false, nil)
  }

  mutating func type(_ key: Key) {
    guard let line = field.line else { return _ = KeyTable.choice.handle(key, &self) }
    let before = self[keyPath: line]
    if key == .right, before.cursor == before.characters.count, completion != nil {
      return complete()
    }
    guard self[keyPath: line].handle(key) else { return }
    if field == .text { problem = nil }
    if self[keyPath: line].text != before.text { textChanged() }
  }

  private mutating func textChanged() {
    switch field {
    case .part: choosePart()
    case .text:
      isTextTyped = true
      problem = nil
    case .template:
      selected = 0
      takeOffer()
    default: break
    }
  }

  mutating func tab() { if completion == nil { move(by: 1) } else { complete() } }

  private mutating func complete() {
    guard let completion else { return }
    guard field == .part else { return text.insert(completion) }
    part.insert(completion)
    choosePart()
  }

  mutating func choosePart() {
    problem = nil
    path = state.flatMap { TypedPlace.path(part.text, in: $0) }
    oldValue = state.flatMap { path?.value(in: $0) }
    if oldValue == nil { path = nil }
  }

  mutating func turn(by offset: Int) {
    problem = nil
    switch field {
    case .target: isNew.toggle()
    case .change: choose(changes.next(after: change, by: offset))
    case .effect:
      guard !effects.isEmpty else { return }
      effect = (effect + offset + effects.count) % effects.count
      selected = 0
      drafts = [:]
      chooseAnswer()
      takeOffer()
    case .read:
      guard !reads.isEmpty else { return }
      chooseRead((read + offset + reads.count) % reads.count)
    case .answer:
      choose(answers.next(after: answer, by: offset))
      selected = 0
      if case .heard = asking {} else { asking = .notYet }
    case .gives: toggleError()
    case .rest: rest = rest == .rerun ? .nothing : .rerun
    case .name, .part, .template, .text: break
    }
  }

  /// Takes a real answer as if typed, for the user to check.
  mutating func hear(_ reply: Reply?) {
    asking = reply.map(Asking.heard) ?? .notYet
    guard let reply else { return }
    choose(reply.outcome.isError ? .refusal : .reply)
    text.replace(with: reply.outcome.content.text())
    field = .text
  }

  mutating func click(_ index: Int) {
    if index >= Self.firstOffer {
      field = .template
      pick(by: index - Self.firstOffer - selected)
    } else if let clicked = Field(rawValue: index) {
      if clicked == field { turn(by: 1) } else { field = clicked }
    }
  }

  /// Into a field, this many cells behind a place in its text.
  mutating func click(_ index: Int, _ cells: Int, after start: Int) {
    guard let clicked = Field(rawValue: index), let line = clicked.line else { return }
    field = clicked
    self[keyPath: line].place(cells, after: start)
  }

  mutating func paste(_ pasted: String) {
    guard let line = field.line else { return }
    self[keyPath: line].insert(pasted)
    textChanged()
  }
}

extension ForkForm.Field {
  var line: WritableKeyPath<ForkForm, LineEditor>? {
    switch self {
    case .name: \.name
    case .part: \.part
    case .template: \.filter
    case .text: \.text
    case .target, .change, .effect, .read, .answer, .gives, .rest: nil
    }
  }
}

extension Array where Element: Equatable {
  func next(after element: Element, by offset: Int) -> Element {
    guard !isEmpty else { return element }
    let index = firstIndex(of: element) ?? 0
    return self[(index + offset + count) % count]
  }
}

extension ForkForm {
  /// The edits of the position's step, in its branch's numbers.
  mutating func wantedEdits() -> [Edit]? {
    problem = nil
    let step = position.step
    switch change {
    case .skip: return [.skip(step: step)]
    case .insert: return parsedText().map { [.insert(after: step, action: $0)] }
    case .replace: return parsedText().map { [.replace(step: step, action: $0)] }
    case .answer: return wantedAnswer()
    case .set:
      guard let path else {
        field = .part
        problem = TypedPlace.problem(with: part.text, in: state ?? .null)
        return nil
      }
      return parsedText().map { [.set(step: step, pointer: path.pointer, value: $0)] }
    case .read:
      guard reads.indices.contains(read) else { return nil }
      let key = reads[read].key
      let index = reads[..<read].count { $0.key == key }
      let givesError = givesError
      return parsedText().map {
        let outcome = givesError ? Read.Outcome.failure($0) : .value($0)
        return [.read(step: step, key: key, index: index, outcome: outcome)]
      }
    }
  }

  private mutating func wantedAnswer() -> [Edit]? {
    guard let effect = chosenEffect else {
      problem = "no effect is in flight here"
      return nil
    }
    let step = position.step
    func answers(_ outcomes: EffectAnswer.Outcome...) -> [Edit] {
      outcomes.map { .answer(EffectAnswer(effect: effect.number, after: step, outcome: $0)) }
    }
    switch answer {
    case .emit: return parsedText().map { answers(.emit(action: $0)) }
    case .last: return parsedText().map { answers(.emit(action: $0), .finish) }
    case .finish: return answers(.finish)
    case .fail: return answers(.fail(message: text.text))
    case .cancel: return answers(.cancel)
    case .reply, .refusal:
      guard let question = effect.question else { return nil }
      let isError = answer == .refusal
      return parsedText().map {
        let outcome = isError ? Read.Outcome.failure($0) : .value($0)
        if case .heard(let reply) = asking, reply.outcome == outcome { return [.reply(reply)] }
        return [.reply(Reply(to: question, outcome))]
      }
    case .live: return nil
    }
  }

  /// The question to ask for real: `asking` is `now` once the user has confirmed.
  mutating func wantedQuestion() -> (Question, effect: EffectID)? {
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
        "\(enter) again really asks \(question.text), once: this reaches the outside world"
    }
    return (question, effect.number)
  }

  var isJSON: Bool {
    change != .skip && !(change == .answer && [.finish, .fail, .cancel].contains(answer))
  }

  /// Takes text from an editor: on one line if valid, else as it is, with the mistake.
  mutating func takeText(edited: String) {
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
      if let wanted {
        // Enter runs only an action that the user picked.
        self.wanted = nil
        selected = -1
        problem =
          "no such \(wanted.isFailure ? "failure" : "result") was recorded: pick an action, or type it"
      } else if field == .template, !filter.text.isEmpty {
        problem = namelessWords
      } else {
        field = .text
        problem =
          change == .set || change == .read || [.value, .error].contains(answer.textKind)
          ? "no value yet: type it as JSON" : "no action yet: pick one above, or type it as JSON"
      }
      return nil
    }
    field = .text
    do {
      return try Value(parsing: text.text)
    } catch {
      // The name of an action selects it; the user sees it before it runs.
      if let offer = allOffers.first(where: { $0.label == text.text }), let action = offer.action {
        put(action.text())
        problem = "this is “\(offer.label)”: \(enter) again runs it"
        return nil
      }
      let line = text.characters.contains(where: \.isNewline) ? "line \(error.line), " : ""
      let isText = text.text.first?.isLetter == true
      let advice = isText ? "; a text needs quotes, as \"abc\"" : ""
      problem = "\(line)column \(error.column): \(error.what)\(advice)"
      text.place(line: error.line, column: error.column)
      return nil
    }
  }
}
