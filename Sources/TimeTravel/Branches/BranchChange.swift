import SessionWords
import ValueTree

/// What somebody changes at a step of a branch, in the words of that branch.
package enum BranchChange: Sendable, Hashable {
  /// Sends an action after the step.
  case insert(Value)
  /// Another action instead of the step's own.
  case replace(Value)
  case skip
  /// The step comes so many steps later, or earlier.
  case move(by: Int)
  /// The n-th value that a key gave to the reducer at the step.
  case read(key: String, index: Int, outcome: Read.Outcome)
  /// A part of the state after the step.
  case set(pointer: String, value: Value)
  /// What an effect that is in flight after the step does.
  case answer(effect: Int, outcome: EffectAnswer.Outcome)
  /// An effect sends an action and has ended then.
  case lastAnswer(effect: Int, action: Value)
  /// What a service answers, whoever asks.
  case reply(Reply)

  /// Whether the step itself runs otherwise; else something comes after it.
  var isAboutStep: Bool {
    switch self {
    case .replace, .skip, .read, .move: true
    case .insert, .set, .answer, .lastAnswer, .reply: false
    }
  }
}

extension Script {
  /// A new branch that changes something at a step of another one.
  package init(changing change: BranchChange, at position: Position, rest: Rest = .rerun) {
    let step = position.step
    var leavesAt = change.isAboutStep ? step - 1 : step
    if case .move(let offset) = change, offset < 0 { leavesAt = step + offset - 1 }
    self.init(
      parent: position.branch, leavesAt: leavesAt, rest: rest,
      edits: Edit.edits(for: change, step: step, after: step))
  }
}

extension Edit {
  static func edits(for change: BranchChange, step: Int, after: Int) -> [Edit] {
    guard case .lastAnswer(let effect, _) = change else {
      return [Edit(change, step: step, after: after)]
    }
    let end = BranchChange.answer(effect: effect, outcome: .finish)
    return [change, end].map { Edit($0, step: step, after: after) }
  }

  /// `step` is the parent's step that the change is about, `after` the one that it comes after.
  init(_ change: BranchChange, step: Int, after: Int) {
    switch change {
    case .insert(let action): self = .insert(after: after, action: action)
    case .replace(let action): self = .replace(step: step, action: action)
    case .skip: self = .skip(step: step)
    case .move(let offset):
      self = .move(step: step, after: offset > 0 ? step + offset : step + offset - 1)
    case .read(let key, let index, let outcome):
      self = .read(step: step, key: key, index: index, outcome: outcome)
    case .set(let pointer, let value): self = .set(step: after, pointer: pointer, value: value)
    case .answer(let effect, let outcome):
      self = .answer(EffectAnswer(effect: effect, after: after, outcome: outcome))
    case .lastAnswer(let effect, let action):
      self = .answer(EffectAnswer(effect: effect, after: after, outcome: .emit(action: action)))
    case .reply(let reply): self = .reply(reply)
    }
  }

  /// The parent's step that it comes after; nil when it is about a step itself.
  package var place: Int? {
    switch self {
    case .insert(let after, _), .move(_, let after), .set(let after, _, _): after
    case .answer(let answer): answer.after
    case .skip, .replace, .read, .reply: nil
    }
  }

  /// The parent's step whose action it is about.
  package var step: Int? {
    switch self {
    case .skip(let step), .replace(let step, _), .read(let step, _, _, _), .move(let step, _): step
    case .insert, .set, .answer, .reply: nil
    }
  }

  /// Whether a step of the branch's own comes of it.
  var makesStep: Bool {
    switch self {
    case .insert, .set, .move: true
    case .answer(let answer): if case .emit = answer.outcome { true } else { false }
    case .skip, .replace, .read, .reply: false
    }
  }
}
