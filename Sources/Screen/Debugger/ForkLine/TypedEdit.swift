import SessionWords
import TimeTravel
import ValueTree

/// An edit as `retcon fork` and `:fork` take it: a word, and the text behind it.
package struct TypedEdit: Sendable {
  package enum Word: String, Sendable, Hashable, CaseIterable {
    case send, replace, skip, set, read, `throw`, answer, move
  }

  package enum Content: Sendable {
    case skip
    case action(TypedAction, replaces: Bool)
    case set(Pointer, Value)
    case move(by: Int)
    case read(String, isError: Bool)
    case answer(String)
  }

  package let content: Content

  package init(replaces: Bool, _ action: Value) {
    content = .action(.json(action), replaces: replaces)
  }

  /// The sign stands before the word in messages: `--` on a command line.
  package init(_ word: Word, _ text: String, sign: String = "") throws(EditMistake) {
    func mistake(_ what: String, as example: String) -> EditMistake {
      EditMistake(
        "\(sign)\(word.rawValue) \(text.isEmpty ? "needs a text" : "is \(text.clipped()), and \(what)")",
        next: "Write \(sign)\(word.rawValue) \(example)")
    }
    switch word {
    case .skip: content = .skip
    case .send, .replace:
      content = .action(try TypedAction(text), replaces: word == .replace)
    case .set:
      guard let sign = text.signOfValue else { throw mistake("has no =", as: "total=0") }
      content = .set(
        try Self.place(text[..<sign]), try text[sign...].dropFirst().typedValue(in: text))
    case .move:
      guard let offset = Int(text.replacing("−", with: "-")), offset != 0,
        offset.magnitude <= ValueFields.largest
      else { throw mistake("has to be a number", as: "2") }
      content = .move(by: offset)
    case .read, .throw:
      guard text.contains("=") else { throw mistake("has no =", as: "uuid='\"A\"'") }
      content = .read(text, isError: word == .throw)
    case .answer: content = .answer(text)
    }
  }

  private static func place(_ text: Substring) throws(EditMistake) -> Pointer {
    if let place = Pointer(place: String(text)) { return place }
    throw text.hasPrefix("/")
      ? EditMistake("\(text) is not a pointer", next: "Write /cart/items/3, with ~1 for /", at: 0)
      : EditMistake(
        "\(text) is not a path in the state",
        next: "Write cart.items[3].title or /cart/items/3/title", at: 0)
  }
}

/// Why a typed edit cannot be made.
package struct EditMistake: Explained, Sendable, Hashable {
  package var what: String
  package var next: String?
  package var place: String? { nil }
  /// The count of characters before the mistake.
  package var column: Int?

  init(_ what: String, next: String? = nil, at column: Int? = nil) {
    (self.what, self.next, self.column) = (what, next, column)
  }
}

/// An action as JSON, or as its row shows it: a label, and what it carries as JSON.
package enum TypedAction: Sendable, Equatable {
  case json(Value)
  case label(String, Value?)

  private static let mostBlanks = 64

  init(_ text: String) throws(EditMistake) {
    if let first = text.first, "{[\"".contains(first) {
      do {
        self = .json(try Value(parsing: text))
        return
      } catch  where first != "[" {
        throw EditMistake(error, in: "the action")
      } catch {}
    }
    var payload: Substring?
    for blank in text.indices.lazy.filter({ text[$0] == " " }).prefix(Self.mostBlanks) {
      let rest = text[blank...].dropFirst()
      guard let first = rest.first, "{[\"-0123456789tfn".contains(first) else { continue }
      if let value = try? Value(parsing: String(rest)) {
        self = .label(String(text[..<blank]), value)
        return
      }
      if payload == nil, "{\"".contains(first) { payload = rest }
    }
    if let payload { _ = try payload.typedValue(in: text) }
    self = .label(text, nil)
  }

  package var label: String? { if case .label(let label, _) = self { label } else { nil } }

  /// The shortest text that means this action, where the label belongs to another one.
  static func text(_ action: Value, label: String, like known: Value?) -> String {
    let content = ValuePreview.content(of: action, label: label)
    let short = label + (content.map { " " + $0.text() } ?? "")
    let meant = content.map { known?.carrying($0, label: label) } ?? known
    return meant == action && (try? Self(short)) == .label(label, content) ? short : action.text()
  }
}

/// The names that a typed edit may use.
package struct EditContext {
  var reads: [String] = []
  /// The questions of the effect that sent the step.
  var asked: [Question] = []
  var effects: [EffectChoice] = []
  var action: (String) -> Value? = { _ in nil }
  var labels: Set<String> = []
  var place: (Pointer) throws(EditMistake) -> Pointer = { $0 }
}

extension OpenSession {
  /// The names that an edit at a position may use; only those in the edit are looked up.
  package func context(of edit: TypedEdit, at position: Position) async throws -> EditContext {
    var context = EditContext()
    context.reads = try step(at: position).step.reads.map(\.key)
    context.asked = try effectReads(at: position).map { Question($0) }
    var label: String?
    switch edit.content {
    case .set(let place, _):
      let found = try await resolved(place, of: position.branch)
      context.place = { _ in found }
    case .action(let action, _): label = action.label
    case .answer(let text):
      let effects = try await pendingEffects(at: position).map { pending in
        let known = try pending.question.map { try replies(to: $0) } ?? []
        return EffectChoice(pending, replies: known.map { Offer($0) })
      }
      context.effects = effects
      label = (try? AnswerWords(text, effects)).flatMap {
        try? TypedAction(String($0.text)).label
      }
    case .skip, .move, .read: break
    }
    guard let label, !label.isEmpty, let steps = branch(position.branch)?.steps else {
      return context
    }
    let before = stride(from: position.step, through: steps.lowerBound + 1, by: -1)
    for number in [before, stride(from: position.step + 1, through: steps.upperBound, by: 1)]
      .joined()
    {
      try Task.checkCancellation()
      let step = try step(at: Position(branch: position.branch, step: number)).step
      guard step.damage == nil, step.set == nil else { continue }
      if step.label == label {
        context.action = { $0 == label ? step.action : nil }
        return context
      }
      context.labels.insert(step.label)
    }
    return context
  }
}

extension TypedEdit {
  package func edits(at step: Int, _ context: EditContext) throws(EditMistake) -> [Edit] {
    switch content {
    case .skip: return [.skip(step: step)]
    case .action(let typed, let replaces):
      let action = try typed.action(context)
      return [
        replaces ? .replace(step: step, action: action) : .insert(after: step, action: action)
      ]
    case .set(let place, let value):
      return [.set(step: step, pointer: try context.place(place), value: value)]
    case .move(let offset): return [.move(step: step, by: offset)]
    case .read(let text, let isError):
      let (key, index, new) = try read(text, context, step)
      let value = try new.typedValue(in: text)
      let outcome: Read.Outcome = isError ? .failure(value) : .value(value)
      if !context.reads.contains(key) {
        return [.reply(Reply(to: context.asked.filter { $0.key == key }[index], outcome))]
      }
      return [.read(step: step, key: key, index: index, outcome: outcome)]
    case .answer(let text):
      return try AnswerWords(text, context.effects).edits(after: step, context)
    }
  }

  /// Where the fork has to leave its parent: an effect that has sent the step is asked before.
  package func place(of edits: [Edit], at step: Int) -> Int {
    if case .read = content, case .reply? = edits.first { step - 1 } else { step }
  }

  /// The question that this edit puts to the outside world.
  package func asked(_ context: EditContext) -> (question: Question, effect: EffectID)? {
    guard case .answer(let text) = content, let words = try? AnswerWords(text, context.effects),
      words.isAsked, let question = words.effect.question
    else { return nil }
    return (question, words.effect.number)
  }

  /// `KEY=VALUE`, or `KEY[1]=VALUE` for the second value of this key.
  private func read(
    _ text: String, _ context: EditContext, _ step: Int
  ) throws(EditMistake) -> (key: String, index: Int, value: Substring) {
    let reads = context.reads + context.asked.map(\.key).filter { !context.reads.contains($0) }
    var read: (key: String, index: Int, value: Substring)?
    for key in Set(reads) where text.hasPrefix(key) && key.count >= read?.key.count ?? 0 {
      let rest = text.dropFirst(key.count)
      if rest.first == "=" {
        read = (key, 0, rest.dropFirst())
      } else if rest.first == "[", let end = rest.firstRange(of: "]="),
        let index = Int(rest[..<end.lowerBound].dropFirst()), index >= 0,
        index < reads.count(where: { $0 == key })
      {
        read = (key, index, rest[end.upperBound...])
      }
    }
    if let read { return read }
    throw EditMistake(
      "step \(step) did not read \(String(text.prefix { $0 != "=" }).clipped())",
      next: reads.isEmpty
        ? "--answer can answer an effect in flight"
        : "It read \(Set(reads).sorted().joined(separator: ", "))",
      at: 0)
  }
}

extension TypedAction {
  func action(_ context: EditContext) throws(EditMistake) -> Value {
    guard case .label(let label, let content) = self else {
      if case .json(let action) = self { return action }
      return .null
    }
    guard let known = context.action(label) else {
      throw EditMistake(
        label.isEmpty ? "no action yet" : "no recorded action has the label \(label.clipped())",
        next: nearest(label, context.labels).map { "Did you mean \($0)?" }
          ?? "Write the action as JSON", at: 0)
    }
    guard let content else { return known }
    if let action = known.carrying(content, label: label) { return action }
    throw EditMistake("\(label) cannot carry this", next: "Write the whole action as JSON")
  }
}

/// The next action of an effect: its name, a word and a text.
struct AnswerWords {
  var effect: EffectChoice
  /// The word and the text.
  var rest: Substring
  var word: Substring
  var text: Substring

  static let replies = ["value", "error", "nearest", "ask"]
  static let all = ["send", "finish", "fail", "cancel"] + replies

  init(_ typed: String, _ effects: [EffectChoice]) throws(EditMistake) {
    func begins(_ name: String) -> Bool { typed == name || typed.hasPrefix(name + " ") }
    let exact = effects.first { begins("\($0.name)#\($0.number)") }
    let named = effects.filter { begins($0.name) }.max { $0.name.count < $1.name.count }
    guard let effect = exact ?? named else {
      let names = effects.map { $0.typedName(among: effects) }
      throw EditMistake(
        typed.isEmpty ? "no effect yet" : "no effect “\(typed.clipped())” is in flight here",
        next: names.isEmpty ? nil : "In flight: \(names.joined(separator: ", "))", at: 0)
    }
    self.effect = effect
    let name = exact == nil ? effect.name : "\(effect.name)#\(effect.number)"
    rest = typed.dropFirst(name.count).drop { $0 == " " }
    word = rest.prefix { $0 != " " }
    text = rest.dropFirst(word.count).drop { $0 == " " }
  }

  var isAsked: Bool { word == "ask" && effect.question != nil }

  func edits(after step: Int, _ context: EditContext) throws(EditMistake) -> [Edit] {
    func edits(_ outcomes: EffectAnswer.Outcome...) -> [Edit] {
      outcomes.map { .answer(EffectAnswer(effect: effect.number, after: step, outcome: $0)) }
    }
    do throws(EditMistake) {
      switch (word, effect.question) {
      case ("send", _): return edits(.emit(action: try action(context)))
      case ("finish", _):
        return text.isEmpty ? edits(.finish) : edits(.emit(action: try action(context)), .finish)
      case ("fail", _): return edits(.fail(message: String(text)))
      case ("cancel", _): return edits(.cancel)
      case ("value", let question?):
        return [.reply(Reply(to: question, .value(try text.typedValue(in: text))))]
      case ("error", let question?):
        return [.reply(Reply(to: question, .failure(try text.typedValue(in: text))))]
      case ("nearest", let question?):
        for case .reply(let outcome) in (effect.offers ?? []).map(\.content) {
          return [.reply(Reply(to: question, outcome))]
        }
        throw EditMistake("no recorded answer is to \(question.key)", next: nil)
      default:
        let known = Self.all.filter { effect.question != nil || !Self.replies.contains($0) }
        throw EditMistake(
          word.isEmpty
            ? "how does \(effect.name) go on?"
            : "“\(String(word).clipped())” is no end of an effect",
          next: "Write \(known.joined(separator: ", "))", at: 0)
      }
    } catch {
      var mistake = error
      mistake.column = mistake.column.map {
        $0
          + text.base.distance(
            from: text.base.startIndex,
            to: word.isEmpty || $0 > 0 ? text.startIndex : word.startIndex)
      }
      throw mistake
    }
  }

  private func action(_ context: EditContext) throws(EditMistake) -> Value {
    try TypedAction(String(text)).action(context)
  }
}

extension EffectChoice {
  /// By its name alone only if no other effect has it.
  func typedName(among effects: [EffectChoice]) -> String {
    effects.count { $0.name == name } < 2 ? name : "\(name)#\(number)"
  }
}

extension EditMistake {
  init(_ error: ParseError, in what: String, at start: Int = 0) {
    self.init(
      "\(what) is not JSON: \(error.what), column \(error.column)", at: start + error.column - 1)
  }
}

extension StringProtocol where SubSequence == Substring {
  /// The `=` behind a place, whose keys may have one in quotes.
  var signOfValue: String.Index? {
    var isQuoted = false
    return indices.first {
      if self[$0] == "\"" { isQuoted.toggle() }
      return self[$0] == "=" && !isQuoted
    }
  }

  /// JSON, or a text without its quotes.
  func typedValue(in whole: some StringProtocol) throws(EditMistake) -> Value {
    do { return try Value(parsing: String(self)) } catch {
      guard let first, "{[\"".contains(first) else { return .string(String(self)) }
      throw EditMistake(
        error, in: "this", at: whole.distance(from: whole.startIndex, to: startIndex))
    }
  }
}

extension Value {
  /// This action with another content, where its row shows that; nil if it cannot carry it.
  func carrying(_ content: Value, label: String) -> Value? {
    carrying(content, label.prefix(1_000).split(separator: ".")[...], of: label)
  }

  private func carrying(
    _ content: Value, _ names: ArraySlice<Substring>, of label: String
  ) -> Value? {
    guard case .object(var object) = self else { return self == .string(label) ? nil : content }
    if let name = names.first.map(String.init), object.count == 1 {
      let (key, inner) = (object[0].key, object[0].value)
      if key == name {
        return inner.carrying(content, names.dropFirst(), of: label).map { .object([key: $0]) }
      }
      if key == "_0", case .object(let next) = inner, next.count == 1, next[0].key == name {
        return next[0].value.carrying(content, names.dropFirst(), of: label).map {
          .object([key: .object([name: $0])])
        }
      }
    }
    var rest = object
    let isTyped = object["type"] == .string(label)
    if isTyped { rest["type"] = nil }
    let holders = ["_0", "payload"]
    if let holder = rest.isEmpty && isTyped ? "payload" : rest.count == 1 ? rest[0].key : nil,
      holders.contains(holder)
    {
      object[holder] = content
      return .object(object)
    }
    guard isTyped else { return content }
    guard case .object(let members) = content else { return nil }
    return .object(ValueObject([(key: "type", value: .string(label))] + Array(members)))
  }
}
