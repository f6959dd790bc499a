import SessionLog
import TextCanvas
import TimeTravel

/// What can be done with a fork that is there: other edits, another name, a note; gone, and back.
extension DebuggerFeature {
  /// A change without a form: at the step that is looked at, in its fork, or else in a new one.
  static func change(
    _ change: BranchChange, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    guard state.focus == .steps else {
      state.message = Message("x, < and > change steps: h goes to their list.")
      return
    }
    guard mayFork(&state) else { return }
    let newFork = state.branch.isMain ? freeName(state) : nil
    state.changingFork = newFork ?? state.branch.name
    work.append(.change(change, at: state.here, newFork: newFork))
  }

  /// A change was worked into a script: it runs.
  static func take(
    _ changed: ChangedScript, of name: String, left: Position, _ state: inout DebuggerState,
    _ work: inout [Work]
  ) {
    guard mayFork(&state) else { return }
    if let old = changed.old {
      state.undo.note(.edited(name: name, old: old, new: changed.script, at: left.step))
      rerun(name, by: changed.script, showing: changed.shows, &state, &work)
      state.forkRemark = changed.remark
    } else {
      state.undo.note(.forked(name: name, changed.script, left: left))
      run(name, changed.script, &state, &work)
      state.forkToShow = (name, changed.shows)
    }
  }

  /// Runs a fork by another script, and shows a step of it as soon as it is there.
  static func rerun(
    _ name: String, by script: Script, showing step: Int, _ state: inout DebuggerState,
    _ work: inout [Work]
  ) {
    guard let index = state.branches.firstIndex(where: { $0.name == name }) else { return }
    if state.runningFork != nil { _ = stopWork(&state, &work) }
    state.branches[index].script = script
    forgetSteps(of: index, &state)
    state.branches[index].progress = .running
    if state.here.branch == name { state.go(to: state.here.step, isJump: false) }
    state.runningFork = name
    state.forkToShow = (name, step)
    state.message = nil
    work.append(.refork(name, script))
  }

  /// What was known of a fork and of those that leave it.
  static func forgetSteps(of index: Int, _ state: inout DebuggerState) {
    let branch = state.branches[index]
    let last = branch.script?.leavesAt ?? branch.steps.upperBound
    state.branches[index].steps = branch.steps.lowerBound...max(last, branch.steps.lowerBound)
    state.branches[index].report = nil
    state.branches[index].firstDifferent = nil
    state.branches[index].editSteps = []
    state.branches[index].progress = .notRun
    state.pages.forget(branch.name)
    state.moments.forget(branch.name)
    for child in state.branches.indices where state.branches[child].script?.parent == branch.name {
      forgetSteps(of: child, &state)
    }
  }

  // MARK: Deleting

  static func deleteSelected(_ state: inout DebuggerState, _ work: inout [Work]) {
    guard case .branches(let selected)? = state.overlay else { return }
    let rows = state.branchRows
    guard rows.indices.contains(selected), let script = state.branches[rows[selected].branch].script
    else {
      state.message = Message("The recording stays.")
      return
    }
    let name = state.branches[rows[selected].branch].name
    switch rows[selected] {
    case .branch:
      let saved = state.savedForks(from: name)
      state.undo.note(.deleted(saved))
      removeFork(name, &state, &work)
      let others = saved.count > 1 ? " with \(counted(saved.count - 1, "fork")) that left it" : ""
      state.message = Message("“\(name)” was deleted\(others); z brings it back.")
    case .leftOut:
      state.message = Message("This follows from the edits: d on one of them takes it back.")
    case .edit(_, let index):
      guard mayFork(&state) else { return }
      var new = script
      new.edits.remove(at: index)
      let step = state.here.step
      state.undo.note(.edited(name: name, old: script, new: new, at: step))
      rerun(name, by: new, showing: step, &state, &work)
      state.forkRemark = "The edit was removed"
    }
    scrollOverlay(by: 0, &state)
  }

  static func restore(
    _ saved: [SavedBranch], _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    guard let first = saved.first else { return }
    if state.runningFork != nil { _ = stopWork(&state, &work) }
    for fork in saved {
      let steps = state.session.steps.lowerBound...fork.script.leavesAt
      var branch = Branch(name: fork.name, script: fork.script, steps: steps, progress: .notRun)
      branch.note = fork.note
      state.branches.append(branch)
    }
    state.runningFork = first.name
    state.forkToShow = (first.name, nil)
    work.append(.restoreForks(saved))
  }

  // MARK: Names and notes

  private static func selectedFork(_ state: inout DebuggerState) -> Branch? {
    guard case .branches(let selected)? = state.overlay else { return nil }
    let rows = state.branchRows
    guard rows.indices.contains(selected) else { return nil }
    let branch = state.branches[rows[selected].branch]
    if branch.isMain {
      state.message = Message("The recording keeps its name; M notes are for forks.")
    }
    return branch.isMain ? nil : branch
  }

  static func askForName(_ state: inout DebuggerState) {
    guard let fork = selectedFork(&state) else { return }
    if fork.name == state.runningFork {
      state.message = Message("“\(fork.name)” is still running; Ctrl-C stops it.", .warning)
    } else {
      state.prompt = Prompt(.name(of: fork.name), fork.name)
    }
  }

  static func askForNote(_ state: inout DebuggerState) {
    guard let fork = selectedFork(&state) else { return }
    state.prompt = Prompt(.noteOn(fork.name), fork.note ?? "")
  }

  static func rename(
    _ name: String, _ prompt: Prompt, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    let new = prompt.line.text
    guard new != name else { return }
    if let problem = problem(withName: new, state) {
      state.prompt = prompt
      state.prompt?.problem = problem
      return
    }
    state.undo.note(.renamed(old: name, new: new))
    putName(new, on: name, &state, &work)
  }

  static func putName(
    _ new: String, on old: String, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    guard let index = state.branches.firstIndex(where: { $0.name == old }) else { return }
    state.branches[index].name = new
    for child in state.branches.indices where state.branches[child].script?.parent == old {
      state.branches[child].script?.parent = new
    }
    func renamed(_ position: Position) -> Position {
      position.branch == old ? Position(branch: new, step: position.step) : position
    }
    state.here = renamed(state.here)
    state.history.rename(renamed)
    state.marks = Dictionary(state.marks.map { (renamed($0.key), $0.value) }) { $1 }
    state.pages.forget(old)
    state.moments.forget(old)
    if state.search?.branch == old { state.search = nil }
    if state.errors?.branch == old { state.errors = nil }
    work.append(.renameFork(old, to: new))
  }

  static func note(
    _ text: String, on name: String, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    let old = state.branches.first { $0.name == name }?.note
    let new = text.isEmpty ? nil : text
    guard old != new else { return }
    state.undo.note(.noted(name: name, old: old, new: new))
    putNote(new, on: name, &state, &work)
  }

  static func putNote(
    _ note: String?, on name: String, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    guard let index = state.branches.firstIndex(where: { $0.name == name }) else { return }
    state.branches[index].note = note
    work.append(.noteFork(name, note))
  }
}
