import SessionWords
import TextCanvas
import TimeTravel

extension DebuggerUpdate {
  var overlayHeight: Int { max(1, state.size.height - 4) }

  /// Whether the selected line runs a fork, so that another must not be running.
  func selectionNeedsHost(isDeleting: Bool) -> Bool {
    guard let row = state.selectedRow else { return false }
    if case .edit = row, isDeleting { return true }
    return !isDeleting && state.branches[row.branch].isNotRun
  }

  mutating func scrollOverlay(by offset: Int) {
    guard case .list(let list, let line)? = state.overlay else { return }
    let count =
      switch list {
      case .help: KeyHelp.lines(for: state).count - max(1, state.size.height - 3) + 1
      case .text(_, let lines): lines.count
      case .branches: state.branchRows.count
      case .marks: state.keeping.marks.count
      case .results: state.searches.results.count
      case .sessions: state.driving.sessions.count
      case .menu(let menu): state.items(of: menu).count
      }
    state.overlay = .list(list, at: min(max(line + offset, 0), max(0, count - 1)))
  }

  /// Goes to the next line of a list with the searched text; from the top after the last.
  mutating func nextInList(from first: Int? = nil) {
    let text = state.input.listText.lowercased()
    guard case .list(let list, let line)? = state.overlay, !text.isEmpty else { return }
    let lines: [String] =
      switch list {
      case .help: KeyHelp.searched(for: state)
      case .text(_, let lines): lines.map(\.text)
      case .branches: state.branchRows.map { state.branches[$0.branch].name }
      case .marks: state.sortedMarks.map(\.note)
      case .results: state.searches.results.map(\.words)
      case .sessions: state.driving.sessions.map(\.name)
      case .menu(let menu): state.items(of: menu).map(\.text)
      }
    let hits = lines.indices.filter { lines[$0].lowercased().contains(text) }
    guard let hit = hits.first(where: { $0 >= first ?? line + 1 }) ?? hits.first else {
      return say("No line has this text.")
    }
    state.overlay = .list(list, at: hit)
  }

  mutating func choose() {
    // A test is of the fork, which may still be running.
    if selectionNeedsHost(isDeleting: false) || state.offersTestHere, mustWaitForFork() {
      return
    }
    let offersTest = state.offersTestHere
    guard case .list(let list, let line)? = state.overlay.take() else { return }
    switch list {
    case .results: showResult(line)
    case .branches:
      let rows = state.branchRows
      if rows.indices.contains(line) { look(at: rows[line]) }
    case .marks:
      let marks = state.sortedMarks
      if marks.indices.contains(line) { state.go(to: marks[line].position) }
    case .sessions: goToSession(line)
    case .menu(let menu):
      let items = state.items(of: menu)
      if items.indices.contains(line) { press(items[line].key, in: menu) }
    case .text where offersTest:
      state.searches.offersTest = false
      // A fork without steps of its own is not shown by itself.
      if let fork = state.searches.smallest, fork != state.here.branch,
        let last = state.branches.first(where: { $0.id == fork })?.steps.upperBound
      {
        state.go(to: Position(branch: fork, step: last))
      }
      askForTest()
    case .text(_, let lines):
      if lines.indices.contains(line), let place = lines[line].place { state.go(to: place) }
    case .help: break
    }
  }

  mutating func look(at row: BranchRow) {
    let branch = state.branches[row.branch]
    if branch.isNotRun || branch.progress == .stopped, let script = branch.script {
      return rerun(branch, script)
    }
    // The same place in time, or the fork's first own step.
    var step = branch.isMain ? state.here.step : max(state.here.step, branch.firstOwnStep ?? 0)
    switch row {
    case .branch: break
    case .edit(_, let edits):
      let index = edits.lowerBound
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
    state.go(to: Position(branch: branch.id, step: step))
  }

  private mutating func rerun(_ fork: Branch, _ script: Script) {
    if state.host.status == .none {
      say(
        "“\(fork.name)” was saved without its steps: it needs the app's reducer to run. \(Trouble.attachHint).",
        .warning)
    } else if let running = state.forks.running {
      sayRuns(running)
    } else if let parent = state[branch: script.parent], parent.isNotRun {
      say("“\(fork.name)” starts from “\(parent.name)”: open that one first.", .warning)
    } else {
      state.message = nil
      runFork(fork.id)
    }
  }

  /// Also removes its descendants, here and in the session.
  mutating func removeFork(_ id: BranchID) {
    forgetBranch(id)
    save(.deleteFork(id))
  }

  mutating func forgetBranch(_ id: BranchID) {
    if state.forks.running == id { _ = stopWork() }
    for child in state.branches where child.script?.parent == id { forgetBranch(child.id) }
    let parent = state[branch: id]?.script
    state.branches.removeAll { $0.id == id && !$0.isMain }
    state.reading.forget(id)
    state.travel.history.forget(id)
    state.keeping.marks = state.keeping.marks.filter { $0.key.branch != id }
    if state.searches.smallest == id { state.timeline.kept = KeptSteps() }
    if state.here.branch == id, let parent {
      state.here = Position(branch: parent.parent, step: max(parent.leavesAt, 0))
      state.go(to: state.here.step, isJump: false)
    }
    state.closeCompare()
  }
}

extension DebuggerState {
  /// The step of the selected line in a list.
  var listedPlace: Position? {
    guard case .list(.text(_, let lines), let line)? = overlay, lines.indices.contains(line) else {
      return nil
    }
    return lines[line].place
  }

  /// Whether Enter keeps the found fork as a test.
  var offersTestHere: Bool { searches.offersTest && overlay != nil && listedPlace == nil }
}
