import SessionWords

/// A script with a change worked into it.
package struct ChangedScript: Sendable, Hashable {
  package var script: Script
  /// The script before; nil for a new branch.
  package var old: Script?
  /// The step of the branch to look at afterwards.
  package var shows: Int
  /// What else was changed, in one sentence.
  package var remark: String?

  package init(script: Script, old: Script? = nil, shows: Int, remark: String? = nil) {
    self.script = script
    self.old = old
    self.shows = shows
    self.remark = remark
  }
}

extension OpenSession {
  /// Works a change at a step of a fork into the fork's own script.
  package func changed(
    _ change: BranchChange, at position: Position
  ) throws(Trouble) -> ChangedScript {
    guard let branch = branch(position.branch), let script = branch.script else {
      throw Trouble("the recording is never changed", next: "Make a fork")
    }
    let editing = ScriptEditing(script, rejoining: branch.report?.rejoining) {
      self.origin(of: Position(branch: branch.name, step: $0))
    }
    var changed = try apply(change, at: position, to: editing)
    changed.old = script
    return changed
  }

  /// Makes the script of a new branch that changes something at a step of another one.
  package func changedInFork(
    _ change: BranchChange, at position: Position, rest: Script.Rest = .rerun
  ) throws(Trouble) -> ChangedScript {
    let editing = ScriptEditing(newOf: position.branch, rest: rest) {
      self.origin(of: Position(branch: position.branch, step: $0))
    }
    return try apply(change, at: position, to: editing)
  }

  private func apply(
    _ change: BranchChange, at position: Position, to editing: ScriptEditing
  ) throws(Trouble) -> ChangedScript {
    guard !change.isAboutStep || position.step > summary.steps.lowerBound else {
      throw Trouble("no action led to the first state", next: "Set a value in it instead")
    }
    var editing = editing
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
