import SessionLog
import TimeTravel
import ValueTree

/// Something of the recording that a fork's form can be filled in with.
struct Offer: Sendable, Hashable {
  var label: String
  /// Where it was recorded.
  var step: Int
  var outcome: EffectAnswer.Outcome

  init(_ template: ActionTemplate) {
    label = template.label
    step = template.step
    outcome = .emit(action: template.action)
  }

  init(_ recorded: RecordedOutcome) {
    step = recorded.step
    outcome = recorded.outcome
    label =
      switch recorded.outcome {
      case .emit: recorded.label ?? "?"
      case .finish: "finishes"
      case .fail(let message): "fails: \(message)"
      case .cancel: "is cancelled"
      }
  }

  /// What it carries, on one line.
  var payload: String {
    guard case .emit(let action) = outcome else { return "" }
    return ValuePreview.payload(of: action, label: label, limit: 120)
  }
}

/// An effect in flight that a fork can answer.
struct EffectChoice: Sendable, Hashable {
  var number: Int
  var name: String
  /// The step that started it.
  var startedAt: Int
  /// Nothing that was recorded may be used for it.
  var isUnanswered = false
  /// What it asked of the tape and waits for.
  var question: Question?
  /// What it and its like were seen to do; nil as long as the host was not heard.
  var offers: [Offer]?

  init(_ span: EffectSpan) {
    number = span.number
    name = span.name
    startedAt = span.origin.step
  }

  init(_ pending: PendingEffect) {
    self.init(EffectSpan(number: pending.effect, origin: pending.origin))
    isUnanswered = pending.isUnanswered
    question = pending.question
    var known: Set<EffectAnswer.Outcome> = []
    offers = pending.recorded.map(Offer.init).filter { known.insert($0.outcome).inserted }
  }
}

extension Moment {
  /// The effects that have not ended after the step.
  var inFlight: [EffectSpan] {
    effects.filter { span in
      span.origin.step <= position.step && (span.end.map { $0.step > position.step } ?? true)
    }
  }
}
