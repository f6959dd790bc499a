import TextCanvas
import TimeTravel

extension DebuggerFeature {
  /// A click selects, a drag on the timeline moves in time, the wheel moves what is under it.
  static func handle(_ mouse: Mouse, _ state: inout DebuggerState, _ work: inout [Work]) {
    let layout = Layout(state)
    let point = Point(column: mouse.column, row: mouse.row)
    if state.overlay != nil { return handleOverlay(mouse, &state) }
    switch mouse.action {
    case .release: state.isDraggingSlider = false
    case .drag:
      if state.isDraggingSlider { seek(mouse.column, layout, isJump: false, &state) }
    case .wheelUp, .wheelDown:
      wheel(mouse.action == .wheelDown ? 1 : -1, at: point, layout, &state)
    case .press, .doubleClick: click(mouse, at: point, layout, &state)
    }
  }

  private static func seek(
    _ column: Int, _ layout: Layout, isJump: Bool, _ state: inout DebuggerState
  ) {
    let step = layout.step(atColumn: column, of: state.timelineSteps)
    state.go(to: min(step, state.branch.steps.upperBound), isJump: isJump)
  }

  private static func click(
    _ mouse: Mouse, at point: Point, _ layout: Layout, _ state: inout DebuggerState
  ) {
    state.message = nil
    if isOnTimeline(point, layout) {
      state.isDraggingSlider = true
      seek(point.column, layout, isJump: true, &state)
    } else if layout.tabs.contains(point) {
      if let pane = FrameView.tab(atColumn: point.column, state, layout) { state.show(pane) }
    } else if layout.steps.contains(point) {
      state.focus = .steps
      let step = state.listTop + point.row - layout.steps.top
      if state.branch.steps.contains(step) { state.go(to: step) }
    } else if layout.pane.contains(point) {
      state.focus = .pane
      let index = state.view.top + point.row - layout.pane.top
      guard state.view.content.rows.indices.contains(index) else { return }
      state.view.cursor = index
      if mouse.action == .doubleClick { follow(&state) }
    }
  }

  private static func isOnTimeline(_ point: Point, _ layout: Layout) -> Bool {
    layout.slider.contains(point) || layout.density?.contains(point) == true
      || layout.forks?.contains(point) == true || layout.effects?.contains(point) == true
  }

  private static func wheel(
    _ direction: Int, at point: Point, _ layout: Layout, _ state: inout DebuggerState
  ) {
    if layout.pane.contains(point) {
      let most = max(0, state.view.content.rows.count - layout.pane.height)
      state.view.top = min(max(state.view.top + 3 * direction, 0), most)
      let last = state.view.top + max(layout.pane.height, 1) - 1
      state.view.cursor = min(max(state.view.cursor, state.view.top), last)
      moveCursor(by: 0, &state)
    } else if isOnTimeline(point, layout) {
      state.move(by: direction)
    } else {
      state.move(by: 3 * direction)
    }
  }

  private static func handleOverlay(_ mouse: Mouse, _ state: inout DebuggerState) {
    let offset = mouse.action == .wheelDown ? 1 : mouse.action == .wheelUp ? -1 : 0
    guard offset != 0 else { return }
    scrollOverlay(by: offset, &state)
  }
}
