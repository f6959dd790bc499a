import SessionWords
import ValueTree

/// A user's change at a step, in the branch's own numbers.
package enum BranchChange: Sendable, Hashable {
  case insert(Value)
  case replace(Value)
  case skip
  case move(by: Int)
  /// The n-th value of a key that the reducer read at the step.
  case read(key: String, index: Int, outcome: Read.Outcome)
  case set(pointer: Pointer, value: Value)
  case answer(effect: EffectID, outcome: EffectAnswer.Outcome)
  case lastAnswer(effect: EffectID, action: Value)
  case reply(Reply)
}

extension Script {
  package init(changing change: BranchChange, at position: Position, rest: Rest = .rerun) {
    let edits = Edit.edits(for: change, step: position.step, after: position.step)
    self.init(
      parent: position.branch, leavesAt: edits.compactMap(\.leavesAt).min() ?? position.step,
      rest: rest, edits: edits)
  }
}

extension Edit {
  /// `step` is the parent's step to change, `after` the one to insert behind.
  static func edits(for change: BranchChange, step: Int, after: Int) -> [Edit] {
    func answers(_ effect: EffectID, _ outcomes: EffectAnswer.Outcome...) -> [Edit] {
      outcomes.map { .answer(EffectAnswer(effect: effect, after: after, outcome: $0)) }
    }
    return switch change {
    case .insert(let action): [.insert(after: after, action: action)]
    case .replace(let action): [.replace(step: step, action: action)]
    case .skip: [.skip(step: step)]
    case .move(let offset):
      [.move(step: step, after: offset > 0 ? step + offset : step + offset - 1)]
    case .read(let key, let index, let outcome):
      [.read(step: step, key: key, index: index, outcome: outcome)]
    case .set(let pointer, let value): [.set(step: after, pointer: pointer, value: value)]
    case .answer(let effect, let outcome): answers(effect, outcome)
    case .lastAnswer(let effect, let action): answers(effect, .emit(action: action), .finish)
    case .reply(let reply): [.reply(reply)]
    }
  }

  var makesStep: Bool {
    switch self {
    case .insert, .set, .move: true
    case .answer(let answer): if case .emit = answer.outcome { true } else { false }
    case .skip, .replace, .read, .reply: false
    }
  }
}

extension [Edit] {
  /// The indices of the edits, in the order of their steps.
  var order: [Int] { indices.sorted { (self[$0].place ?? 0, $0) < (self[$1].place ?? 0, $1) } }
}

package struct ChangedScript: Sendable, Hashable {
  package var script: Script
  package var old: Script?
  package var shows: Int
  package var remark: String?
}

extension OpenSession {
  package func changed(
    _ change: BranchChange, at position: Position
  ) throws(Trouble) -> ChangedScript {
    guard let branch = branch(position.branch), let script = branch.script else {
      throw Trouble("the recording is never changed", next: "Make a fork")
    }
    var changed = try apply(change, at: position, to: script, branch.report?.rejoining)
    changed.old = script
    return changed
  }

  package func changedInFork(
    _ change: BranchChange, at position: Position
  ) throws(Trouble) -> ChangedScript {
    try apply(change, at: position, to: Script(parent: position.branch, leavesAt: .max))
  }

  private func apply(
    _ change: BranchChange, at position: Position, to script: Script,
    _ rejoining: Rejoining? = nil
  ) throws(Trouble) -> ChangedScript {
    let edits = Edit.edits(for: change, step: position.step, after: position.step)
    guard position.step > summary.steps.lowerBound || edits.allSatisfy({ $0.step == nil }) else {
      throw Trouble("no action led to the first state", next: "Set a value in it instead")
    }
    var editing = ScriptEditing(
      script: script, parentName: name(of: script.parent), rejoining: rejoining
    ) {
      self.origin(of: Position(branch: position.branch, step: $0))
    }
    try editing.apply(change, at: position.step)
    return ChangedScript(
      script: editing.script, shows: max(editing.shows, summary.steps.lowerBound),
      remark: editing.remark)
  }

  private func origin(of position: Position) -> ScriptEditing.Origin? {
    guard branch(position.branch)?.steps.contains(position.step) == true,
      let step = try? step(at: position)
    else { return nil }
    let isOutput = if case .output = step.step.cause { true } else { false }
    var origin = ScriptEditing.Origin(descendsFrom: step.descendsFrom, isOutput: isOutput)
    if step.step.isSkipped { origin.skipped = step.step.action }
    return origin
  }
}

extension OpenSession {
  /// Whether a branch already has a change, without doubts.
  package func has(_ change: BranchChange, at position: Position) async throws -> Bool {
    switch change {
    case .replace(let action): return try step(at: position).step.action == action
    case .set(let pointer, let value):
      return try await state(at: position)?[pointer] == value
    case .read(let key, let index, let outcome):
      let reads = try step(at: position).step.reads.filter { $0.key == key }
      return reads.indices.contains(index) && reads[index].outcome == outcome
    case .answer(let effect, .emit(let action)):
      // With this answer an effect continues.
      let next = try sends(effect, action, after: position)
      return try next.map { try end(of: effect, at: $0, position.branch) == nil } ?? false
    case .lastAnswer(let effect, let action):
      let next = try sends(effect, action, after: position)
      return try next.map { try end(of: effect, at: $0, position.branch) == .finished } ?? false
    case .insert, .skip, .move, .answer, .reply: return false
    }
  }

  private func sends(_ effect: EffectID, _ action: Value, after position: Position) throws -> Int? {
    let next = position.step + 1
    guard branch(position.branch)?.steps.contains(next) == true else { return nil }
    let step = try step(at: Position(branch: position.branch, step: next))
    let isThere =
      step.step.cause == .effect(effect) && step.step.action == action
      && step.standing.assumptions.isEmpty
    return isThere ? next : nil
  }

  private func end(
    of effect: EffectID, at step: Int, _ branch: BranchID
  ) throws -> EffectSpan.End.Manner? {
    let end = try effects(in: step...step, of: branch).first { $0.number == effect }?.end
    return end?.step == step ? end?.manner : nil
  }
}
