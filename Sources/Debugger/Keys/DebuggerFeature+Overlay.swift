import SessionLog
import TextCanvas
import TimeTravel

extension DebuggerFeature {
  static func handleOverlay(
    _ key: Key, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    if case .fork(let form)? = state.overlay { return handleFork(key, form, &state, &work) }
    let page = max(1, state.size.height - 4)
    if [.enter, .character("l"), .right, .character("d"), .delete].contains(key),
      selectionNeedsHost(key, state), mustWaitForFork(key, &state)
    {
      return
    }
    switch key {
    case .escape, .character("q"), .character("?"): state.overlay = nil
    case .character("j"), .down: scrollOverlay(by: 1, &state)
    case .character("k"), .up: scrollOverlay(by: -1, &state)
    case .pageDown, .character(" "), .control("d"): scrollOverlay(by: page, &state)
    case .pageUp, .character("b"), .control("u"): scrollOverlay(by: -page, &state)
    case .character("g"), .home: scrollOverlay(by: -1_000_000, &state)
    case .character("G"), .end: scrollOverlay(by: 1_000_000, &state)
    case .enter, .character("l"), .right: choose(&state, &work)
    case .character("d"), .delete: deleteSelected(&state, &work)
    case .character("r"): askForName(&state)
    case .character("M"): askForNote(&state)
    case .character("z"), .character("Z"):
      _ = jump(key, nil, &state, &work)
      scrollOverlay(by: 0, &state)
    default: break
    }
  }

  /// Whether a key runs the selected fork, so that no other one may be running.
  private static func selectionNeedsHost(_ key: Key, _ state: DebuggerState) -> Bool {
    guard case .branches(let selected)? = state.overlay else { return false }
    let rows = state.branchRows
    guard rows.indices.contains(selected) else { return false }
    let isDeleting = [.character("d"), .delete].contains(key)
    if case .edit = rows[selected], isDeleting { return true }
    return !isDeleting && state.branches[rows[selected].branch].isNotRun
  }

  static func scrollOverlay(by offset: Int, _ state: inout DebuggerState) {
    func clamped(_ index: Int, _ count: Int) -> Int {
      min(max(index + offset, 0), max(0, count - 1))
    }
    switch state.overlay {
    case .help(let top):
      let room = max(1, state.size.height - 3)
      let lines = HelpText.lines(for: state).count
      state.overlay = .help(top: clamped(top, lines - room + 1))
    case .text(let title, let lines, let top):
      state.overlay = .text(title: title, lines: lines, top: clamped(top, lines.count))
    case .branches(let selected):
      state.overlay = .branches(selected: clamped(selected, state.branchRows.count))
    case .marks(let selected):
      state.overlay = .marks(selected: clamped(selected, state.marks.count))
    case .fork, nil: break
    }
  }

  private static func choose(_ state: inout DebuggerState, _ work: inout [Work]) {
    let overlay = state.overlay
    state.overlay = nil
    switch overlay {
    case .branches(let selected):
      let rows = state.branchRows
      if rows.indices.contains(selected) { look(at: rows[selected], &state, &work) }
    case .marks(let selected):
      let marks = state.sortedMarks
      if marks.indices.contains(selected) { state.go(to: marks[selected].position) }
    case .help, .text, .fork, nil: break
    }
  }

  private static func look(
    at row: BranchRow, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    let branch = state.branches[row.branch]
    if branch.isNotRun || branch.progress == .stopped, let script = branch.script {
      return rerun(branch.name, script, &state, &work)
    }
    // The same place in time, or the first step that is the fork's own.
    var step = branch.isMain ? state.here.step : max(state.here.step, branch.firstOwnStep ?? 0)
    switch row {
    case .branch: break
    case .edit(_, let index):
      if branch.editSteps.indices.contains(index), let place = branch.editSteps[index] {
        step = place
      } else if let edit = branch.script?.edits[index] {
        step = branch.step(atParents: edit.step ?? edit.place ?? step)
      }
    case .leftOut(_, let index):
      if let leftOut = branch.report?.leftOut[index] {
        step = branch.step(atParents: leftOut.recordedStep)
      }
    }
    state.go(to: Position(branch: branch.name, step: step))
  }

  /// A saved fork is computed when somebody looks at it.
  private static func rerun(
    _ name: String, _ script: Script, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    if state.host == .none {
      state.message = Message(
        "“\(name)” was saved without its steps: it needs a host to run. \(Trouble.attachHint).",
        .warning)
    } else if let running = state.runningFork {
      state.message = Message("“\(running)” is still running; Ctrl-C stops it.", .warning)
    } else if state.branches.first(where: { $0.name == script.parent })?.isNotRun == true {
      state.message = Message(
        "“\(name)” leaves “\(script.parent)”: look at that one first.", .warning)
    } else {
      if let index = state.branches.firstIndex(where: { $0.name == name }) {
        state.branches[index].progress = .running
      }
      state.runningFork = name
      state.forkToShow = (name, nil)
      state.message = nil
      work.append(.runFork(name))
    }
  }

  /// Takes a fork and those that leave it off the screen, and tells the session.
  static func removeFork(_ name: String, _ state: inout DebuggerState, _ work: inout [Work]) {
    takeAway(name, &state, &work)
    work.append(.deleteFork(name))
  }

  /// Takes a fork and those that leave it off the screen.
  static func takeAway(_ name: String, _ state: inout DebuggerState, _ work: inout [Work]) {
    if state.runningFork == name { _ = stopWork(&state, &work) }
    for child in state.branches where child.script?.parent == name {
      takeAway(child.name, &state, &work)
    }
    let parent = state.branches.first { $0.name == name }?.script
    state.branches.removeAll { $0.name == name && !$0.isMain }
    state.pages.forget(name)
    state.moments.forget(name)
    state.history.forget(name)
    state.marks = state.marks.filter { $0.key.branch != name }
    if state.here.branch == name, let parent {
      state.here = Position(branch: parent.parent, step: max(parent.leavesAt, 0))
      state.go(to: state.here.step, isJump: false)
    }
    if !state.panes.contains(state.pane) { state.pane = .diff }
  }
}
