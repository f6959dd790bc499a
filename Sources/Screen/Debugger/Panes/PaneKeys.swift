import TextCanvas
import TimeTravel
import ValueTree

extension DebuggerUpdate {
  var paneHeight: Int { max(1, Layout(state).place(of: state.pane)?.content.height ?? 1) }
  var paneRows: Int { state.view.content.rows.count }

  mutating func answerOrFollow() {
    if state.pane == .effects, let effect = state.view.row?.effect {
      answer(effect)
    } else {
      openRow()
    }
  }

  mutating func toStart() {
    if state.pane == .effects, state.view.row?.step != nil { return openRow() }
    if !goToSetter() { toCause() }
  }

  mutating func moveCursor(by offset: Int) { state.view.moveCursor(by: offset) }

  mutating func unfold() {
    guard let row = state.view.row else { return }
    switch row.fold {
    case .closed, .page: state.view.turn(row)
    case .open: moveCursor(by: 1)
    case .none: break
    }
  }

  mutating func foldOrLeave() {
    guard let row = state.view.row else { return state.paneSet.focus = .steps }
    if row.fold == .open { return state.view.turn(row) }
    let holder = state.view.content.rows[..<state.view.cursor].lastIndex {
      $0.indent < row.indent
    }
    if row.indent > 0, let holder {
      state.view.cursor = holder
    } else {
      state.paneSet.focus = .steps
    }
  }

  mutating func openRow() {
    guard let row = state.view.row else { return }
    if let step = row.step {
      let branch = state.pane == .compare ? state.otherBranch : nil
      state.go(to: Position(branch: branch ?? state.here.branch, step: step))
    } else if row.fold != .none || !goToSetter() {
      state.view.turn(row)
    }
  }

  // MARK: Copying and the editor

  private var rowToCopy: PaneRow? { state.paneSet.focus == .pane ? state.view.row : nil }

  mutating func copyValue() { copy(value(rowToCopy)?.text(.pretty)) }
  mutating func copyKey() { copy(rowToCopy?.path?.lastText ?? state.row?.label) }
  mutating func copyPath() { copy(rowToCopy?.path?.text ?? state.text(of: state.here)) }

  private mutating func copy(_ text: String?) {
    guard let text, !text.isEmpty else { return say("Nothing to copy here.") }
    effects.append(.output(.copy(SafeText.lines(text))))
    say("Copied \(ValuePreview.text(.string(text), limit: 40)).")
  }

  private func value(_ row: PaneRow?) -> Value? {
    if let row {
      return row.value ?? row.path.flatMap { $0.value(in: state.moment?.state ?? .null) }
    }
    return state.moment?.step.action
  }

  mutating func openInEditor() {
    let row = state.paneSet.focus == .pane ? state.view.row : nil
    if let place = row?.place { return open(place) }
    let shown = row.map { value($0) } ?? whole()
    guard let shown else { return say("Nothing to show in the editor here.") }
    let name = row?.path?.lastText ?? state.pane.rawValue.lowercased()
    effects.append(
      .output(.edit(shown.text(.pretty) + "\n", name: "\(state.here.step)-\(name).json")))
  }

  private func whole() -> Value? {
    state.pane == .state || state.pane == .diff
      ? state.moment?.state : state.moment?.step.action
  }
}
