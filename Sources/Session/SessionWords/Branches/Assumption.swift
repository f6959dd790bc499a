import ValueTree

/// An unknown that a step of a branch depends on, with a way to settle it.
///
/// A step without assumptions is *known*: the live app does exactly this with the same edits.
/// Services must answer by what they are asked, and clocks run with the branch. An assumption
/// applies to all later steps until settled.
public struct Assumption: Sendable, Hashable {
  /// The reason why it is unknown, which limits how wrong a step may be.
  public var kind: Kind
  /// The first step that depends on it.
  public var step: Int
  /// The unknown thing.
  public var subject: Subject
  /// The unknown and its reason, for people.
  public var sentence: String
  /// The unanswered question of an effect on the tape.
  public var question: Question?

  /// The four kinds of unknowns.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A read without a recorded answer: none at all, to another question, or at another time.
    case substituted
    /// An answer to another question, or to one that may differ.
    case stale
    /// A running effect with unknown actions: it may send at any moment.
    case open
    /// A state set by hand.
    case edited
  }

  /// The subject of an assumption.
  public enum Subject: Sendable, Hashable {
    /// The n-th read of a key in its step.
    case read(key: String, index: Int)
    /// An effect of the branch.
    case effect(EffectID)
    /// A part of the state.
    case state(pointer: Pointer)
    /// The recorded action of a step that has no sender here.
    case action
  }

  package init(_ kind: Kind, _ subject: Subject, from step: Int, _ sentence: String) {
    self.kind = kind
    self.subject = subject
    self.step = step
    self.sentence = sentence
  }

  /// The user's way to remove it.
  public var settling: String {
    func named(_ effect: EffectID) -> String {
      effect.isOfFork ? "it" : effect.words
    }
    return switch (kind, subject) {
    case (_, .read(let key, _)): "Say what “\(key)” gives at step \(step)"
    case (.open, .effect) where question != nil:
      "Say what \(question?.text ?? "it") answers"
    case (.open, .effect(let effect)): "Answer \(named(effect)), or end or cancel it"
    case (_, .effect(let effect)): "Answer \(named(effect)) by hand, or run it live"
    case (.edited, .state): "Take the edit back"
    case (_, .state): "Leave the parent at another step"
    case (_, .action): "Skip step \(step), or give it an action"
    }
  }
}

extension Assumption {
  /// Whether the effect that sent an action may have asked something else.
  package func isStaleAnswer(of cause: Cause) -> Bool {
    guard case .effect(let effect) = subject else { return false }
    return kind == .stale && cause == .effect(effect)
  }
}

extension Assumption.Kind {
  /// The trust in a step that depends on it.
  public var values: Standing.Values {
    switch self {
    case .substituted, .stale: .assumed
    case .open: .open
    case .edited: .edited
    }
  }
}

extension Assumption: LineCoded {
  package var object: LineObject {
    let subject: LineObject =
      switch subject {
      case .read(let key, let index): ["read": key, "index": index]
      case .effect(let effect): ["effect": effect]
      case .state(let pointer): ["pointer": pointer]
      case .action: [:]
      }
    return ["kind": kind.rawValue, "step": step] + subject
      + ["question": question, "sentence": sentence, "settling": settling]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    let subject: Subject
    if let key = try fields.optionalString("read") {
      subject = .read(key: key, index: try fields.number("index"))
    } else if let effect = try fields.optionalNumber("effect") {
      subject = .effect(EffectID(effect))
    } else if fields.optional("pointer") != nil {
      subject = .state(pointer: try fields.pointer("pointer"))
    } else {
      subject = .action
    }
    self.init(
      try fields.word("kind"), subject, from: try fields.number("step"),
      try fields.string("sentence"))
    question = try fields.optionalPart("question")
  }
}
