import ValueTree

/// Something that a step of a branch rests on and nobody knows, with a way to settle it.
///
/// A step that rests on none is *known*: run live with the same edits, with services that answer by
/// what they are asked and clocks that run with the branch, the app does exactly this. Whatever comes
/// after a step rests on what the step rests on, until somebody settles it.
public struct Assumption: Sendable, Hashable {
  /// Why it is not known, and so how far a step may be off that rests on it.
  public var kind: Kind
  /// The first step of the branch that rests on it.
  public var step: Int
  /// What is not known.
  public var subject: Subject
  /// What is not known, and why: for people.
  public var sentence: String
  /// What an effect on the tape asked that nobody has answered.
  public var question: Question?

  /// The four ways in which something is not known.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A read that nobody recorded an answer for: not at all, to another question, or at another
    /// time.
    case substituted
    /// An answer that was given to another question, or to one that may be another.
    case stale
    /// An effect runs of which nobody knows what it does: it may speak at any moment.
    case open
    /// A state that was set by hand.
    case edited
  }

  /// What it is about.
  public enum Subject: Sendable, Hashable {
    /// The n-th read of a key in its step.
    case read(key: String, index: Int)
    /// An effect, by its number in the branch.
    case effect(Int)
    /// A part of the state.
    case state(pointer: String)
    /// The recorded action of a step that nobody sent here.
    case action
  }

  package init(_ kind: Kind, _ subject: Subject, from step: Int, _ sentence: String) {
    self.kind = kind
    self.subject = subject
    self.step = step
    self.sentence = sentence
  }

  /// What the user can do so that nothing rests on it any more.
  public var settling: String {
    func named(_ effect: Int) -> String {
      EffectEvent.isOfBranch(effect) ? "it" : EffectEvent.words(effect)
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

extension Assumption.Kind {
  /// What a step is worth that rests on it.
  public var values: Standing.Values {
    switch self {
    case .substituted, .stale: .assumed
    case .open: .open
    case .edited: .edited
    }
  }
}

extension Assumption: LineCoded {
  /// As a host tells it, and as the export of a branch holds it.
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
      subject = .effect(effect)
    } else if let pointer = try fields.optionalString("pointer") {
      subject = .state(pointer: pointer)
    } else {
      subject = .action
    }
    self.init(
      try fields.word("kind"), subject, from: try fields.number("step"),
      try fields.string("sentence"))
    question = try fields.optionalPart("question")
  }
}
