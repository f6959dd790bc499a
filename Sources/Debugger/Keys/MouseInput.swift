import TextCanvas
import TimeTravel

extension Reaction {
  /// A click selects, a drag on the timeline moves in time, the wheel moves what is under it.
  mutating func handle(_ mouse: Mouse) {
    let layout = Layout(state)
    let point = Point(column: mouse.column, row: mouse.row)
    if state.overlay != nil { return handleOverlay(mouse) }
    switch mouse.action {
    case .release: state.isDraggingSlider = false
    case .drag:
      if state.isDraggingSlider { seek(mouse.column, layout, isJump: false) }
    case .wheelUp, .wheelDown:
      wheel(mouse.action == .wheelDown ? 1 : -1, at: point, layout)
    case .press, .doubleClick: click(mouse, at: point, layout)
    }
  }

  private mutating func seek(_ column: Int, _ layout: Layout, isJump: Bool) {
    let step = layout.step(atColumn: column, of: state.timelineSteps)
    state.go(to: min(step, state.branch.steps.upperBound), isJump: isJump)
  }

  private mutating func click(_ mouse: Mouse, at point: Point, _ layout: Layout) {
    state.message = nil
    if isOnTimeline(point, layout) {
      state.isDraggingSlider = true
      seek(point.column, layout, isJump: true)
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
      if mouse.action == .doubleClick { follow() }
    }
  }

  private func isOnTimeline(_ point: Point, _ layout: Layout) -> Bool {
    layout.slider.contains(point) || layout.density?.contains(point) == true
      || layout.forks?.contains(point) == true || layout.effects?.contains(point) == true
  }

  private mutating func wheel(_ direction: Int, at point: Point, _ layout: Layout) {
    if layout.pane.contains(point) {
      let most = max(0, state.view.content.rows.count - layout.pane.height)
      state.view.top = min(max(state.view.top + 3 * direction, 0), most)
      let last = state.view.top + max(layout.pane.height, 1) - 1
      state.view.cursor = min(max(state.view.cursor, state.view.top), last)
      moveCursor(by: 0)
    } else if isOnTimeline(point, layout) {
      state.move(by: direction)
    } else {
      state.move(by: 3 * direction)
    }
  }

  private mutating func handleOverlay(_ mouse: Mouse) {
    let offset = mouse.action == .wheelDown ? 1 : mouse.action == .wheelUp ? -1 : 0
    guard offset != 0 else { return }
    scrollOverlay(by: offset)
  }
}
