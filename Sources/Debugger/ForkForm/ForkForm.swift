import SessionWords
import TimeTravel
import ValueTree

/// What shall be otherwise: filled in before a fork runs.
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

  /// What an effect is made to do.
  enum Answer: String, Sendable, Hashable, CaseIterable {
    case emit = "sends an action"
    case last = "sends an action and finishes"
    case finish = "finishes"
    case fail = "fails"
    case cancel = "is cancelled"
    case reply = "gets an answer"
    case refusal = "gets an error"
    case live = "is asked for real, once"
  }

  /// The first number of a choice in the picture that is an offer; those before are fields.
  static let firstOffer = 100

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
  /// Somebody has typed it: no offer takes its place by itself.
  var isTextTyped = false
  /// Of the effect or the read that is chosen: what else the text was, for when it is that again.
  var drafts: [TextKind: Draft] = [:]
  var rest = Script.Rest.rerun
  var templates: [Offer] = []
  var isSearching = true
  /// Among those that pass the filter.
  var selected = 0

  /// The user's keys that run it and that pick an offer.
  var (enter, pickKeys) = ("Enter", "↑ ↓")

  // Of an effect.
  var effects: [EffectChoice] = []
  var effect = 0
  var answer = Answer.emit
  /// How far it is with what is asked for real.
  var asking = Asking.notYet
  /// Why the host cannot say what was recorded.
  var trouble: String?

  /// What is asked for real is said twice, and then looked at.
  enum Asking: Sendable, Hashable {
    case notYet, warned, now
    case heard(Reply)
  }

  /// What the step's own action is, once the moment was read.
  var action: Value?

  // Of a value in the state.
  var state: Value?
  /// Its path, as it is typed.
  var part = LineEditor()
  var path: ValuePath?
  var oldValue: Value?

  // Of a read.
  var reads: [Read] = []
  var read = 0
  var givesError = false

  var problem: String?
  /// Enter was pressed; the host is asked whether this can be.
  var checking: BranchChange?
  /// Nothing speaks against it, or it is wanted all the same.
  var accepted: BranchChange?
  /// Enter was pressed before there was anything to choose.
  var runsWhenFound = false
  /// What came of it: the form is done.
  var decided: BranchChange?
  /// The names that a new fork cannot have, as they are now.
  var takenNames: Set<String> = []

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
    return chosenEffect?.question == nil
      ? all.filter { ![.reply, .refusal, .live].contains($0) } : all
  }

  var chosenEffect: EffectChoice? { effects.indices.contains(effect) ? effects[effect] : nil }

  var allOffers: [Offer] { templates + effects.flatMap { $0.offers ?? [] } }

  /// What can be picked, whatever the filter.
  var offers: [Offer] {
    guard change == .answer else { return templates }
    let own = chosenEffect?.offers ?? []
    if chosenEffect?.question != nil, own.contains(where: \.isReply) {
      return own.filter { $0.isReply == (answer == .reply || answer == .refusal) }
    }
    return own.isEmpty ? templates : own + siblings(of: own)
  }

  /// The other cases of what an effect was seen to send: where a success was recorded, the failure.
  private func siblings(of own: [Offer]) -> [Offer] {
    func parent(_ label: String) -> Substring? {
      label.lastIndex { $0 == "." || $0 == "/" }.map { label[..<$0] }
    }
    let known = Set(own.map(\.label))
    let parents = Set(own.filter { $0.action != nil }.compactMap { parent($0.label) })
    return templates.filter { offer in
      parent(offer.label).map(parents.contains) == true && !known.contains(offer.label)
    }
  }

  /// One of each label; all of those that have what was typed in their label or in what they carry.
  var shownOffers: [Offer] {
    let words = filter.text.lowercased().split(separator: " ")
    guard !words.isEmpty else {
      var labels: Set<String> = []
      return change == .answer ? offers : offers.filter { labels.insert($0.label).inserted }
    }
    return offers.enumerated().compactMap { index, offer in
      offer.rank(words).map { (rank: $0, index: index, offer: offer) }
    }.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.offer)
  }

  /// How many others have the label of an offer.
  func others(like offer: Offer) -> Int {
    filter.text.isEmpty && change != .answer ? offers.count { $0.label == offer.label } - 1 : 0
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
      if ![.finish, .cancel, .live].contains(answer) { fields.append(.text) }
    case .set: fields += [.part, .text]
    case .read: fields += [.read, .gives, .text]
    }
    if isNew { fields.append(.rest) }
    return fields
  }

  mutating func move(by offset: Int) {
    let fields = fields
    let index = fields.firstIndex(of: field) ?? 0
    field = fields[(index + offset + fields.count) % fields.count]
    text.showStart()
  }

  // MARK: Filling in

  /// What can be changed at the step besides its action.
  mutating func fill(from moment: Moment) {
    effects = moment.inFlight.map(EffectChoice.init)
    reads = moment.step.reads
    action = moment.step.action
    state = moment.state
    if !effects.isEmpty, !changes.contains(.answer) { changes.append(.answer) }
    if !reads.isEmpty, changes.contains(.skip) { changes.append(.read) }
    if state != nil, !changes.contains(.set) { changes.append(.set) }
  }

  /// The nearest actions come first and stay first.
  mutating func add(_ found: [ActionTemplate]) {
    let known = Set(templates.map(\.label))
    // An example is for what nobody recorded.
    templates += found.filter { $0.step != nil || !known.contains($0.label) }.map { Offer($0) }
    if text.text.isEmpty, change == .insert || change == .replace { takeOffer() }
    if change == .answer, chosenEffect?.offers?.isEmpty != false { offerAnswer() }
  }

  /// What the host says of the effects in flight.
  mutating func add(_ pending: [PendingEffect], _ replies: [String: [RecordedReply]]) {
    let number = chosenEffect?.number
    effects = pending.map {
      EffectChoice($0, replies: ($0.question.flatMap { replies[$0.key] } ?? []).map { Offer($0) })
    }
    effect = effects.firstIndex { $0.number == number } ?? 0
    if change != .answer || !isTextTyped { chooseAnswer() }
    if !changes.contains(.answer), !effects.isEmpty { changes.append(.answer) }
    if change == .answer { offerAnswer() }
  }

  /// What waits for an answer gets one; else it speaks.
  mutating func chooseAnswer() { answer = chosenEffect?.question == nil ? .emit : .reply }

  private mutating func offerAnswer() {
    if !isTextTyped, ![.finish, .cancel].contains(answer) { takeOffer() }
  }

  /// Puts the selected offer into the other fields; where nothing fits what was typed, nothing.
  mutating func takeOffer() {
    problem = nil
    let shown = shownOffers
    if shown.indices.contains(selected) { return takeOffer(shown[selected]) }
    isTextTyped = false
    text.replace(with: "")
    if let typed = try? Value(parsing: filter.text), case .object = typed { put(typed.text()) }
  }

  /// A text to begin with: a long one is seen from its beginning.
  mutating func put(_ new: String) {
    text.replace(with: new)
    text.showStart()
  }

  private mutating func takeOffer(_ offer: Offer) {
    switch offer.content {
    case .outcome(.emit): choose(chosenEffect?.speaksOnce == true ? .last : .emit)
    case .outcome(.finish): choose(.finish)
    case .outcome(.cancel): choose(.cancel)
    case .outcome(.fail): choose(.fail)
    case .reply(let outcome): choose(outcome.isError ? .refusal : .reply)
    }
    isTextTyped = false
    if let text = offer.text { put(text) }
  }

  /// Begins the text anew for another change.
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
    case .skip: break
    case .set: put(oldValue?.text() ?? "")
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

  /// Whether a fork can be called so; notes what is wrong with it.
  mutating func hasFreeName() -> Bool {
    problem = Self.problem(withName: name.text, taken: takenNames)
    if problem != nil { field = .name }
    return problem == nil
  }

  static func problem(withName name: String, taken: Set<String>) -> String? {
    if name.allSatisfy({ $0 == " " }) { return "the fork needs a name" }
    if name.contains("/") || name.contains("@") {
      return "a name cannot hold / or @: positions are written file@branch/step"
    }
    return taken.contains(name) ? "there is a branch “\(name)” already" : nil
  }
}
