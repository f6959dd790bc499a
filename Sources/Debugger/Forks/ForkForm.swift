import SessionLog
import TimeTravel
import ValueTree

/// What shall be otherwise: filled in before a fork runs.
package struct ForkForm: Sendable, Hashable {
  package enum Field: Int, Sendable, Hashable, CaseIterable {
    case target, name, change, effect, read, template, answer, gives, text, rest
  }

  package enum Change: String, Sendable, Hashable, CaseIterable {
    case insert = "send an action after this step"
    case replace = "replace this step's action"
    case skip = "skip this step"
    case answer = "answer an effect in flight"
    case set = "set a value in the state"
    case read = "change what a dependency gave"
  }

  /// What an effect is made to do.
  package enum Answer: String, Sendable, Hashable, CaseIterable {
    case emit = "sends an action"
    case finish = "finishes"
    case fail = "fails"
    case cancel = "is cancelled"
    case reply = "gets an answer"
    case refusal = "gets an error"
  }

  var position: Position
  var field: Field
  var name: LineEditor
  /// Whether a new fork comes of it; else the one that is looked at is changed.
  var isNew = true
  /// Those that can be made here.
  var changes: [Change] = [.insert, .replace, .skip]
  var change = Change.insert
  var filter = LineEditor()
  /// An action or a value as JSON, or the message of a failure.
  var text = LineEditor()
  var rest = Script.Rest.rerun
  var templates: [Offer] = []
  var isSearching = true
  /// Among those that pass the filter.
  var selected = 0

  // Of an effect.
  var effects: [EffectChoice] = []
  var effect = 0
  var answer = Answer.emit
  /// Why the host cannot say what was recorded.
  var trouble: String?

  // Of a value in the state.
  var path: ValuePath?
  var oldValue: Value?

  // Of a read.
  var reads: [Read] = []
  var read = 0
  var givesError = false

  var problem: String?

  init(at position: Position, name: String) {
    self.position = position
    self.name = LineEditor(name)
    field = .template
  }

  /// Whether there is a fork that can be changed instead of making a new one.
  var canChange: Bool { position.branch != Branch.main }

  /// What the chosen effect can be made to do.
  var answers: [Answer] {
    let all = Answer.allCases
    return chosenEffect?.question == nil ? all.filter { $0 != .reply && $0 != .refusal } : all
  }

  var chosenEffect: EffectChoice? { effects.indices.contains(effect) ? effects[effect] : nil }

  /// What can be picked, whatever the filter.
  var offers: [Offer] {
    guard change == .answer, let offers = chosenEffect?.offers, !offers.isEmpty else {
      return templates
    }
    return offers
  }

  var shownOffers: [Offer] {
    let wanted = filter.text.lowercased()
    guard !wanted.isEmpty else { return offers }
    return offers.filter { $0.label.lowercased().contains(wanted) }
  }

  /// The fields that the chosen change needs.
  var fields: [Field] {
    var fields: [Field] = canChange ? [.target] : []
    if isNew { fields.append(.name) }
    fields.append(.change)
    switch change {
    case .insert, .replace: fields += [.template, .text]
    case .skip: break
    case .answer:
      fields += [.effect, .template, .answer]
      if ![.finish, .cancel].contains(answer) { fields.append(.text) }
    case .set: fields.append(.text)
    case .read: fields += [.read, .gives, .text]
    }
    if isNew { fields.append(.rest) }
    return fields
  }

  mutating func move(by offset: Int) {
    let fields = fields
    let index = fields.firstIndex(of: field) ?? 0
    field = fields[(index + offset + fields.count) % fields.count]
  }

  // MARK: Filling in

  /// What can be changed at the step besides its action.
  mutating func fill(from moment: Moment) {
    effects = moment.inFlight.map(EffectChoice.init)
    reads = moment.step.reads
    if !effects.isEmpty, !changes.contains(.answer) { changes.append(.answer) }
    if !reads.isEmpty, changes.contains(.skip) { changes.append(.read) }
  }

  /// The nearest actions come first and stay first.
  mutating func add(_ found: [ActionTemplate]) {
    templates += found.map(Offer.init)
    if text.text.isEmpty, change == .insert || change == .replace, let first = templates.first {
      take(first)
    }
  }

  /// What the host says of the effects in flight.
  mutating func add(_ pending: [PendingEffect]) {
    let number = chosenEffect?.number
    effects = pending.map(EffectChoice.init)
    effect = effects.firstIndex { $0.number == number } ?? 0
    if chosenEffect?.question != nil, text.text.isEmpty { answer = .reply }
    if !changes.contains(.answer), !effects.isEmpty { changes.append(.answer) }
    if change == .answer, text.text.isEmpty, answer == .emit { takeOffer() }
  }

  /// Puts the selected offer into the other fields.
  mutating func takeOffer() {
    let shown = shownOffers
    if shown.indices.contains(selected) { take(shown[selected]) }
  }

  private mutating func take(_ offer: Offer) {
    problem = nil
    switch offer.outcome {
    case .emit(let action):
      answer = .emit
      text.replace(with: action.text())
    case .finish: answer = .finish
    case .cancel: answer = .cancel
    case .fail(let message):
      answer = .fail
      text.replace(with: message)
    }
  }

  /// Begins the text anew for another change.
  mutating func choose(_ change: Change) {
    self.change = change
    selected = 0
    text.replace(with: "")
    problem = nil
    switch change {
    case .insert, .replace, .answer: takeOffer()
    case .skip: break
    case .set: text.replace(with: oldValue?.text() ?? "")
    case .read: chooseRead(read)
    }
  }

  mutating func chooseRead(_ index: Int) {
    guard reads.indices.contains(index) else { return }
    read = index
    switch reads[index].outcome {
    case .value(let value):
      givesError = false
      text.replace(with: value.text())
    case .failure(let error):
      givesError = true
      text.replace(with: error.text())
    }
  }
}

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
      guard let path else { return nil }
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
    case .finish: return .answer(effect: effect.number, outcome: .finish)
    case .fail: return .answer(effect: effect.number, outcome: .fail(message: text.text))
    case .cancel: return .answer(effect: effect.number, outcome: .cancel)
    case .reply, .refusal:
      guard let question = effect.question else { return nil }
      let isError = answer == .refusal
      return parsedText().map {
        .reply(Reply(to: question, isError ? .failure($0) : .value($0)))
      }
    }
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
    field = .text
    problem = nil
    if isJSON, let value = parsedText() { text.replace(with: value.text()) }
  }

  private mutating func parsedText() -> Value? {
    field = .text
    guard !text.text.isEmpty else {
      problem =
        change == .set || change == .read
        ? "no value yet: type it as JSON" : "no action yet: pick one above, or type it as JSON"
      return nil
    }
    do {
      return try Value(parsing: text.text)
    } catch {
      let line = text.characters.contains(where: \.isNewline) ? "line \(error.line), " : ""
      problem = "\(line)column \(error.column): \(error.what)"
      text.place(line: error.line, column: error.column)
      return nil
    }
  }
}
