import SessionWords
import ValueTree

/// Decides the standings of a branch's steps, and keeps their assumptions.
///
/// Assumptions only grow within a run. The user settles one by an edit, which runs the branch anew.
struct Classifier: Sendable {
  private(set) var assumptions: [Assumption] = []
  /// True on the way to the fork: the source's steps have standings already.
  var isSilent = false
  /// The source's effects that name cancel ids in their bodies, so no machine sees whom they
  /// cancel.
  var secretive: Set<EffectID> = []
  private var asRecorded: Set<Int> = []
  private var values = Standing.Values.recorded
  private var known: Set<Known> = []
  private var openEffects: Set<EffectID> = []
  private var opened: [Assumption] = []
  private var toldCount = 0

  private struct Known: Hashable {
    var kind: Assumption.Kind
    var subject: Assumption.Subject
    var step: Int?
  }

  var isEmpty: Bool { assumptions.isEmpty }

  func isOpen(_ effect: EffectID) -> Bool { openEffects.contains(effect) }

  func question(of effect: EffectID) -> Question? {
    assumptions.last { $0.subject == .effect(effect) && $0.question != nil }?.question
  }

  mutating func assume(_ assumption: Assumption) {
    guard !isSilent else { return }
    if assumption.kind == .open { opened.append(assumption) } else { inherit(assumption) }
  }

  /// Nothing comes between a turn's steps, so an effect sends after them.
  mutating func endTurn(before step: Int) {
    guard !opened.isEmpty else { return }
    for assumption in opened { inherit(assumption.moved(to: step)) }
    opened = []
  }

  /// Takes over an assumption of the parent (`forks/inherited-doubt`).
  mutating func inherit(_ assumption: Assumption) {
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

  // MARK: - Standings

  /// `forks/standing`: the standing of the next step, by its action, its reads, its assumptions and
  /// its outcome. It owns the assumptions since the last step.
  mutating func standing(
    _ outcome: Standing.Outcome = .new, action: Standing.Values = .recorded
  ) -> Standing {
    defer { toldCount = assumptions.count }
    return Standing(max(action, values), outcome, Array(assumptions[toldCount...]))
  }

  static func outcome(
    isStateEqual: Bool?, areEffectsEqual: Bool = true, isActionEqual: Bool = true
  ) -> Standing.Outcome {
    guard areEffectsEqual, isActionEqual else { return .different }
    return isStateEqual.map { $0 ? .equal : .different } ?? .new
  }

  // MARK: - Assumptions of a step

  /// Judges the values that it read (`answers/same-question`). If everything was equal so far, it
  /// asks the same, whatever was recorded.
  mutating func hear(_ reads: ComparedReads, at step: Int, isSameBefore: Bool) {
    for doubt in reads.doubts where !isSameBefore || doubt.reason != .unclear {
      assume(Assumption(doubt, at: step))
    }
  }

  /// Takes over the source step's assumptions, as far as its descendant uses the same.
  mutating func inherit(
    _ raised: [Assumption], at step: Int, _ reads: ComparedReads, _ edits: [EditedRead],
    isEdited: Bool
  ) {
    for assumption in raised {
      switch assumption.subject {
      case .read(let key, let index):
        guard reads.used.contains(where: { $0.key == key }),
          !edits.contains(where: { $0.key == key && $0.index == index })
        else { continue }
      case .effect, .action: if assumption.kind == .open || isEdited { continue }
      case .state: if assumption.kind == .edited { continue }
      }
      inherit(assumption.moved(to: step))
    }
  }

  mutating func inheritOpen(
    _ raised: [Assumption], before step: Int, _ matcher: EffectMatcher, _ script: ScriptPlan
  ) {
    for assumption in raised where assumption.kind == .open {
      guard case .effect(let effect) = assumption.subject, matcher.knows(effect),
        script.answers[effect] == nil
      else { continue }
      var own = assumption.moved(to: step)
      if let number = matcher.entry(matching: effect)?.number { own.subject = .effect(number) }
      inherit(own)
    }
  }

  /// A new effect that is not fully known may send from the next step on (`effects/stale-answer`
  /// and `effects/unanswered`).
  mutating func start(_ entry: EffectMatcher.Entry, after step: Int) {
    if entry.responder.isUnanswered {
      assume(.open(entry, after: step, .unanswered))
    } else if entry.asksOtherwise, entry.responder != .user {
      assume(.open(entry, after: step, .asksOtherwise))
    }
  }

  /// Judges an emission before it is reduced (`effects/stale-answer` and `effects/orphan`).
  mutating func emission(of entry: EffectMatcher.Entry, at step: Int) {
    if !entry.isTrusted || entry.hasLostEmission {
      assume(.oldAnswer(of: entry, at: step))
    }
  }

  /// If effects name cancel ids in their bodies, nothing tells whether a changed step cancels them
  /// (`endings/unseen-cancel`).
  mutating func unseenCancellations(_ matcher: EffectMatcher, after step: Int) {
    for entry in matcher.inFlight.values where entry.responder != .user {
      if entry.matched.map(secretive.contains) ?? false {
        assume(.open(entry, after: step, .namesIDs))
      }
    }
  }

  /// Whether the step of the source cancelled here what it did there, whoever names the ids.
  func isAsRecorded(_ source: Int) -> Bool { secretive.isEmpty || asRecorded.contains(source) }

  mutating func markAsRecorded(_ source: Int?) {
    if !secretive.isEmpty, let source { asRecorded.insert(source) }
  }

  /// Whether an effect that is not as recorded may have made this outside cancellation.
  func mayBeEffectsDoing(_ matcher: EffectMatcher, _ running: Set<EffectID>) -> Bool {
    secretive.intersection(running).contains { !(matcher.entry(matching: $0)?.isTrusted ?? false) }
  }

  /// Effects still running at the recording's end are unknown afterwards (`endings/unseen-cancel`).
  mutating func endOfRecording(_ matcher: EffectMatcher, after step: Int) {
    for entry in matcher.inFlight.values.sorted(by: { $0.number < $1.number })
    where entry.responder != .user && !entry.isPause {
      assume(.open(entry, after: step, .pastTheEnd))
    }
    endTurn(before: step + 1)
  }
}

extension Assumption {
  fileprivate func moved(to step: Int) -> Self {
    var moved = self
    moved.step = step
    return moved
  }
}

extension Assumption {
  init(_ doubt: ComparedReads.Doubt, at step: Int) {
    let asked = doubt.asked
    let (kind, sentence): (Kind, String) =
      switch doubt.reason {
      case .notRecorded:
        (
          .substituted,
          "no “\(asked.text)” was recorded here: "
            + (doubt.isLive ? "it was really asked" : "a substitute is used")
        )
      case .otherTime:
        (.substituted, "“\(asked.key)” was read at another time: the branch's time is used")
      case .otherwise(let recorded):
        (.stale, "\(asked.text) is asked, but \(recorded.text) was recorded: that answer is used")
      case .refused(let reason, let isEdited):
        (
          .substituted,
          "\(isEdited ? "your" : "the recorded") value for \(asked.key) does not decode: \(reason)"
        )
      case .unclear:
        (
          .stale,
          "“\(asked.key)” may be asked differently: the recorded answer is used"
        )
      }
    self.init(kind, .read(key: asked.key, index: doubt.index), from: step, sentence)
  }

  static func open(
    _ entry: EffectMatcher.Entry, after step: Int, _ reason: Silence
  ) -> Self {
    var open = Self(
      .open, .effect(entry.number), from: step + 1,
      "\(entry.words) \(reason.words)")
    if case .onTape(_, let question) = reason { open.question = question }
    return open
  }

  enum Silence {
    case unanswered, asksOtherwise, notCancelled, pastTheEnd, stoppedLive
    /// Its cancel id is known as a text alone.
    case perhapsCancelled(isFromBefore: Bool)
    case cancelledAsRecorded, readsShared, namesIDs, notCancelledByEffect
    case onTape(String, Question?)

    fileprivate var words: String {
      switch self {
      case .unanswered: "is unanswered: it may send an action at any moment"
      case .asksOtherwise:
        "was started under different conditions: it may send an action at any moment"
      case .notCancelled:
        "was cancelled here in the recording: what it would do next is unknown"
      case .perhapsCancelled(let isFromBefore):
        (isFromBefore
          ? "was started before the session begins" : "was started by a step that is not run again")
          + ": it may or may not be cancelled here"
      case .cancelledAsRecorded:
        "may be cancelled here: the store does not tell what an edited step cancels"
      case .readsShared: "may read a shared value, which is another one here"
      case .namesIDs:
        "names its cancel ids itself: whether it is cancelled here is unknown"
      case .notCancelledByEffect:
        "may have been cancelled by another effect, which differs here"
      case .pastTheEnd: "was still running when the recording ended: what it does next is unknown"
      case .stoppedLive: "was stopped during its live run: what it does next is unknown"
      case .onTape(let words, _): words
      }
    }
  }

  static func tie(_ entry: EffectMatcher.Entry, at step: Int) -> Self {
    Self(
      .stale, .effect(entry.number), from: step,
      "\(entry.words) acts at the same time as another one: which comes first is unknown")
  }

  static func oldAnswer(of entry: EffectMatcher.Entry, at step: Int) -> Self {
    Self(
      .stale, .effect(entry.number), from: step,
      entry.isTrusted
        ? "an earlier answer of \(entry.words) was left out"
        : "an old answer: \(entry.words) was started under different conditions")
  }

  static func oldEnd(of entry: EffectMatcher.Entry, at step: Int) -> Self {
    Self(
      .stale, .effect(entry.number), from: step,
      "an old end: \(entry.words) was started under different conditions")
  }

  static func notSent(at step: Int) -> Self {
    Self(
      .stale, .action, from: step,
      "the reducer did not send it here: the recorded action is used")
  }

  static func setByHand(_ pointer: Pointer, at step: Int) -> Self {
    Self(
      .edited, .state(pointer: pointer), from: step,
      "\(pointer.isRoot ? "the state" : "\(pointer)") was \(Step.setByHand)")
  }

  static func otherStart(_ sentence: String, at step: Int) -> Self {
    Self(.substituted, .state(pointer: []), from: step, sentence)
  }
}
