import SessionFile
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

/// The line of `:fork`: what it can change at a position, and what the host says of it.
struct ForkLine: Sendable, Hashable {
  /// `fork --name NAME WORD TEXT`, taken apart.
  struct Words: Sendable, Hashable {
    var name: String?
    var isNew = false
    var stops = false
    var unknown: String?
    var word = ""
    /// All before the word, and before the text behind it.
    var head = "fork "
    var start = "fork "
    var text = ""

    init(_ line: String = "") {
      var rest = line.drop { $0 == " " }.dropFirst("fork".count).drop { $0 == " " }
      func word() -> Substring { rest.prefix { $0 != " " } }
      while rest.hasPrefix("--") {
        let option = word()
        rest = rest.dropFirst(option.count).drop { $0 == " " }
        switch option {
        case "--new": isNew = true
        case "--stop": stops = true
        case "--name":
          let isQuoted = rest.first == "\""
          let name = isQuoted ? rest.dropFirst().prefix { $0 != "\"" } : word()
          self.name = String(name)
          rest = rest.dropFirst(name.count + (isQuoted ? 2 : 0)).drop { $0 == " " }
        default: unknown = unknown ?? String(option)
        }
      }
      head = String(line[..<rest.startIndex])
      self.word = String(word())
      text = String(rest.dropFirst(self.word.count + 1))
      start = String(line.dropLast(text.count))
    }

    /// Nil until it is typed, with a blank behind it.
    var known: TypedEdit.Word? {
      start.hasSuffix(" ") || [.skip, .none].contains(TypedEdit.Word(rawValue: word))
        ? TypedEdit.Word(rawValue: word) : nil
    }
  }

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

  var position: Position
  var words = Words()
  var templates: [Offer] = []
  var effects: [EffectChoice] = []
  var effect = 0
  var reads: [Read] = []
  /// The reads of the effect that sent the step.
  var effectReads: [Read] = []
  /// The step's own action, which `=` changes.
  private(set) var own: Offer?
  var state: Value?
  var isSearching = true
  /// Whether the host has yet to say which effects are in flight.
  var isAsking = true
  var trouble: String?
  /// The action answers a request: the step that started it, if that is another step.
  var request: Int?
  /// The effect whose answers are offered, where only actions can answer.
  var answered: String?
  var wanted: Wanted?
  var selected = 0
  /// The edits that Enter runs, if they are known.
  private(set) var coming: [Edit]?
  /// Why it is not known.
  private(set) var hint: String?
  var asking = Asking.notYet
  var problem: String?
  /// The count of characters of the line before the mistake.
  var mistake: Int?
  var isSubmitted = false
  /// Whether Enter waits for what is offered.
  var runsWhenFound = false
  var checking: [Edit]?
  /// The host's last answer about edits.
  var checked: Checked?
  var decided: [Edit]?
  /// The line as a choice or an answer has changed it.
  var newLine: String?
  var enter = "Enter"

  struct Checked: Sendable, Hashable {
    enum Outcome: Sendable, Hashable { case fine, isThere, problem, doubt(String) }
    var edits: [Edit]
    var outcome: Outcome
  }

  init(at position: Position) { self.position = position }

  var isWaiting: Bool { isSubmitted && checking != nil || runsWhenFound }

  var isNew: Bool { position.branch == .main || words.isNew || words.name != nil }

  mutating func type(_ line: String) {
    words = Words(line)
    selected = 0
    if let answer = try? answerWords { effect = effects.firstIndex(of: answer.effect) ?? effect }
    if asking == .warned { asking = .notYet }
    wanted = nil
    cancelSubmission()
    renew()
  }

  mutating func cancelSubmission() {
    (problem, mistake, checking) = (nil, nil, nil)
    (isSubmitted, runsWhenFound) = (false, false)
  }

  mutating func pick(by offset: Int) {
    let old = selected
    selected = min(max(selected + offset, 0), max(0, choices.count - 1))
    guard selected != old else { return }
    cancelSubmission()
    renew()
  }

  private static let mostAsTyped = 20_000

  /// Reads what Enter would run. A long text is only read then.
  mutating func renew() {
    (coming, hint) = (nil, nil)
    guard words.text.utf8.count < Self.mostAsTyped else { return }
    do {
      if chosen?.isWhole != false { coming = try edits(meant) }
    } catch {
      if !error.what.contains("is not JSON") { hint = error.sentence }
      mark(error, ifTyped: true)
    }
  }

  /// A word may still grow at the end of the line.
  mutating func mark(_ mistake: EditMistake, ifTyped isTyped: Bool = false) {
    let rest = words.text.dropFirst(mistake.column ?? 0)
    if isTyped {
      guard let column = mistake.column, column > 0 || words.known == .set,
        !rest.allSatisfy({ $0.isLetter || $0.isNumber })
      else { return }
    }
    problem = mistake.sentence
    self.mistake = words.start.count + (mistake.column ?? 0)
  }

  /// Whether the offers that it would run are still looked for.
  var mustWait: Bool {
    switch words.known {
    case .answer: (try? edits(words)) == nil && (isAsking || isSearching && choices.isEmpty)
    case .send, .replace:
      isSearching && choices.isEmpty
        && (try? TypedAction(words.text))?.label.map { template($0) == nil } == true
    default: false
    }
  }

  // MARK: Its choices

  var chosenEffect: EffectChoice? { effects.indices.contains(effect) ? effects[effect] : nil }

  var answerWords: AnswerWords? {
    get throws(EditMistake) {
      words.known == .answer ? try AnswerWords(words.text, effects) : nil
    }
  }

  var allOffers: [Offer] { templates + effects.flatMap { $0.offers ?? [] } }

  /// The questions of the effect whose answer changes.
  private var questions: [Question] {
    words.known == .answer
      ? chosenEffect?.asked ?? [] : templates.first { $0.step == position.step }?.asked ?? []
  }

  private func sameFirst(_ offers: [Offer]) -> [Offer] {
    let questions = questions
    let same = offers.filter { $0.answers(questions) }
    return same + offers.filter { !$0.answers(questions) }
  }

  private var offers: [Offer] {
    guard words.known == .answer else {
      let answers = templates.filter { $0.isAnswer && answered.map($0.label.hasPrefix) == true }
      return answers.isEmpty ? templates : answers
    }
    let own = sameFirst(chosenEffect?.offers ?? [])
    return own.isEmpty ? (isAsking ? [] : templates) : own + siblings(of: own)
  }

  /// The other cases of actions that an effect sent: for a recorded success, the failure.
  private func siblings(of own: [Offer]) -> [Offer] {
    let known = Set(own.map(\.label))
    let parents = Set(own.filter { $0.action != nil }.compactMap { Self.parent(of: $0.label) })
    return templates.filter { offer in
      Self.parent(of: offer.label).map(parents.contains) == true && !known.contains(offer.label)
    }
  }

  private static func parent(of label: String) -> Substring? {
    label.lastIndex { "./".contains($0) }.map { label[..<$0] }
  }

  /// The offers that what is typed finds; without it, one for each label.
  func offers(typed: Substring) -> [Offer] {
    if let wanted { return offers(wanted) }
    let words = typed.prefix(200).lowercased().split(separator: " ")
    guard !words.isEmpty else {
      var labels: Set<String> = []
      return self.words.known == .answer
        ? offers : offers.filter { labels.insert($0.label).inserted }
    }
    return offers.enumerated().compactMap { index, offer in
      offer.rank(words).map { (rank: $0, index: index, offer: offer) }
    }.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.offer)
  }

  /// The recorded answers of a kind first, then the actions whose names begin alike, nearest first.
  private func offers(_ wanted: Wanted) -> [Offer] {
    let own = words.known == .answer ? chosenEffect?.offers ?? [] : []
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

  // MARK: Filling in

  mutating func fill(from moment: Moment) {
    if effects.isEmpty { effects = moment.inFlight.map(EffectChoice.init) }
    (reads, effectReads) = (moment.step.reads, moment.effectReads)
    own = Offer(moment.step.label, moment.position.step, .emit(action: moment.step.action))
    state = moment.state
    renew()
  }

  /// A host that sees no effects gets the answer as an action: instead of the recorded one, or now.
  mutating func answerByAction(_ effect: EffectSpan) -> TypedEdit.Word {
    position.step = effect.end?.step ?? position.step
    request = effect.origin.step
    answered = "\(effect.name)/"
    return effect.end == nil ? .send : .replace
  }

  mutating func add(_ found: [ActionTemplate]) {
    let (known, labels) = (Set(templates), Set(templates.map(\.label)))
    templates += found.filter { $0.step != nil || !labels.contains($0.label) }.map { Offer($0) }
      .filter { !known.contains($0) }
    renew()
  }

  mutating func add(
    _ pending: [PendingEffect], _ replies: [Question: [RecordedReply]],
    _ asked: [EffectID: [Question]]
  ) {
    let number = chosenEffect?.number
    effects = pending.map {
      let replies = $0.question.flatMap { replies[$0] } ?? []
      return EffectChoice($0, replies: replies.map { Offer($0) }, asked: asked)
    }
    // A key that chose an effect answers no other one.
    effect = effects.firstIndex { $0.number == number } ?? (wanted == nil ? 0 : effects.count)
    renew()
  }

  /// The step with the answer that is used as it was recorded.
  var stepOfAnswer: Int? { words.known == .answer || wanted != nil ? chosen?.step : nil }

  static func problem(withName name: String, taken: Set<String>) -> String? {
    SavedBranch.problem(withName: name)
      ?? (taken.contains(name) ? "there is a branch “\(name)” already" : nil)
  }
}
