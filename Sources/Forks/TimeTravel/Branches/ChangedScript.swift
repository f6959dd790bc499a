import SessionWords
import ValueTree

extension Script {
  /// A new fork that makes these edits at a position, in its branch's numbers.
  package init(making edits: [Edit], at position: Position, rest: Rest = .rerun) {
    self.init(
      parent: position.branch, leavesAt: edits.compactMap(\.leavesAt).min() ?? position.step,
      rest: rest, edits: edits)
  }
}

extension Edit {
  /// Moves a step by this many places, or up if negative.
  package static func move(step: Int, by offset: Int) -> Edit {
    .move(step: step, after: offset > 0 ? step + offset : step + offset - 1)
  }

  /// The number of places by which it moves a step; nil if it moves none.
  package var offset: Int? {
    guard case .move(let step, let after) = self else { return nil }
    return after > step ? after - step : after - step + 1
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
    _ edits: [Edit], at position: Position
  ) throws(Trouble) -> ChangedScript {
    guard let branch = branch(position.branch), let script = branch.script else {
      throw Trouble("the recording is never changed", next: "Make a fork")
    }
    var changed = try apply(edits, at: position, to: script, branch.report?.rejoining)
    changed.old = script
    return changed
  }

  package func changedInFork(
    _ edits: [Edit], at position: Position
  ) throws(Trouble) -> ChangedScript {
    try apply(edits, at: position, to: Script(parent: position.branch, leavesAt: .max))
  }

  private func apply(
    _ edits: [Edit], at position: Position, to script: Script,
    _ rejoining: Rejoining? = nil
  ) throws(Trouble) -> ChangedScript {
    guard position.step > summary.steps.lowerBound || edits.allSatisfy({ $0.step == nil }) else {
      throw Trouble("no action led to the first state", next: "Set a value in it instead")
    }
    var editing = ScriptEditing(
      script: script, parentName: name(of: script.parent), rejoining: rejoining
    ) {
      let position = Position(branch: position.branch, step: $0)
      let isThere = self.branch(position.branch)?.steps.contains(position.step) == true
      return isThere ? try? self.step(at: position) : nil
    }
    try editing.apply(edits, at: position.step)
    return ChangedScript(
      script: editing.script, shows: max(editing.shows, summary.steps.lowerBound),
      remark: editing.remark)
  }
}

extension OpenSession {
  /// Whether a branch already has these edits of a step, without doubts.
  package func has(_ edits: [Edit], at position: Position) async throws -> Bool {
    switch edits.first {
    case .replace(_, let action): return try step(at: position).step.action == action
    case .set(_, let pointer, let value):
      return try await state(at: position)?[pointer] == value
    case .read(_, let key, let index, let outcome):
      let reads = try step(at: position).step.reads.filter { $0.key == key }
      return reads.indices.contains(index) && reads[index].outcome == outcome
    case .answer(let answer):
      guard case .emit(let action) = answer.outcome,
        let next = try sends(answer.effect, action, after: position)
      else { return false }
      // With an answer alone an effect continues.
      return try end(of: answer.effect, at: next, position.branch)
        == (edits.count > 1 ? .finished : nil)
    case .reply(let reply):
      return try effectReads(at: position).contains {
        Question($0).isSame(as: reply.question) == true && $0.outcome == reply.outcome
      }
    case .insert, .skip, .move, nil: return false
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
