import SessionWords
import TimeTravel
import ValueTree

/// A continuation of the line: a row of the list above it.
struct ForkChoice: Sendable, Hashable {
  /// The text behind the word; behind the head, if it is a word itself.
  var text: String
  var isWord = false
  var title: String
  var note = ""
  var origin = ""
  /// Whether it is all that is needed.
  var isWhole = true
  var step: Int?
}

extension ForkLine {
  static let uses: [TypedEdit.Word: String] = [
    .send: "an action after this step", .replace: "this step's action by another",
    .skip: "this step", .set: "a value in the state after this step: PLACE=VALUE",
    .read: "what a dependency gave the reducer: KEY=VALUE",
    .throw: "an error that a dependency gave instead: KEY=VALUE",
    .answer: "an effect in flight: what it does next, or how it ends",
    .move: "this step later, or earlier with −N",
  ]

  private func isPossible(_ word: TypedEdit.Word) -> Bool {
    switch word {
    case .answer: !effects.isEmpty
    case .read, .throw: !(reads + effectReads).isEmpty
    default: true
    }
  }

  /// The rows of the list; none where the text says all itself.
  var choices: [ForkChoice] {
    let text = words.text
    guard text.utf8.count < 4_000 else { return [] }
    switch words.known {
    case nil:
      return TypedEdit.Word.allCases.filter {
        $0.rawValue.hasPrefix(words.word) && isPossible($0)
      }.map {
        ForkChoice(
          text: $0.rawValue, isWord: true, title: $0.rawValue, note: Self.uses[$0] ?? "",
          isWhole: $0 == .skip)
      }
    case .skip, .move: return []
    case .send, .replace:
      return isAction(text) ? [] : offers(typed: text[...]).map { choice(of: $0) }
    case .set: return text.signOfValue == nil ? places(text) : []
    case .read, .throw: return readings(text)
    case .answer: return answers(text)
    }
  }

  /// Whether it is more than a part of a label.
  func isAction(_ text: String) -> Bool {
    if case .label(_, nil)? = try? TypedAction(text) { false } else { true }
  }

  private func places(_ text: String) -> [ForkChoice] {
    guard let state else { return [] }
    let typed = TypedPlace.completions(of: text, in: state)
    var all = typed
    if text.isEmpty, case .object(let object) = state {
      all = object.prefix(1_000).map { ValuePath([.key($0.key)]).text }
    } else if TypedPlace.path(text, in: state)?.value(in: state) != nil {
      all.insert(text, at: 0)
    }
    return all.map { place in
      let value = TypedPlace.path(place, in: state)?.value(in: state)
      return ForkChoice(
        text: place + "=", title: place,
        note: value.map { ValuePreview.text($0, limit: 60) } ?? "", isWhole: false)
    }
  }

  private func readings(_ text: String) -> [ForkChoice] {
    var counts: [String: Int] = [:]
    return (reads + effectReads).compactMap { read in
      let index = counts[read.key, default: 0]
      counts[read.key] = index + 1
      let key = read.key + (index > 0 ? "[\(index)]" : "")
      guard key.hasPrefix(text), words.known == .read || !read.outcome.isError else { return nil }
      return ForkChoice(
        text: key + "=", title: key, note: ValuePreview.text(read.outcome.content, limit: 60),
        isWhole: false)
    }
  }

  private func answers(_ text: String) -> [ForkChoice] {
    guard let answer = try? answerWords else {
      guard wanted == nil else { return [] }
      return effects.filter { $0.name.hasPrefix(text) }.map { effect in
        let wait = effect.question.map { ", waits for \($0.text)" }
        return ForkChoice(
          text: effect.typedName(among: effects) + " ", title: effect.name,
          note: "started at step \(grouped(effect.startedAt))"
            + (wait ?? (effect.isUnanswered ? ", unanswered" : "")), isWhole: false)
      }
    }
    let (word, head) = (String(answer.word), String(text.dropLast(answer.rest.count)))
    let start = head.hasSuffix(" ") ? head : head + " "
    let isSaid = AnswerWords.all.contains(word) && answer.rest.count > word.count
    if isSaid, !answer.text.isEmpty,
      !["send", "finish"].contains(word) || isAction(String(answer.text))
    {
      return []
    }
    let found = offers(typed: isSaid ? answer.text : answer.rest).map { offer in
      var choice = choice(of: offer)
      choice.text = start + outcome(of: offer, word)
      return choice
    }
    if isSaid || wanted != nil { return found.filter { $0.text.hasPrefix(start + word) } }
    let uses = [
      ("finish", "it ends, without an action"), ("fail", "it fails with a message"),
      ("cancel", "it is cancelled"),
      ("value", "what \(answer.effect.question?.text ?? "") gives"),
      ("error", "the error that it gives instead"),
      ("nearest", "the recorded answer to the nearest question"),
      ("ask", "really asks, once: \(answer.effect.question?.price ?? "")"),
    ]
    return found
      + uses.filter { use in
        use.0.hasPrefix(word) && !found.contains { $0.text == start + use.0 }
          && (answer.effect.question != nil || !AnswerWords.replies.contains(use.0))
      }.map {
        let isWhole = ["finish", "cancel", "nearest", "ask"].contains($0.0)
        return ForkChoice(
          text: start + $0.0 + (isWhole ? "" : " "), title: $0.0, note: $0.1, isWhole: isWhole)
      }
  }

  private func outcome(of offer: Offer, _ word: String) -> String {
    switch offer.content {
    case .outcome(.emit(let action)):
      let isLast = word == "finish" || word != "send" && chosenEffect?.speaksOnce == true
      return (isLast ? "finish " : "send ") + text(of: action, offer.label)
    case .outcome(.finish): return "finish"
    case .outcome(.cancel): return "cancel"
    case .outcome(.fail(let message)): return "fail " + message
    case .reply(let outcome):
      return (outcome.isError ? "error " : "value ") + outcome.content.text()
    }
  }

  private func text(of action: Value, _ label: String) -> String {
    TypedAction.text(action, label: label, like: template(label))
  }

  /// The nearest action with a label.
  func template(_ label: String) -> Value? {
    (templates.first { $0.label == label } ?? own.flatMap { $0.label == label ? $0 : nil })?.action
  }

  private func choice(of offer: Offer) -> ForkChoice {
    ForkChoice(
      text: offer.action.map { text(of: $0, offer.label) } ?? "", title: offer.label,
      note: offer.payload, origin: offer.step.map { "step \(grouped($0))" } ?? "an example",
      step: offer.step)
  }

  /// The whole line with a choice taken.
  func line(taking choice: ForkChoice) -> String {
    choice.isWord
      ? words.head + choice.text + (choice.isWhole ? "" : " ") : words.start + choice.text
  }

  var chosen: ForkChoice? {
    let all = choices
    return all.indices.contains(selected) ? all[selected] : nil
  }

  // MARK: Its meaning

  var context: EditContext {
    var context = EditContext()
    context.reads = reads.map(\.key)
    context.asked = effectReads.map { Question($0) }
    context.effects = effects
    context.action = { template($0) }
    context.labels = Set(allOffers.filter { $0.action != nil }.map(\.label))
    let (state, text) = (state, words.text)
    context.place = { (place) throws(EditMistake) in
      guard let state else { return place }
      if let found = place.place(in: state), state[found] != nil { return found }
      throw EditMistake(
        TypedPlace.problem(with: String(text.prefix { $0 != "=" }), in: state), at: 0)
    }
    return context
  }

  /// The edits of these words, in the branch's numbers.
  func edits(_ words: Words) throws(EditMistake) -> [Edit] {
    if let unknown = words.unknown {
      throw EditMistake(
        "\(unknown) is not an option here", next: "Write --name NAME, --new or --stop")
    }
    guard let word = words.known ?? TypedEdit.Word(rawValue: words.word) else {
      let known = TypedEdit.Word.allCases.map(\.rawValue)
      let near = suggestion(for: words.word, among: known).map { "Did you mean \($0)?" }
      throw EditMistake(
        words.word.isEmpty ? "what changes?" : "“\(words.word)” is no edit",
        next: near ?? "Write \(known.joined(separator: ", "))")
    }
    var edits = try TypedEdit(word, words.text).edits(at: position.step, context)
    if case .heard(let heard) = asking, case .reply(let reply)? = edits.first,
      reply.question == heard.question, reply.outcome == heard.outcome
    {
      edits = [.reply(heard)]
    }
    return edits
  }

  /// The words that Enter runs: with the chosen row, else as typed.
  var meant: Words { chosen.map { Words(line(taking: $0)) } ?? words }

  // MARK: Completing

  /// The rest of a key of the app's actions or of the value, or of the chosen row.
  func completion(at cursor: Int, of line: [Character]) -> String? {
    guard line.count < 4_000 else { return nil }
    if let key = keyCompletion(at: cursor, of: line) { return key }
    guard cursor == line.count else { return nil }
    if words.known == .set, words.text.last == "=", let old = oldValue { return old.text() }
    guard let chosen else { return nil }
    let (typed, whole) = (String(line), self.line(taking: chosen))
    return whole.hasPrefix(typed) && whole != typed ? String(whole.dropFirst(typed.count)) : nil
  }

  /// The value at the typed place, or of the typed read.
  var oldValue: Value? {
    let typed = String(words.text.prefix { $0 != "=" })
    switch words.known {
    case .set:
      return state.flatMap { state in TypedPlace.path(typed, in: state)?.value(in: state) }
    default: return nil
    }
  }

  private func keyCompletion(at cursor: Int, of line: [Character]) -> String? {
    func isLetter(_ index: Int) -> Bool { line[index].isLetter || line[index].isNumber }
    guard cursor == line.count || !isLetter(cursor) else { return nil }
    let before = line[..<cursor]
    guard let quote = before.lastIndex(of: "\""), quote + 1 < cursor,
      let sign = before[..<quote].last(where: { $0 != " " }), sign == "{" || sign == ","
    else { return nil }
    let word = String(before[(quote + 1)...])
    return keys.first { $0.hasPrefix(word) && $0 != word }.map {
      $0.dropFirst(word.count) + (cursor == line.count ? "\":" : "")
    }
  }

  private var keys: [String] {
    var known: Set<String> = []
    var keys: [String] = []
    func add(_ value: Value) {
      switch value {
      case .object(let object):
        for member in object {
          if known.insert(member.key).inserted { keys.append(member.key) }
          add(member.value)
        }
      case .array(let array): array.prefix(3).forEach(add)
      default: break
      }
    }
    if let oldValue { add(oldValue) }
    allOffers.compactMap(\.action).forEach(add)
    return keys
  }
}
