import SessionWords
import TimeTravel
import ValueTree

struct Offer: Sendable, Hashable {
  enum Content: Sendable, Hashable {
    case outcome(EffectAnswer.Outcome)
    case reply(Read.Outcome)
  }

  var label: String
  var step: Int?
  var content: Content
  var payload = ""
  var isAnswer = true
  var asked: [Question] = []

  init(_ template: ActionTemplate) {
    self.init(template.label, template.step, .emit(action: template.action))
    isAnswer = template.isAnswer
    asked = template.asked
  }

  init(_ recorded: RecordedOutcome, asked: [Question]) {
    let label =
      switch recorded.outcome {
      case .emit: recorded.label ?? "?"
      case .finish: "finishes"
      case .fail(let message): "fails: \(message)"
      case .cancel: "is cancelled"
      }
    self.init(label, recorded.step, recorded.outcome)
    self.asked = asked
  }

  /// An answer to the same question, or to one with the same key.
  init(_ reply: RecordedReply) {
    label = reply.outcome.isError ? "fails" : "answers"
    step = reply.step
    asked = [reply.question]
    content = .reply(reply.outcome)
    payload = ValuePreview.text(reply.outcome.content, limit: 120)
  }

  init(_ label: String, _ step: Int? = nil, _ outcome: EffectAnswer.Outcome) {
    self.label = label
    self.step = step
    content = .outcome(outcome)
    if let action { payload = ValuePreview.payload(of: action, label: label, limit: 120) }
  }

  var action: Value? {
    if case .outcome(.emit(let action)) = content { action } else { nil }
  }

  /// Nil if it neither fails nor succeeds.
  var isFailure: Bool? {
    switch content {
    case .outcome(.emit(let action)): Step(number: 0, label: label, action: action).carriesFailure
    case .outcome(.fail): true
    case .outcome(.finish), .outcome(.cancel): nil
    case .reply(let outcome): outcome.isError || outcome.content.carriesFailure
    }
  }

  /// Whether it answered the same, as far as both asked.
  func answers(_ questions: [Question]) -> Bool {
    !asked.isEmpty && !questions.isEmpty
      && zip(asked, questions).allSatisfy { $0.isSame(as: $1) == true }
  }

  var isReply: Bool { if case .reply = content { true } else { false } }

  /// How badly it fits the typed text; nil if it does not.
  func rank(_ words: [Substring]) -> Int? {
    let (label, payload) = (label.lowercased(), payload.lowercased())
    var rank = 0
    for word in words {
      if label == word {
        continue
      } else if label.hasPrefix(word) {
        rank += 1
      } else if label.contains(word) {
        rank += 2
      } else if payload.contains(word) {
        rank += 4
      } else {
        return nil
      }
    }
    return rank
  }
}

struct EffectChoice: Sendable, Hashable {
  var number: EffectID
  var name: String
  var startedAt: Int
  var isUnanswered = false
  var question: Question?
  var asked: [Question] = []
  var offers: [Offer]?
  var speaksOnce = false

  init(_ span: EffectSpan) {
    number = span.number
    name = span.name
    startedAt = span.origin.step
  }

  init(_ pending: PendingEffect, replies: [Offer] = [], asked: [EffectID: [Question]] = [:]) {
    self.init(EffectSpan(number: pending.effect, origin: pending.origin))
    isUnanswered = pending.isUnanswered
    question = pending.question
    self.asked = pending.question.map { [$0] } ?? asked[number] ?? []
    var known: Set<EffectAnswer.Outcome> = []
    offers =
      replies
      + pending.recorded.map { Offer($0, asked: asked[$0.effect] ?? []) }.filter { offer in
        if case .outcome(let outcome) = offer.content {
          known.insert(outcome).inserted
        } else {
          true
        }
      }
    let lives = Dictionary(grouping: pending.recorded, by: \.effect).values
    let spoken = lives.map { $0.count { if case .emit = $0.outcome { true } else { false } } }
    speaksOnce =
      spoken.contains(1) && spoken.allSatisfy { $0 < 2 }
      && pending.recorded.contains { $0.outcome == .finish }
  }
}

extension Moment {
  var inFlight: [EffectSpan] {
    effects.filter { span in
      span.origin.step <= position.step && (span.end.map { $0.step > position.step } ?? true)
    }
  }
}

extension Question {
  /// The most that a real answer costs, as far as the question says. A token has a byte or more.
  package var price: String {
    guard key == "model", let arguments, arguments.count == 3 else {
      return "this reaches the outside world"
    }
    let sent = arguments.dropFirst().reduce(0) { $0 + $1.text().utf8.count }
    let limit = ["max_tokens", "max_completion_tokens"].lazy.compactMap { arguments[2][$0] }.first
    return "at most \(grouped(sent)) tokens in, and "
      + (limit.map { "\($0.text()) out" } ?? "as many out as the model allows")
  }
}
