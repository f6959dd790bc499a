import TextCanvas
import TimeTravel

/// The session from end to end: how busy it was, where one is, what was found, and the forks.
enum TimelineView {
  static func draw(_ state: DebuggerState, _ layout: Layout, on canvas: inout Canvas) {
    if let area = layout.density { drawDensity(state, in: area, on: &canvas) }
    drawSlider(state, in: layout.slider, on: &canvas)
    if let area = layout.curve { drawCurve(state, in: area, on: &canvas) }
    if let area = layout.watches { WatchView.draw(state, in: area, on: &canvas) }
    if let area = layout.forks { drawForks(state, in: area, on: &canvas) }
    if let area = layout.effects { drawEffects(state, in: area, on: &canvas) }
  }

  // MARK: The curve of inevitability

  /// How surely it happens from each step on.
  private static func drawCurve(
    _ state: DebuggerState, in area: Rectangle, on canvas: inout Canvas
  ) {
    for (index, point) in state.curve.enumerated() {
      let end = state.curve.indices.contains(index + 1) ? state.curve[index + 1].after : nil
      let first = Layout.offset(ofStep: point.after, of: state.timelineSteps, width: area.width)
      let last = Layout.offset(
        ofStep: end ?? point.after + 1, of: state.timelineSteps, width: area.width)
      for column in first..<max(last, first + 1) where column < area.width {
        canvas.write(
          WatchView.bars[min(Int(point.share * 8), 7)],
          at: Point(column: area.left + column, row: area.top),
          style: Style(foreground: point.share < 1 ? .yellow : .red))
      }
    }
    guard let (from, to) = state.curve.jump, let last = state.curve.last else { return }
    // The name of the jump stands behind the curve where there is room, else before the jump.
    let step = "\(to.after) \(StepLabels.shortened(to.label, to: 24))"
    let name = " \(step): \(from.percent) → \(to.percent) "
    let width = SafeText.width(name)
    let end = 1 + Layout.offset(ofStep: last.after + 1, of: state.timelineSteps, width: area.width)
    let jump = Layout.offset(ofStep: to.after, of: state.timelineSteps, width: area.width)
    guard let column = [end, jump - width].first(where: { $0 >= 0 && $0 + width <= area.width })
    else { return }
    canvas.write(name, at: Point(column: area.left + column, row: area.top), style: .plain.bold)
  }

  // MARK: Density

  private static func drawDensity(
    _ state: DebuggerState, in area: Rectangle, on canvas: inout Canvas
  ) {
    guard let levels = state.density?.levels, !levels.isEmpty else { return }
    let steps = state.timelineSteps
    let main = state.session.steps
    // A fork may be longer than the recording; the density is the recording's.
    let last = Layout.offset(ofStep: main.upperBound, of: steps, width: area.width)
    for column in 0...max(last, 0) {
      let first = column * levels.count / (last + 1)
      let end = max(first + 1, (column + 1) * levels.count / (last + 1))
      let level = levels[first..<min(end, levels.count)].max() ?? 0
      canvas.write(
        WatchView.bars[min(Int(level * 8), 7)],
        at: Point(column: area.left + column, row: area.top),
        style: Style(foreground: .cyan).dim)
    }
  }

  // MARK: Slider

  private static func drawSlider(
    _ state: DebuggerState, in area: Rectangle, on canvas: inout Canvas
  ) {
    let steps = state.timelineSteps
    let main = state.session.steps
    let end = Layout.offset(ofStep: main.upperBound, of: steps, width: area.width)
    let owner = state.branch.isMain ? state.here.step : (state.branch.script?.leavesAt ?? 0)
    let here = Layout.offset(ofStep: owner, of: steps, width: area.width)
    for column in 0...max(end, 0) {
      let isListed = isListed(column, state, width: area.width)
      canvas.write(
        isListed ? (column <= here ? "━" : "─") : "┄",
        at: Point(column: area.left + column, row: area.top),
        style: column <= here ? .plain : .plain.dim)
    }
    drawTicks(of: state.search, "◆", Style(foreground: .yellow), state, in: area, on: &canvas)
    drawTicks(of: state.broken, "▼", Style(foreground: .red).bold, state, in: area, on: &canvas)
    drawTicks(of: state.errors, "✗", Style(foreground: .red).bold, state, in: area, on: &canvas)
    for mark in state.marks.keys {
      let column = Layout.offset(ofStep: mark.step, of: steps, width: area.width)
      canvas.write(
        "▲", at: Point(column: area.left + column, row: area.top),
        style: Style(foreground: .magenta))
    }
    let point = Point(column: area.left + here, row: area.top)
    let own = Style(foreground: state.color(of: state.here.branch)).bold
    canvas.write(state.branch.isMain ? "●" : "┬", at: point, style: own)
  }

  /// Whether the filter lists a step of a column.
  private static func isListed(_ column: Int, _ state: DebuggerState, width: Int) -> Bool {
    state.rows?.isAnyShown(
      in: Layout.steps(inColumn: column, of: state.timelineSteps, width: width)) ?? true
  }

  private static func drawTicks(
    of search: Search?, _ sign: String, _ style: Style, _ state: DebuggerState,
    in area: Rectangle, on canvas: inout Canvas
  ) {
    guard let search, !search.ticks.isEmpty else { return }
    // A fork may have made the timeline longer than what was searched.
    let width =
      1
      + Layout.offset(ofStep: search.steps.upperBound, of: state.timelineSteps, width: area.width)
    for column in 0..<width
    where search.ticks.isMarked(column: column, width: width)
      && isListed(column, state, width: area.width)
    {
      canvas.write(sign, at: Point(column: area.left + column, row: area.top), style: style)
    }
  }

  // MARK: Forks

  private static func drawForks(
    _ state: DebuggerState, in area: Rectangle, on canvas: inout Canvas
  ) {
    let forks = state.branches.dropFirst()
    // The one that is looked at is always among those that have room.
    var shown = Array(forks.suffix(area.height))
    if !state.branch.isMain, !shown.contains(where: { $0.name == state.branch.name }) {
      shown[0] = state.branch
    }
    for (row, fork) in shown.enumerated() {
      draw(fork, state, row: area.top + row, in: area, on: &canvas)
    }
  }

  private static func draw(
    _ fork: Branch, _ state: DebuggerState, row: Int, in area: Rectangle,
    on canvas: inout Canvas
  ) {
    let steps = state.timelineSteps
    let isHere = fork.name == state.branch.name
    let start = Layout.offset(ofStep: fork.script?.leavesAt ?? 0, of: steps, width: area.width)
    let end = Layout.offset(ofStep: fork.steps.upperBound, of: steps, width: area.width)
    let own = Style(foreground: state.color(of: fork.name))
    let style = isHere ? own.bold : own
    let line = isHere ? style : style.dim
    func point(_ column: Int) -> Point { Point(column: area.left + column, row: row) }
    let name = " \(SafeText.truncated(fork.name, to: 24)) "
    let nameWidth = SafeText.width(name)
    canvas.write("└", at: point(start), style: line)
    for column in start + 1..<max(end + 1, start + 2) {
      canvas.write("─", at: point(column), style: line)
    }
    // The name stands left of the line when it has room there, else on it, else behind it.
    let nameStyle = style
    if start >= nameWidth {
      canvas.write(name, at: point(start - nameWidth), style: nameStyle)
    } else if end - start > nameWidth + 3 {
      canvas.write(name, at: point(start + 2), style: nameStyle)
    } else {
      canvas.write(name, at: point(max(end, start + 1) + 1), style: nameStyle)
    }
    switch fork.progress {
    case .complete: canvas.write("○", at: point(max(end, start + 1)), style: style)
    case .running, .notRun, .stopped:
      canvas.write("…", at: point(max(end, start + 1)), style: style)
    case .ended:
      canvas.write("✗", at: point(max(end, start + 1)), style: Style(foreground: .red).bold)
    }
    if isHere {
      let here = Layout.offset(ofStep: state.here.step, of: steps, width: area.width)
      canvas.write("●", at: point(here), style: .plain.bold)
    }
  }

  // MARK: Effects

  private static func drawEffects(
    _ state: DebuggerState, in area: Rectangle, on canvas: inout Canvas
  ) {
    let lanes = EffectLanes(
      state.longEffects, steps: state.timelineSteps, lastStep: state.session.steps.upperBound,
      width: area.width, most: area.height)
    for bar in lanes.bars {
      func point(_ column: Int) -> Point {
        Point(column: area.left + column, row: area.top + bar.lane)
      }
      let (start, end) = (bar.columns.lowerBound, bar.columns.upperBound)
      let style = bar.effect.role.style
      canvas.write(bar.name, at: point(bar.nameColumn), style: .plain.dim)
      canvas.horizontalLine(at: point(start), length: end - start, style: style.dim)
      canvas.write("├", at: point(start), style: style.dim)
      canvas.write(bar.effect.endSign, at: point(end), style: style)
    }
  }
}

extension EffectSpan {
  /// How a bar ends.
  fileprivate var endSign: String {
    switch end?.manner {
    case nil: "▸"
    case .finished: "┤"
    case .cancelled: "×"
    case .failed: "✗"
    }
  }

  /// What is said of how it ended is shown so.
  var role: Span.Role {
    switch end?.manner {
    case nil: .warning
    case .finished: .added
    case .cancelled: .quiet
    case .failed: .failure
    }
  }
}

extension DebuggerState {
  /// Each fork has a colour of its own, as long as there are some; the recording has none.
  func color(of branch: String) -> Color {
    let index = branches.firstIndex { $0.name == branch } ?? 0
    return index == 0 ? .standard : Self.forkColors[(index - 1) % Self.forkColors.count]
  }

  private static let forkColors: [Color] = [.cyan, .magenta, .green, .blue, .yellow]
}
