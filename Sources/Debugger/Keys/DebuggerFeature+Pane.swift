import TextCanvas
import TimeTravel
import ValueTree

extension DebuggerFeature {
  /// The keys that mean something else while the cursor is in the pane.
  static func handlePane(
    _ key: Key, _ count: Int?, _ state: inout DebuggerState, _ work: inout [Work]
  ) -> Bool {
    let height = max(1, Layout(state).pane.height)
    let times = count ?? 1
    switch key {
    case .character("j"), .down: moveCursor(by: times, &state)
    case .character("k"), .up: moveCursor(by: -times, &state)
    case .control("d"): moveCursor(by: height / 2, &state)
    case .control("u"): moveCursor(by: -height / 2, &state)
    case .pageDown, .character(" "): moveCursor(by: height, &state)
    case .pageUp, .character("b"): moveCursor(by: -height, &state)
    case .character("g"), .home: moveCursor(by: -state.view.content.rows.count, &state)
    case .character("G"), .end: moveCursor(by: state.view.content.rows.count, &state)
    case .character("l"), .right: fold(.closed, &state)
    case .character("h"), .left: foldOrLeave(&state)
    case .enter where state.pane == .effects && state.view.row?.effect != nil:
      answer(state.view.row?.effect, &state, &work)
    case .enter: follow(&state)
    case .character("c") where state.pane == .effects && state.view.row?.step != nil:
      follow(&state)
    case .character("w"): toggleWatch(&state)
    default: return false
    }
    return true
  }

  /// Watches the value under the cursor from now on, or no longer.
  private static func toggleWatch(_ state: inout DebuggerState) {
    guard [.diff, .state, .watch, .compare].contains(state.pane), let path = state.view.row?.path
    else {
      state.message = Message("Only parts of the state can be watched.")
      return
    }
    if let index = state.watched.firstIndex(of: path) {
      state.watched.remove(at: index)
      state.message = Message("\(path.text) is no longer watched.")
    } else {
      state.watched.append(path)
      state.message = Message("\(path.isRoot ? "The state" : path.text) is watched: see Watch.")
    }
  }

  static func moveCursor(by offset: Int, _ state: inout DebuggerState) {
    let last = max(0, state.view.content.rows.count - 1)
    state.view.cursor = min(max(state.view.cursor + offset, 0), last)
  }

  /// Opens what is closed, or closes what is open.
  private static func fold(_ fold: PaneRow.Fold, _ state: inout DebuggerState) {
    guard let row = state.view.row, row.fold == fold, let path = row.path else { return }
    state.view.toggle(path, in: state.pane)
  }

  /// Closes what is open; else goes to what holds the line; at the outermost, to the steps.
  private static func foldOrLeave(_ state: inout DebuggerState) {
    guard let row = state.view.row else {
      state.focus = .steps
      return
    }
    if row.fold == .open { return fold(.open, &state) }
    let holder = state.view.content.rows[..<state.view.cursor].lastIndex {
      $0.indent < row.indent
    }
    if row.indent > 0, let holder {
      state.view.cursor = holder
    } else {
      state.focus = .steps
    }
  }

  /// Goes to the step that the line names, or opens and closes the line.
  static func follow(_ state: inout DebuggerState) {
    guard let row = state.view.row else { return }
    if let step = row.step {
      let branch = state.pane == .compare ? state.otherBranch : nil
      state.go(to: Position(branch: branch ?? state.here.branch, step: step))
    } else if row.fold != .none, let path = row.path {
      state.view.toggle(path, in: state.pane)
    }
  }

  // MARK: Copying and the editor

  /// `y` then `v` the value, `k` the key, `p` the path.
  static func copy(_ key: Key, _ state: inout DebuggerState, _ work: inout [Work]) {
    let row = state.focus == .pane ? state.view.row : nil
    let text: String?
    switch key {
    case .character("v"), .character("y"): text = value(row, state)?.text(.pretty)
    case .character("k"): text = row?.path?.lastText ?? label(state)
    case .character("p"): text = row?.path?.text ?? state.here.text
    default:
      state.message = Message("y copies: yv the value, yk its key, yp its path.")
      return
    }
    guard let text, !text.isEmpty else {
      state.message = Message("Nothing to copy here.")
      return
    }
    work.append(.output(.copy(SafeText.lines(text))))
    state.message = Message("Copied \(ValuePreview.text(.string(text), limit: 40)).")
  }

  private static func label(_ state: DebuggerState) -> String? {
    state.pages[state.here.branch, state.here.step]?.label
  }

  /// The value under the cursor; in the list, the action.
  private static func value(_ row: PaneRow?, _ state: DebuggerState) -> Value? {
    if let row {
      return row.value ?? row.path.flatMap { $0.value(in: state.moment?.state ?? .null) }
    }
    return state.moment?.step.action
  }

  static func openInEditor(_ state: inout DebuggerState, _ work: inout [Work]) {
    let row = state.focus == .pane ? state.view.row : nil
    let shown = row.map { value($0, state) } ?? whole(state)
    guard let shown else {
      state.message = Message("Nothing to show in the editor here.")
      return
    }
    let name = row?.path?.lastText ?? state.pane.rawValue.lowercased()
    work.append(.output(.edit(shown.text(.pretty) + "\n", name: "\(state.here.step)-\(name).json")))
  }

  private static func whole(_ state: DebuggerState) -> Value? {
    state.pane == .state || state.pane == .diff
      ? state.moment?.state : state.moment?.step.action
  }
}
