import TextCanvas
import TimeTravel

extension Reaction {
  /// A click selects, a drag on the timeline moves in time, the wheel moves what is under it.
  mutating func handle(_ mouse: Mouse) {
    let layout = Layout(state)
    let point = Point(column: mouse.column, row: mouse.row)
    if state.overlay != nil { return handleOverlay(mouse) }
    switch mouse.action {
    case .release: state.drag = nil
    case .drag:
      switch state.drag {
      case .slider: seek(mouse.column, layout, isJump: false)
      case .edge: widenSteps(by: mouse.column - layout.steps.right)
      case nil: break
      }
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
    if let hint = StatusView.hint(at: point, state, in: layout.status) {
      if let key = hint.key { handle(.key(key)) }
      return
    }
    state.message = nil
    if isOnTimeline(point, layout) {
      state.drag = .slider
      seek(point.column, layout, isJump: true)
    } else if layout.shape == .wide, point.column == layout.steps.right,
      layout.steps.rows.contains(point.row)
    {
      state.drag = .edge
    } else if let pane = FrameView.tab(at: point, state, layout) {
      state.show(pane)
    } else if layout.steps.contains(point) {
      state.focus = .steps
      let listed = state.listed(height: layout.steps.height)
      let row = point.row - layout.steps.top
      if listed.indices.contains(row) { state.go(to: listed[row]) }
    } else if let place = layout.panes.first(where: { $0.content.contains(point) }) {
      state.focus = .pane
      state.show(place.seen)
      let index = state.view.top + point.row - place.content.top
      guard state.view.content.rows.indices.contains(index) else { return }
      state.view.cursor = index
      let row = state.view.content.rows[index]
      if row.foldColumns.contains(point.column - place.content.left) {
        state.view.turn(row)
      } else if mouse.action == .doubleClick {
        follow()
      }
    }
  }

  private func isOnTimeline(_ point: Point, _ layout: Layout) -> Bool {
    layout.slider.contains(point) || layout.density?.contains(point) == true
      || layout.forks?.contains(point) == true || layout.effects?.contains(point) == true
  }

  private mutating func wheel(_ direction: Int, at point: Point, _ layout: Layout) {
    if let place = layout.panes.first(where: { $0.content.contains(point) }) {
      state.paneSet[place.seen].scroll(by: 3 * direction, height: place.content.height)
    } else if isOnTimeline(point, layout) {
      state.moveRows(by: direction)
    } else {
      state.moveRows(by: 3 * direction)
    }
  }

  private mutating func handleOverlay(_ mouse: Mouse) {
    let offset = mouse.action == .wheelDown ? 1 : mouse.action == .wheelUp ? -1 : 0
    guard offset != 0 else { return }
    scrollOverlay(by: offset)
  }
}
