import SessionFile
import SessionWords
import TextCanvas
import TimeTravel

extension DebuggerUpdate {
  mutating func change(_ change: BranchChange) {
    guard state.paneSet.focus != .pane else {
      return say(
        "\(state.key("x")), \(state.key("<")) and \(state.key(">")) change steps: "
          + "\(state.key("q", in: KeyTable.program)) goes to their list.")
    }
    if change == .skip, state.forks.justSkipped {
      state.forks.justSkipped = false
      return undo()
    }
    guard mayFork() else { return }
    state.forks.justSkipped = change == .skip
    let newFork = state.branch.isMain ? freeName() : nil
    state.forks.changing = newFork ?? state.branch.name
    let step = grouped(state.here.step)
    state.forks.changingWords =
      switch change {
      case .move(let offset):
        "Step \(step) was moved \(offset > 0 ? "down" : "up") by \(grouped(abs(offset)))"
      default: "Step \(step) was skipped"
      }
    effects.append(.change(change, at: state.here, newFork: newFork))
  }

  mutating func takeChanged(_ changed: ChangedScript, of name: String, left: Position) {
    guard mayFork() else { return }
    let words =
      changed.remark ?? state.forks.changingWords.take() ?? "Step \(left.step) was changed"
    if changed.old != nil, changed.script.edits.isEmpty,
      !state.branches.contains(where: { $0.script?.parent == name })
    {
      state.keeping.undo.note(.deleted(state.savedForks(from: name)))
      removeFork(name)
      let parent = changed.script.parent
      state.go(to: Position(branch: parent, step: changed.shows), isJump: false)
      say("All is as in \(parent) again: “\(name)” was deleted, \(state.key("z")) restores it.")
    } else if let old = changed.old {
      state.keeping.undo.note(.edited(name: name, old: old, new: changed.script, at: left.step))
      rerun(name, by: changed.script, showing: changed.shows)
      state.forks.remark = "\(words), \(state.key("z")) undoes it"
    } else {
      state.keeping.undo.note(.forked(name: name, changed.script, left: left))
      run(name, changed.script)
      state.showFork(name, at: changed.shows)
      state.forks.remark = "\(words) in a new fork; \(state.key("z")) undoes it"
    }
  }

  mutating func rerun(_ name: String, by script: Script, showing step: Int) {
    guard let index = state.branches.firstIndex(where: { $0.name == name }) else { return }
    if state.forks.running != nil { _ = stopWork() }
    state.branches[index].script = script
    forgetSteps(of: index)
    state.branches[index].progress = .running
    if state.here.branch == name { state.go(to: state.here.step, isJump: false) }
    state.forks.running = name
    state.showFork(name, at: step)
    state.message = nil
    save(.changeFork(name, script))
  }

  mutating func forgetSteps(of index: Int) {
    let branch = state.branches[index]
    let last = branch.script?.leavesAt ?? branch.steps.upperBound
    state.branches[index].steps = branch.steps.lowerBound...max(last, branch.steps.lowerBound)
    state.branches[index].report = nil
    state.branches[index].firstDifferent = nil
    state.branches[index].editSteps = []
    state.branches[index].progress = .notRun
    state.reading.forget(branch.name)
    for child in state.branches.indices where state.branches[child].script?.parent == branch.name {
      forgetSteps(of: child)
    }
  }

  // MARK: Deleting

  mutating func deleteSelected() {
    if selectionNeedsHost(isDeleting: true), mustWaitForFork() { return }
    guard let row = state.selectedRow else { return }
    let fork = state.branches[row.branch]
    guard let script = fork.script else { return say("The recording stays.") }
    let name = fork.name
    switch row {
    case .branch:
      let saved = state.savedForks(from: name)
      state.keeping.undo.note(.deleted(saved))
      removeFork(name)
      let others = saved.count > 1 ? " with \(counted(saved.count - 1, "fork")) that left it" : ""
      say("“\(name)” was deleted\(others); \(state.key("z")) restores it.")
    case .leftOut:
      say(
        "This line follows from the edits. \(state.key("d", in: KeyTable.lists)) on an edit takes it back."
      )
    case .edit(_, let edits):
      guard mayFork() else { return }
      var new = script
      new.edits.removeSubrange(edits)
      let step = state.here.step
      state.keeping.undo.note(.edited(name: name, old: script, new: new, at: step))
      rerun(name, by: new, showing: step)
      state.forks.remark = "The edit was removed, \(state.key("z")) restores it"
    }
    scrollOverlay(by: 0)
  }

  mutating func restore(_ saved: [SavedBranch]) {
    guard let first = saved.first else { return }
    if state.forks.running != nil { _ = stopWork() }
    for fork in saved {
      let steps = state.session.steps.lowerBound...fork.script.leavesAt
      var branch = Branch(name: fork.name, script: fork.script, steps: steps, progress: .notRun)
      branch.note = fork.note
      state.branches.append(branch)
    }
    state.forks.running = first.name
    state.showFork(first.name)
    save(.restoreForks(saved))
  }

  // MARK: Names and notes

  private mutating func selectedFork() -> Branch? {
    guard let row = state.selectedRow else { return nil }
    let branch = state.branches[row.branch]
    if branch.isMain {
      say(
        "The recording keeps its name; \(state.key("M", in: KeyTable.lists)) notes are for forks.")
    }
    return branch.isMain ? nil : branch
  }

  mutating func askForName() {
    guard let fork = selectedFork() else { return }
    if fork.name == state.forks.running {
      say("“\(fork.name)” is still running; Ctrl-C stops it.", .warning)
    } else {
      state.prompt = Prompt(.name(of: fork.name), fork.name)
    }
  }

  mutating func askForNote() {
    guard let fork = selectedFork() else { return }
    state.prompt = Prompt(.noteOn(fork.name), fork.note ?? "")
  }

  mutating func rename(_ name: String, _ prompt: Prompt) {
    let new = prompt.line.text
    guard new != name else { return }
    if let problem = problem(withName: new) {
      state.prompt = prompt
      state.prompt?.problem = problem
      return
    }
    state.keeping.undo.note(.renamed(old: name, new: new))
    putName(new, on: name)
  }

  mutating func putName(_ new: String, on old: String) {
    guard let index = state.branches.firstIndex(where: { $0.name == old }) else { return }
    state.branches[index].name = new
    for child in state.branches.indices where state.branches[child].script?.parent == old {
      state.branches[child].script?.parent = new
    }
    func renamed(_ position: Position) -> Position {
      position.branch == old ? Position(branch: new, step: position.step) : position
    }
    state.here = renamed(state.here)
    state.travel.history.rename(renamed)
    state.keeping.marks = Dictionary(state.keeping.marks.map { (renamed($0.key), $0.value) }) { $1 }
    state.reading.forget(old)
    state.reading.forget(new)
    for kind in [Searches.Kind.asked, .errors]
    where state.searches[keyPath: kind.path]?.branch == old {
      send(.searches(.putAway(kind)))
    }
    save(.renameFork(old, to: new))
  }

  mutating func note(_ text: String, on name: String) {
    let old = state[branch: name]?.note
    let new = text.isEmpty ? nil : text
    guard old != new else { return }
    state.keeping.undo.note(.noted(name: name, old: old, new: new))
    putNote(new, on: name)
  }

  mutating func putNote(_ note: String?, on name: String) {
    state[branch: name]?.note = note
    save(.noteFork(name, note))
  }
}

enum BranchRow: Sendable, Hashable {
  case branch(Int)
  /// One edit, or a run of skipped steps.
  case edit(branch: Int, Range<Int>)
  /// A recorded step whose cause did not happen on the fork.
  case leftOut(branch: Int, Int)

  var branch: Int {
    switch self {
    case .branch(let index), .edit(let index, _), .leftOut(let index, _): index
    }
  }
}

extension DebuggerState {
  private static let mostEdits = 200

  var branchRows: [BranchRow] {
    branches.indices.flatMap { index -> [BranchRow] in
      let leftOut = branches[index].report?.leftOut ?? []
      return [.branch(index)]
        + branches[index].editRanges.prefix(Self.mostEdits).map { .edit(branch: index, $0) }
        + leftOut.indices.filter { leftOut[$0].reason != .skipped }.prefix(Self.mostEdits)
        .map { .leftOut(branch: index, $0) }
    }
  }

  var selectedRow: BranchRow? {
    guard case .list(.branches, let selected)? = overlay else { return nil }
    let rows = branchRows
    return rows.indices.contains(selected) ? rows[selected] : nil
  }

  var rowOfBranch: Int {
    let index = branches.firstIndex { $0.name == here.branch } ?? 0
    return branchRows.firstIndex(of: .branch(index)) ?? 0
  }

  func savedForks(from name: String) -> [SavedBranch] {
    guard let fork = self[branch: name], let script = fork.script else {
      return []
    }
    let children = branches.filter { $0.script?.parent == name }
    return [SavedBranch(name: name, script: script, note: fork.note)]
      + children.flatMap { savedForks(from: $0.name) }
  }
}
