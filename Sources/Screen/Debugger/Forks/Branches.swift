import SessionFile
import SessionWords
import TextCanvas
import TimeTravel

extension DebuggerUpdate {
  mutating func skipStep() { change([.skip(step: state.here.step)], "skipped") }

  mutating func moveStep(by offset: Int) {
    change(
      [.move(step: state.here.step, by: offset)],
      "moved \(offset > 0 ? "down" : "up") by \(grouped(abs(offset)))")
  }

  mutating func change(_ edits: [Edit], _ words: String) {
    guard state.paneSet.focus != .pane else {
      return say(
        "\(state.key("x")), \(state.key("<")) and \(state.key(">")) change steps: "
          + "\(state.key("q", in: KeyTable.program)) goes to their list.")
    }
    let isSkip = edits == [.skip(step: state.here.step)]
    if isSkip, state.forks.justSkipped {
      state.forks.justSkipped = false
      return undo()
    }
    guard mayFork() else { return }
    state.forks.justSkipped = isSkip
    let isNew = state.branch.isMain || state.forks.makesNew
    let newFork = isNew ? state.branches.freeID(for: freeName()) : nil
    state.forks.changing = newFork ?? state.branch.id
    state.forks.changingWords = "Step \(grouped(state.here.step)) was \(words)"
    effects.append(.change(edits, at: state.here, newFork: newFork))
  }

  mutating func receiveChangedFork(_ changed: ChangedScript, of id: BranchID, left: Position) {
    guard mayFork() else { return }
    let words =
      changed.remark ?? state.forks.changingWords.take() ?? "Step \(left.step) was changed"
    if changed.old != nil, changed.script.edits.isEmpty,
      !state.branches.contains(where: { $0.script?.parent == id })
    {
      let name = state.name(of: id)
      state.keeping.undo.push(.deleted(state.forks(from: id)))
      removeFork(id)
      let parent = changed.script.parent
      state.go(to: Position(branch: parent, step: changed.shows), isJump: false)
      say(
        "All is as in \(state.name(of: parent)) again: “\(name)” was deleted, \(state.key("z")) restores it."
      )
    } else if let old = changed.old {
      state.keeping.undo.push(.edited(id, old: old, new: changed.script, at: left.step))
      rerun(id, by: changed.script, showing: changed.shows)
      state.forks.remark = "\(words), \(state.key("z")) undoes it"
    } else if let same = state.branches.first(where: { $0.script == changed.script }) {
      showSame(same)
    } else {
      state.keeping.undo.push(.forked(id, changed.script, left: left))
      run(id, changed.script, showing: changed.shows)
      state.forks.remark = "\(words) in a new fork; \(state.key("z")) undoes it"
    }
  }

  mutating func rerun(_ id: BranchID, by script: Script, showing step: Int) {
    guard let index = state.branches.firstIndex(where: { $0.id == id }) else { return }
    if state.forks.running != nil { _ = stopWork() }
    state.branches[index].script = script
    forgetSteps(of: index)
    state.branches[index].progress = .running
    if state.here.branch == id { state.go(to: state.here.step, isJump: false) }
    state.forks.running = id
    state.showFork(id, at: step)
    state.message = nil
    save(.changeFork(id, script))
  }

  mutating func forgetSteps(of index: Int) {
    let id = state.branches[index].id
    state.branches[index].forgetRun()
    state.reading.forget(id)
    for child in state.branches.indices where state.branches[child].script?.parent == id {
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
      let deleted = state.forks(from: fork.id)
      state.keeping.undo.push(.deleted(deleted))
      removeFork(fork.id)
      let others =
        deleted.count > 1 ? " with \(counted(deleted.count - 1, "fork")) that left it" : ""
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
      state.keeping.undo.push(.edited(fork.id, old: script, new: new, at: step))
      rerun(fork.id, by: new, showing: step)
      state.forks.remark = "The edit was removed, \(state.key("z")) restores it"
    }
    scrollOverlay(by: 0)
  }

  mutating func restore(_ forks: [Branch]) {
    guard let first = forks.first else { return }
    if state.forks.running != nil { _ = stopWork() }
    for fork in forks {
      state[branch: fork.id] = fork
      forgetSteps(of: state.branches.count - 1)
    }
    state.forks.running = first.id
    state.showFork(first.id)
    save(.restoreForks(forks))
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
    if fork.id == state.forks.running {
      sayRuns(fork.id)
    } else {
      state.prompt = Prompt(.name(of: fork.id, fork.name), fork.name)
    }
  }

  mutating func askForNote() {
    guard let fork = selectedFork() else { return }
    state.prompt = Prompt(.noteOn(fork.id, fork.name), fork.note ?? "")
  }

  mutating func rename(_ fork: BranchID, _ prompt: Prompt) {
    let (old, new) = (state.name(of: fork), prompt.line.text)
    guard new != old else { return }
    if let problem = problem(withName: new) {
      state.prompt = prompt
      state.prompt?.problem = problem
      return
    }
    state.keeping.undo.push(.renamed(fork, old: old, new: new))
    putName(new, on: fork)
  }

  mutating func putName(_ name: String, on fork: BranchID) {
    state[branch: fork]?.name = name
    state.paneSet.forget()
    save(.renameFork(fork, to: name))
  }

  mutating func setNote(_ text: String, on fork: BranchID) {
    let old = state[branch: fork]?.note
    let new = text.isEmpty ? nil : text
    guard old != new else { return }
    state.keeping.undo.push(.noted(fork, old: old, new: new))
    putNote(new, on: fork)
  }

  mutating func putNote(_ note: String?, on fork: BranchID) {
    state[branch: fork]?.note = note
    save(.saveNote(fork, note))
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
    let index = branches.firstIndex { $0.id == here.branch } ?? 0
    return branchRows.firstIndex(of: .branch(index)) ?? 0
  }

  /// A fork and its descendants, parents first.
  func forks(from id: BranchID) -> [Branch] {
    guard let fork = self[branch: id], !fork.isMain else { return [] }
    let children = branches.filter { $0.script?.parent == id }
    return [fork] + children.flatMap { forks(from: $0.id) }
  }
}
