import SessionFile
import SessionWords
import TimeTravel
import ValueTree

struct ForkForm: Sendable, Hashable {
  enum Field: Int, Sendable, Hashable, CaseIterable {
    case target, name, change, part, effect, read, template, answer, gives, text, rest
  }

  enum Change: String, Sendable, Hashable, CaseIterable {
    case insert = "send an action after this step"
    case replace = "replace this step's action"
    case skip = "skip this step"
    case answer = "answer an effect in flight"
    case set = "set a value in the state"
    case read = "change what a dependency gave"
  }

  enum Answer: String, Sendable, Hashable, CaseIterable {
    case emit = "sends an action"
    case last = "sends an action and finishes"
    case finish = "finishes"
    case fail = "fails"
    case cancel = "is cancelled"
    case reply = "gets an answer"
    case refusal = "gets an error"
    case live = "really asks, once"
  }

  static let firstOffer = 100

  var position: Position
  var field: Field
  var name: LineEditor
  var isNew = true
  var changes: [Change] = [.insert, .replace, .skip]
  var change = Change.insert
  var filter = LineEditor()
  var text = LineEditor()
  /// Whether the user typed the text: then offers do not replace it.
  var isTextTyped = false
  var drafts: [TextKind: Draft] = [:]
  var rest = Script.Rest.rerun
  var templates: [Offer] = []
  var isSearching = true
  /// Whether the host has yet to say which effects are in flight.
  var isAsking = true
  var selected = 0
  /// The action answers a request: the step that started it, if that is another step.
  var request: Int?
  /// The effect whose answers are offered, where only actions can answer.
  var answered: String?

  var (enter, pickKeys) = ("Enter", "↑ ↓")

  var effects: [EffectChoice] = []
  var effect = 0
  var answer = Answer.emit
  var asking = Asking.notYet
  var trouble: String?

  /// Asking for real needs a confirmation, then shows the answer.
  enum Asking: Sendable, Hashable {
    case notYet, warned, now
    case heard(Reply)
  }

  /// The answer to look for: a failure or not, of the kind of this label.
  struct Wanted: Sendable, Hashable {
    var isFailure: Bool
    var like: String
  }

  var wanted: Wanted?

  /// Whether it runs without a question, and so is not shown.
  var isUnasked: Bool { wanted != nil && (runsWhenFound || checking != nil) }

  /// Whether all offers are known that it waits for.
  var isReady: Bool {
    guard runsWhenFound else { return false }
    return (!text.text.isEmpty || !isSearching) && !(change == .answer && isAsking)
  }

  var state: Value?
  var part = LineEditor()
  var path: ValuePath?
  var oldValue: Value?

  var reads: [Read] = []
  var read = 0
  var givesError = false

  var problem: String?
  var checking: [Edit]?
  /// The edits that passed the check, or that the user confirmed.
  var accepted: [Edit]?
  var runsWhenFound = false
  var decided: [Edit]?
  var takenNames: Set<String> = []

  init(at position: Position, name: String) {
    self.position = position
    self.name = LineEditor(name)
    field = .template
  }

  var canChange: Bool { position.branch != .main }

  var answers: [Answer] {
    let all = Answer.allCases
    return chosenEffect?.question == nil
      ? all.filter { ![.reply, .refusal, .live].contains($0) } : all
  }

  var chosenEffect: EffectChoice? { effects.indices.contains(effect) ? effects[effect] : nil }

  var allOffers: [Offer] { templates + effects.flatMap { $0.offers ?? [] } }

  var offers: [Offer] {
    guard change == .answer else {
      let answers = templates.filter { $0.isAnswer && answered.map($0.label.hasPrefix) == true }
      return answers.isEmpty ? templates : answers
    }
    let own = sameFirst(chosenEffect?.offers ?? [])
    if chosenEffect?.question != nil, own.contains(where: \.isReply) {
      return own.filter { $0.isReply == (answer == .reply || answer == .refusal) }
    }
    return own.isEmpty ? templates : own + siblings(of: own)
  }

  /// The questions of the effect whose answer changes.
  private var questions: [Question] {
    change == .answer
      ? chosenEffect?.asked ?? [] : templates.first { $0.step == position.step }?.asked ?? []
  }

  private func sameFirst(_ offers: [Offer]) -> [Offer] {
    let questions = questions
    let same = offers.filter { $0.answers(questions) }
    return same + offers.filter { !$0.answers(questions) }
  }

  /// The step with the answer that is used as it was recorded.
  var stepOfAnswer: Int? {
    let offers = shownOffers
    guard change == .answer || wanted != nil, offers.indices.contains(selected),
      offers[selected].text == text.text
    else { return nil }
    return offers[selected].step
  }

  /// The other cases of actions that an effect sent: for a recorded success, the failure.
  private func siblings(of own: [Offer]) -> [Offer] {
    let known = Set(own.map(\.label))
    let parents = Set(own.filter { $0.action != nil }.compactMap { Self.parent(of: $0.label) })
    return templates.filter { offer in
      Self.parent(of: offer.label).map(parents.contains) == true && !known.contains(offer.label)
    }
  }

  var shownOffers: [Offer] {
    let words = filter.text.lowercased().split(separator: " ")
    if let wanted { return offers(wanted) }
    guard !words.isEmpty else {
      var labels: Set<String> = []
      return change == .answer ? offers : offers.filter { labels.insert($0.label).inserted }
    }
    return offers.enumerated().compactMap { index, offer in
      offer.rank(words).map { (rank: $0, index: index, offer: offer) }
    }.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.offer)
  }

  private static func parent(of label: String) -> Substring? {
    label.lastIndex { "./".contains($0) }.map { label[..<$0] }
  }

  /// The recorded answers of a kind first, then the actions whose names begin alike, nearest first.
  private func offers(_ wanted: Wanted) -> [Offer] {
    let own = change == .answer ? chosenEffect?.offers ?? [] : []
    func likeness(_ offer: Offer) -> Int {
      zip(offer.label, wanted.like).prefix { $0 == $1 }.count
    }
    let parent = Self.parent(of: wanted.like) ?? ""
    let others = offers.filter {
      !own.contains($0) && likeness($0) > 2 && Self.parent(of: $0.label) ?? "" == parent
    }
    return sameFirst(own + others.sorted { likeness($0) > likeness($1) }).filter {
      $0.isAnswer && $0.isFailure == wanted.isFailure
    }
  }

  var fields: [Field] {
    var fields: [Field] = canChange ? [.target] : []
    if isNew { fields.append(.name) }
    fields.append(.change)
    switch change {
    case .insert, .replace: fields += [.template, .text]
    case .skip: break
    case .answer:
      fields += [.effect, .template, .answer]
      if answer.textKind != nil { fields.append(.text) }
    case .set: fields += [.part, .text]
    case .read: fields += [.read, .gives, .text]
    }
    if isNew { fields.append(.rest) }
    return fields
  }

  mutating func move(by offset: Int) {
    field = fields.next(after: field, by: offset)
    text.showStart()
  }

  // MARK: Filling in

  mutating func fill(from moment: Moment) {
    effects = moment.inFlight.map(EffectChoice.init)
    reads = moment.step.reads
    state = moment.state
    if !effects.isEmpty, !changes.contains(.answer) { changes.append(.answer) }
    if !reads.isEmpty, changes.contains(.skip) { changes.append(.read) }
    if state != nil, !changes.contains(.set) { changes.append(.set) }
  }

  /// A host that sees no effects gets the answer as an action: instead of the recorded one, or now.
  mutating func answerByAction(_ effect: EffectSpan) {
    position.step = effect.end?.step ?? position.step
    request = effect.origin.step
    answered = "\(effect.name)/"
    choose(effect.end == nil ? .insert : .replace)
  }

  mutating func add(_ found: [ActionTemplate]) {
    let (known, labels) = (Set(templates), Set(templates.map(\.label)))
    templates += found.filter { $0.step != nil || !labels.contains($0.label) }.map { Offer($0) }
      .filter { !known.contains($0) }
    if text.text.isEmpty, change == .insert || change == .replace { takeOffer() }
    if change == .answer, chosenEffect?.offers?.isEmpty != false { offerAnswer() }
  }

  mutating func add(
    _ pending: [PendingEffect], _ replies: [String: [RecordedReply]],
    _ asked: [EffectID: [Question]]
  ) {
    let number = chosenEffect?.number
    effects = pending.map {
      let replies = $0.question.flatMap { replies[$0.key] } ?? []
      return EffectChoice($0, replies: replies.map { Offer($0) }, asked: asked)
    }
    // A key that chose an effect answers no other one.
    effect = effects.firstIndex { $0.number == number } ?? (wanted == nil ? 0 : effects.count)
    if change != .answer || !isTextTyped { chooseAnswer() }
    if !changes.contains(.answer), !effects.isEmpty { changes.append(.answer) }
    if change == .answer { offerAnswer() }
  }

  /// An effect that waits for an answer gets one; others send an action.
  mutating func chooseAnswer() { answer = chosenEffect?.question == nil ? .emit : .reply }

  private mutating func offerAnswer() {
    if !isTextTyped, ![.finish, .cancel].contains(answer) { takeOffer() }
  }

  mutating func takeOffer() {
    problem = nil
    let shown = shownOffers
    if shown.indices.contains(selected) { return takeOffer(shown[selected]) }
    isTextTyped = false
    text.replace(with: "")
    if let typed = try? Value(parsing: filter.text), case .object = typed { put(typed.text()) }
  }

  mutating func put(_ new: String) {
    text.replace(with: new)
    text.showStart()
  }

  private mutating func takeOffer(_ offer: Offer) {
    let isLast = offer.answer == .emit && chosenEffect?.speaksOnce == true
    choose(isLast ? .last : offer.answer)
    isTextTyped = false
    if let text = offer.text { put(text) }
  }

  mutating func choose(_ change: Change) {
    self.change = change
    selected = 0
    drafts = [:]
    isTextTyped = false
    text.replace(with: "")
    problem = nil
    switch change {
    case .insert, .replace: takeOffer()
    case .answer:
      chooseAnswer()
      takeOffer()
    case .skip, .set: break
    case .read: chooseRead(read)
    }
  }

  mutating func chooseRead(_ index: Int) {
    guard reads.indices.contains(index) else { return }
    read = index
    drafts = [:]
    givesError = reads[index].outcome.isError
    put(reads[index].outcome.content.text())
  }

  // MARK: Its name

  mutating func hasFreeName() -> Bool {
    problem = Self.problem(withName: name.text, taken: takenNames)
    if problem != nil { field = .name }
    return problem == nil
  }

  static func problem(withName name: String, taken: Set<String>) -> String? {
    SavedBranch.problem(withName: name)
      ?? (taken.contains(name) ? "there is a branch “\(name)” already" : nil)
  }
}
