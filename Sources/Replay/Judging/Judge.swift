import SessionWords

/// Decides what the steps of a branch are worth: keeps what nobody knows of them.
///
/// Within one run it only grows. What the user settles is an edit, and with it the branch runs anew.
struct Judge: Sendable {
  /// In the order in which it came in.
  private(set) var assumptions: [Assumption] = []
  /// What a step is worth that comes now.
  private(set) var values = Standing.Values.recorded
  private var known: Set<Known> = []
  private var openEffects: Set<Int> = []
  private var toldCount = 0

  /// One effect is told once, whatever it does; a read at each step.
  private struct Known: Hashable {
    var kind: Assumption.Kind
    var subject: Assumption.Subject
    var step: Int?
  }

  var isEmpty: Bool { assumptions.isEmpty }

  /// Whether this effect may speak at any moment.
  func isOpen(_ effect: Int) -> Bool { openEffects.contains(effect) }

  /// What this effect waits for, where somebody found out.
  func question(of effect: Int) -> Question? {
    assumptions.last { $0.subject == .effect(effect) && $0.question != nil }?.question
  }

  mutating func assume(_ assumption: Assumption) {
    var step: Int? = assumption.step
    if case .effect = assumption.subject { step = nil }
    let new = Known(kind: assumption.kind, subject: assumption.subject, step: step)
    guard known.insert(new).inserted else { return }
    assumptions.append(assumption)
    values = max(values, assumption.kind.values)
    if assumption.kind == .open, case .effect(let effect) = assumption.subject {
      openEffects.insert(effect)
    }
  }

  /// What came in since this was last asked.
  mutating func takeNew() -> [Assumption] {
    guard toldCount < assumptions.count else { return [] }
    defer { toldCount = assumptions.count }
    return Array(assumptions[toldCount...])
  }

  /// From here on all is told again, to somebody else.
  mutating func tellAll() { toldCount = 0 }
}

extension Assumption {
  /// After which step of its branch it came in: an effect may speak from the step on after the one that
  /// started it.
  var raisedAt: Int { kind == .open ? step - 1 : step }
}

/// The sentences.
extension Assumption {
  init(_ doubt: StepReads.Doubt, at step: Int) {
    let asked = doubt.asked
    let (kind, sentence): (Kind, String) =
      switch doubt.reason {
      case .notRecorded:
        (.substituted, "no “\(asked.text)” was recorded here: a substitute was taken")
      case .otherTime:
        (.substituted, "“\(asked.key)” was read at another time: the branch's time was taken")
      case .otherwise(let recorded):
        (.stale, "\(asked.text) is asked, and \(recorded.text) was recorded: its answer was taken")
      case .refused(let reason):
        (.substituted, "what was recorded could not be used for \(asked.key): \(reason)")
      case .unclear:
        (
          .stale,
          "whether “\(asked.key)” is asked as it was cannot be told: what was recorded was taken"
        )
      }
    self.init(kind, .read(key: asked.key, index: doubt.index), from: step, sentence)
  }

  /// An effect of which nobody knows what it does behind this step.
  static func open(
    _ entry: EffectBook.Entry, after step: Int, _ reason: Silence
  ) -> Self {
    var open = Self(
      .open, .effect(entry.number), from: step + 1,
      "\(entry.words) \(reason.words)")
    if case .onTape(_, let question) = reason { open.question = question }
    return open
  }

  enum Silence {
    case unanswered, asksOtherwise, notCancelled, perhapsCancelled, pastTheEnd, stoppedLive
    /// It was run on the tape, up to here.
    case onTape(String, Question?)

    fileprivate var words: String {
      switch self {
      case .unanswered: "is unanswered: it may speak at any moment"
      case .asksOtherwise: "was started under other circumstances: it may speak at any moment"
      case .notCancelled:
        "was cancelled here when it was recorded: what it does from here on is not known"
      case .perhapsCancelled:
        "was started before the session begins: whether it is cancelled here is not known"
      case .pastTheEnd: "runs on after the recording ended: what it does there was not seen"
      case .stoppedLive: "was stopped when it ran live: how it goes on is not known"
      case .onTape(let words, _): words
      }
    }
  }

  static func tie(_ entry: EffectBook.Entry, at step: Int) -> Self {
    Self(
      .stale, .effect(entry.number), from: step,
      "\(entry.words) goes on at the same time as another one: which comes first is not known")
  }

  static func oldAnswer(of entry: EffectBook.Entry, at step: Int) -> Self {
    Self(
      .stale, .effect(entry.number), from: step,
      entry.isTrusted
        ? "an earlier answer of \(entry.words) was left out"
        : "an old answer: \(entry.words) was started under other circumstances")
  }

  static func oldEnd(of entry: EffectBook.Entry, at step: Int) -> Self {
    Self(
      .stale, .effect(entry.number), from: step,
      "an old end: \(entry.words) was started under other circumstances")
  }

  static func notSent(at step: Int) -> Self {
    Self(
      .stale, .action, from: step,
      "no reducer has sent it before this place: the recorded action was taken")
  }

  static func setByHand(_ pointer: String, at step: Int) -> Self {
    Self(
      .edited, .state(pointer: pointer), from: step,
      "\(pointer.isEmpty ? "the state" : pointer) was set by hand")
  }

  /// The branch begins with a state that nobody recorded.
  static func otherStart(_ sentence: String, at step: Int) -> Self {
    Self(.substituted, .state(pointer: ""), from: step, sentence)
  }
}

extension EffectBook.Entry {
  var words: String { origin.words(number) }
}
