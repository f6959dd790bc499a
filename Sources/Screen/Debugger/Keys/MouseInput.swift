import TextCanvas
import TimeTravel

extension DebuggerUpdate {
  /// A click selects; dragging on the slider moves in time, on the bars or in the list it chooses a
  /// range; the wheel scrolls, and zooms the timeline.
  mutating func handle(_ mouse: Mouse) {
    let layout = Layout(state)
    let point = Point(column: mouse.column, row: mouse.row)
    if [.press, .doubleClick].contains(mouse.action), clickLink(mouse) { return }
    if case .list(.menu, _)? = state.overlay, ![.release, .drag].contains(mouse.action) {
      state.overlay = nil
    }
    if state.overlay != nil || state.shownForkLine != nil { return wheelOverlay(mouse) }
    switch mouse.action {
    case .release: state.input.drag = nil
    case .drag:
      switch state.input.drag {
      case .slider: seek(mouse.column, layout, isJump: false)
      case .range(let start): drawRange(from: start, to: point, layout)
      case .edge: widenSteps(by: mouse.column - layout.steps.right)
      case nil: break
      }
    case .wheelUp, .wheelDown: wheel(mouse.action == .wheelDown ? 1 : -1, at: point, layout)
    case .press, .doubleClick: _ = click(mouse, at: point, layout)
    case .rightPress where state.prompt == nil:
      // With a range, the menu is about the range.
      let isOnThing = state.range != nil || click(mouse, at: point, layout)
      state.input.drag = nil
      if isOnThing { state.overlay = .list(.menu(.here(point))) }
    case .rightPress: break
    }
  }

  private func step(atColumn column: Int, _ layout: Layout) -> Int {
    layout.axis.step(at: column - layout.slider.left)
  }

  private mutating func seek(_ column: Int, _ layout: Layout, isJump: Bool) {
    let step = step(atColumn: column, layout)
    state.go(to: min(step, state.branch.steps.upperBound), isJump: isJump)
  }

  private func listedStep(at point: Point, _ layout: Layout) -> Int? {
    let listed = state.stepsInRows(height: layout.steps.height)
    let row = point.row - layout.steps.top
    return listed.indices.contains(row) ? listed[row] : nil
  }

  private mutating func drawRange(from start: Int, to point: Point, _ layout: Layout) {
    if layout.steps.contains(Point(column: layout.steps.left, row: point.row)) {
      if let step = listedStep(at: point, layout) { state.go(to: step, isJump: false) }
    } else if point.row >= layout.steps.bottom {
      state.moveRows(by: 1)
    } else {
      seek(point.column, layout, isJump: false)
    }
    if state.here.step != start {
      state.travel.rangeStart = Position(branch: state.here.branch, step: start)
    }
  }

  /// False if nothing is there.
  private mutating func click(_ mouse: Mouse, at point: Point, _ layout: Layout) -> Bool {
    state.message = nil
    state.travel.rangeStart = nil
    if let bar = layout.lanes?.bar(at: point, in: layout.effects) {
      choose(bar.effect)
    } else if let (fork, isName) = fork(at: point, layout) {
      look(at: .branch(fork))
      if !isName { seek(point.column, layout, isJump: false) }
    } else if isOnTimeline(point, layout) {
      // The menu is of the step.
      if mouse.action == .rightPress { state.paneSet.focus = .steps }
      seek(point.column, layout, isJump: true)
      let isOnBars = layout.density?.contains(point) == true
      state.input.drag = isOnBars ? .range(from: state.here.step) : .slider
    } else if layout.shape == .wide, point.column == layout.steps.right,
      layout.steps.rows.contains(point.row)
    {
      state.input.drag = .edge
    } else if let pane = layout.tab(at: point) {
      state.show(pane)
    } else if layout.steps.contains(point) {
      state.paneSet.focus = .steps
      guard let step = listedStep(at: point, layout) else { return false }
      state.go(to: step)
      state.input.drag = .range(from: step)
    } else if let place = layout.panes.first(where: { $0.content.contains(point) }) {
      state.paneSet.focus = .pane
      state.show(place.seen)
      let index = state.view.top + point.row - place.content.top
      guard state.view.content.rows.indices.contains(index) else { return false }
      state.view.cursor = index
      let row = state.view.content.rows[index]
      if mouse.action != .rightPress, row.foldColumns.contains(point.column - place.content.left) {
        state.view.turn(row)
      } else if mouse.action == .doubleClick {
        openRow()
      }
    } else {
      return false
    }
    return true
  }

  /// Another fork whose name or line is there.
  private func fork(at point: Point, _ layout: Layout) -> (index: Int, isName: Bool)? {
    guard let area = layout.forks, area.contains(point) else { return nil }
    let shown = state.shownForks(layout)
    let row = point.row - area.top
    guard shown.indices.contains(row), shown[row].id != state.here.branch,
      let index = state.branches.firstIndex(where: { $0.id == shown[row].id })
    else { return nil }
    let column = point.column - area.left
    let isName = state.name(of: shown[row], on: layout.axis).columns.contains(column)
    let start = layout.axis.column(of: shown[row].script?.leavesAt ?? 0)
    return isName || column >= start ? (index, isName) : nil
  }

  private func isOnTimeline(_ point: Point, _ layout: Layout) -> Bool {
    layout.slider.contains(point) || layout.density?.contains(point) == true
      || layout.forks?.contains(point) == true || layout.effects?.contains(point) == true
  }

  private mutating func wheel(_ direction: Int, at point: Point, _ layout: Layout) {
    if let place = layout.panes.first(where: { $0.content.contains(point) }) {
      state.paneSet[place.seen].scroll(by: 3 * direction, height: place.content.height)
    } else if isOnTimeline(point, layout) {
      zoom(by: -direction, around: step(atColumn: point.column, layout))
    } else {
      state.moveRows(by: 3 * direction)
    }
  }

  private mutating func wheelOverlay(_ mouse: Mouse) {
    let offset = mouse.action == .wheelDown ? 1 : mouse.action == .wheelUp ? -1 : 0
    guard offset != 0 else { return }
    if state.shownForkLine != nil { send(.forkLine(.picked(by: offset))) }
    scrollOverlay(by: offset)
  }

  private mutating func clickLink(_ mouse: Mouse) -> Bool {
    guard let link else { return false }
    switch link.destination {
    case .file: return false
    case .key(let key): handle(.key(key))
    case .choice(let index): choose(index, isDouble: mouse.action == .doubleClick)
    case .text(let start):
      let cells = mouse.column - link.columns.lowerBound
      state.prompt?.line.place(cells, after: start)
    }
    return true
  }

  private mutating func choose(_ index: Int, isDouble: Bool) {
    switch state.overlay {
    case .list(let list, _):
      state.overlay = .list(list, at: index)
      if case .menu = list { return choose() }
      if isDouble { choose() }
    case nil:
      guard let prompt = state.prompt else { return }
      if let line = state.shownForkLine {
        let choices = line.choices
        if choices.indices.contains(index) { setForkLine(line.line(taking: choices[index])) }
        return
      }
      let items = CommandPalette.items(for: prompt.line.text, state)
      state.prompt = nil
      if items.indices.contains(index) { items[index].deed(&self) }
    }
  }
}
