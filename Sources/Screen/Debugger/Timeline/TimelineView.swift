import SessionWords
import TextCanvas
import TimeTravel

extension Painter {
  private var axis: TimeAxis { layout.axis }

  mutating func drawTimeline() {
    if let area = layout.density { drawDensity(in: area) }
    drawSlider()
    if let frame = layout.frame { drawTitle(in: frame) }
    if let area = layout.curve { drawCurve(in: area) }
    if let area = layout.watches { drawWatches(in: area) }
    if let area = layout.forks { drawForks(in: area) }
    if let area = layout.effects, let lanes = layout.lanes { drawEffects(lanes, in: area) }
  }

  private mutating func drawTitle(in frame: Rectangle) {
    var title = "timeline"
    if state.timeline.zoom != nil { title += "  \(axis.steps.words)" }
    if state.timeline.isByTime { title += "  by time" }
    if layout.density != nil { title += "  ▁▄█ steps in a second" }
    let end = canvas.write(" \(title) ", at: frame.point(1), style: heading(of: .timeline))
    // A name on its graph would hide values.
    let watched = state.shownSeries.prefix(layout.watches?.height ?? 0)
    let names = watched.map(state.words)
    if !names.isEmpty {
      canvas.write(
        " \(names.joined(separator: ", ")) ", at: Point(column: end + 1, row: frame.top),
        style: Style(foreground: .cyan), width: frame.right - end - 18)
    }
    let hidden = state.branches.count - 1 - state.shownForks(layout).count
    let effects = layout.lanes?.hidden ?? 0
    if hidden + effects > 0 {
      let more = state.timeline.effects.count == Timeline.laneLimit ? " or more" : ""
      let words =
        " "
        + [
          effects > 0 ? "+\(counted(effects, "effect"))\(more)" : nil,
          hidden > 0 ? "\(counted(hidden, "more fork")): \(state.key("B"))" : nil,
        ].compactMap(\.self).joined(separator: "  ") + " "
      let column = frame.width - 1 - SafeText.width(words)
      canvas.write(words, at: frame.point(column), style: .plain.dim)
    }
    let whole = state.timelineSteps
    for (sign, column, isMore) in [
      ("‹", frame.left, axis.steps.lowerBound > whole.lowerBound),
      ("›", frame.right - 1, axis.steps.upperBound < whole.upperBound),
    ] where isMore {
      canvas.write(sign, at: Point(column: column, row: layout.slider.top), style: .plain.bold)
    }
  }

  // MARK: The curve of inevitability

  /// The smallest session: what it leaves out is dim.
  private mutating func drawKept(in area: Rectangle) {
    let kept = state.timeline.kept
    let columns = kept.steps.filter(axis.steps.contains).map(axis.column(of:))
    let end = axis.column(of: kept.last)
    for column in 0...end {
      canvas.write("·", at: area.point(column), style: .plain.dim)
    }
    for column in columns {
      canvas.write("█", at: area.point(column), style: Style(foreground: .green).bold)
    }
    if axis.steps.contains(kept.last), !columns.contains(end) {
      canvas.write("✗", at: area.point(end), style: Style(foreground: .red).bold)
    }
    let count = kept.steps.count
    let enough = count == 1 ? "is enough" : "are enough"
    let isFound = state.searches.finding == nil
    let name = " \(grouped(count)) of \(grouped(kept.of)) \(isFound ? enough : "left") "
    // Behind the end if there is room, else where nothing is kept.
    let width = SafeText.width(name)
    let starts = [end + 1] + [-1] + columns.map { $0 }
    let free = starts.map { $0 + 1 }.first { start in
      start + width <= area.width && !columns.contains { (start..<start + width).contains($0) }
        && (start > end || start + width <= end)
    }
    if let free { canvas.write(name, at: area.point(free), style: .plain.bold) }
  }

  private mutating func drawCurve(in area: Rectangle) {
    if state.showsKept { return drawKept(in: area) }
    let curve = state.timeline.curve
    let ends = curve.dropFirst().map(\.after) + [(curve.last?.after ?? 0) + 1]
    for (point, end) in zip(curve, ends) {
      let first = axis.column(of: point.after)
      let style = Style(foreground: point.share < 1 ? .yellow : .red)
      for column in first..<max(axis.column(of: end), first + 1) where column < area.width {
        canvas.write(Self.bar(point.share), at: area.point(column), style: style)
      }
    }
    guard let (from, to) = curve.jump, let last = curve.last else { return }
    // The jump's name goes behind the curve if there is room, else before the jump.
    let step = "\(to.after) \(StepLabels.shortened(to.label, to: 24))"
    let name = " \(step): \(from.percent) → \(to.percent) "
    let width = SafeText.width(name)
    let end = 1 + axis.column(of: last.after + 1)
    let jump = axis.column(of: to.after)
    guard let column = [end, jump - width].first(where: { $0 >= 0 && $0 + width <= area.width })
    else { return }
    canvas.write(name, at: area.point(column), style: .plain.bold)
  }

  // MARK: Density

  /// Steps in each second; if columns are times, steps in each column.
  private mutating func drawDensity(in area: Rectangle) {
    guard let density = state.timeline.density else { return }
    let most = axis.mostSteps
    for column in 0..<area.width {
      let count = axis.steps(in: column).count
      let level =
        state.timeline.isByTime
        ? (count > 0 ? Double(count) / Double(most) : nil)
        : density.level(from: axis.place(of: column), to: axis.place(of: column + 1))
      guard let level else { continue }
      canvas.write(
        Self.bar(level), at: area.point(column),
        style: state.searches.errors?.hasHit(in: axis.steps(at: column)) == true
          ? Style(foreground: .red) : Style(foreground: .cyan).dim)
    }
  }

  // MARK: Slider

  /// Without room for forks, the current one takes the recording's line.
  private mutating func drawSlider() {
    let (axis, isHere) = (layout.axis, state.branch.isMain || layout.forks == nil)
    let branch = isHere ? state.branch : state.branches[0]
    let own = isHere ? state.here.step : state.leavingMain(state.branch)
    let here = axis.column(of: own)
    let isPast = own > axis.steps.upperBound
    for column in 0...axis.column(of: min(branch.steps.upperBound, axis.steps.upperBound)) {
      let isBefore = own >= axis.steps.lowerBound && (column <= here || isPast)
      let isListed = !isHere || isListed(column)
      canvas.write(
        isListed ? (isBefore ? "━" : "─") : "┄", at: layout.slider.point(column),
        style: isBefore ? .plain : .plain.dim)
    }
    drawSigns(of: branch, in: layout.slider, from: 0)
    guard axis.steps.contains(own) else { return }
    let style = Style(foreground: state.color(of: state.here.branch)).bold
    canvas.write(isHere ? "●" : "┬", at: layout.slider.point(here), style: style)
  }

  private func isListed(_ column: Int) -> Bool {
    state.rows?.isAnyShown(in: axis.steps(at: column)) ?? true
  }

  /// Errors and marks of a branch; of the current one hits and the range, too.
  private mutating func drawSigns(of branch: Branch, in area: Rectangle, from first: Int) {
    let isHere = branch.id == state.here.branch
    let marks = markedColumns(of: branch.id)
    let range = isHere ? rangeColumns : nil
    let shared = 0..<(branch.isMain ? Int.max : state.leavingMain(branch) + 1)
    func hits(_ search: Search?, _ steps: Range<Int>) -> Bool {
      guard let search, search.branch == branch.id || search.branch == .main else { return false }
      return search.hasHit(in: search.branch == branch.id ? steps : steps.clamped(to: shared))
    }
    let last = axis.column(of: min(branch.steps.upperBound, axis.steps.upperBound))
    for column in stride(from: first, through: last, by: 1) {
      func put(_ sign: String, _ style: Style) {
        canvas.write(sign, at: area.point(column), style: style)
      }
      let steps = axis.steps(in: column)
      let isListed = !isHere || isListed(column)
      let fails = isHere && state.ofHere(state.searches.forkErrors)?.hasHit(in: steps) == true
      if isListed, fails || hits(state.searches.errors, steps) {
        put("✗", Style(foreground: .red).bold)
      } else if isListed, isHere, state.ofHere(state.searches.broken)?.hasHit(in: steps) == true {
        put("▼", Style(foreground: .red).bold)
      } else if isListed, isHere, !marks[column],
        state.ofHere(state.searches.asked)?.hasHit(in: steps) == true
      {
        put("◆", Style(foreground: .yellow))
      } else if range?.contains(column) == true {
        put("═", Style(foreground: .cyan).bold)
      } else if marks[column] {
        // In a row of hits, draw the first and the last.
        let isWithin =
          column > 0 && marks[column - 1] && column + 1 < marks.count && marks[column + 1]
        put(isWithin ? "━" : "▲", Style(foreground: .magenta))
      }
    }
  }

  private var rangeColumns: ClosedRange<Int>? {
    guard let range = state.range, range.overlaps(axis.steps) else { return nil }
    return axis.column(of: range.lowerBound)...axis.column(of: range.upperBound)
  }

  private func markedColumns(of branch: BranchID) -> [Bool] {
    var marks = [Bool](repeating: false, count: axis.width)
    for mark in state.keeping.marks.keys
    where mark.branch == branch && axis.steps.contains(mark.step) {
      marks[axis.column(of: mark.step)] = true
    }
    return marks
  }

  // MARK: Forks

  private mutating func drawForks(in area: Rectangle) {
    let shown = state.shownForks(layout)
    drawLeaving(shown, in: area)
    for (row, fork) in shown.enumerated() { draw(fork, in: area.line(row)) }
    for (row, fork) in shown.enumerated() {
      guard let script = fork.script, axis.steps.contains(script.leavesAt),
        let parent = shown.firstIndex(where: { $0.id == script.parent }),
        let start = shown[parent].script?.leavesAt, start < script.leavesAt
      else { continue }
      let column = axis.column(of: script.leavesAt)
      let style = Style(foreground: state.color(of: fork.id))
      for between in parent..<row {
        let point = area.point(column, between)
        switch canvas[point]?.text {
        case "─": canvas.write(between == parent ? "┬" : "┼", at: point, style: style)
        case " ": canvas.write("│", at: point, style: style)
        default: break
        }
      }
    }
  }

  private mutating func drawLeaving(_ shown: [Branch], in area: Rectangle) {
    var counts = [Int](repeating: 0, count: axis.width)
    let names = Set(shown.map(\.name))
    for fork in state.branches.dropFirst() where !names.contains(fork.name) {
      guard let step = fork.script?.leavesAt, axis.steps.contains(step) else { continue }
      counts[axis.column(of: step)] += 1
    }
    let most = counts.max() ?? 0
    for (column, count) in counts.enumerated() where count > 0 {
      let sign = count == 1 ? "└" : String(count)
      canvas.write(
        most < 10 ? sign : Self.bars[count * 7 / most],
        at: area.point(column, area.height - 1), style: .plain.dim)
    }
  }

  private mutating func draw(_ fork: Branch, in area: Rectangle) {
    let isHere = fork.id == state.branch.id
    let leavesAt = fork.script?.leavesAt ?? 0
    let start = axis.column(of: leavesAt)
    let end = axis.column(of: fork.steps.upperBound)
    let own = Style(foreground: state.color(of: fork.id))
    let style = isHere ? own.bold : own
    let line = isHere ? style : style.dim
    canvas.write(axis.steps.contains(leavesAt) ? "└" : "─", at: area.point(start), style: line)
    for column in start + 1..<max(end + 1, start + 2) {
      canvas.write("─", at: area.point(column), style: line)
    }
    let last = max(end, start + 1)
    if fork.steps.upperBound <= axis.steps.upperBound {
      let (sign, signStyle) =
        switch fork.progress {
        case .complete: ("○", style)
        case .running, .notRun, .stopped: ("…", style)
        case .ended: ("✗", Style(foreground: .red).bold)
        }
      canvas.write(sign, at: area.point(last), style: signStyle)
    }
    if isHere { drawSigns(of: fork, in: area, from: start + 1) }
    let name = state.name(of: fork, on: axis)
    canvas.write(name.text, at: area.point(name.columns.lowerBound), style: style)
    if isHere, axis.steps.contains(state.here.step) {
      canvas.write("●", at: area.point(axis.column(of: state.here.step)), style: .plain.bold)
    }
  }

  // MARK: Effects

  private mutating func drawEffects(_ lanes: EffectLanes, in area: Rectangle) {
    for bar in lanes.bars {
      let lane = area.line(bar.lane)
      let (start, end) = (bar.columns.lowerBound, bar.columns.upperBound)
      let style = bar.effect.look.role.style
      canvas.write(bar.name, at: lane.point(bar.nameColumn), style: .plain.dim)
      canvas.horizontalLine(at: lane.point(start), length: end - start, style: style.dim)
      if bar.effect.origin.step >= axis.steps.lowerBound {
        canvas.write("├", at: lane.point(start), style: style.dim)
      }
      let goesOn = bar.effect.end.map { $0.step > axis.steps.upperBound } ?? false
      canvas.write(goesOn ? "─" : bar.effect.look.sign, at: lane.point(end), style: style)
      if bar.effect.number == state.chosenEffect?.number {
        let place = Rectangle(at: lane.point(bar.nameColumn), width: end + 1 - bar.nameColumn)
        canvas.restyle(place) { $0.asSelected }
      }
    }
  }
}

extension DebuggerState {
  /// The forks with a row: the current one, and the newest visible ones.
  func shownForks(_ layout: Layout) -> [Branch] {
    let axis = layout.axis
    var shown: [Branch] = []
    for fork in branches.dropFirst().reversed() {
      if shown.count == layout.forks?.height ?? 0 { break }
      let leavesAt = fork.script?.leavesAt ?? 0
      guard leavesAt <= axis.steps.upperBound, fork.steps.upperBound >= axis.steps.lowerBound
      else { continue }
      shown.insert(fork, at: 0)
    }
    if !branch.isMain, !shown.isEmpty, !shown.contains(where: { $0.id == branch.id }) {
      shown[0] = branch
    }
    // Each stands below the one that it leaves.
    func tree(_ roots: [Branch]) -> [Branch] {
      roots.flatMap { root in [root] + tree(shown.filter { $0.script?.parent == root.id }) }
    }
    return tree(shown.filter { fork in !shown.contains { $0.id == fork.script?.parent } })
  }

  /// The step at which a fork, or the one that it leaves, leaves the recording.
  func leavingMain(_ fork: Branch) -> Int {
    guard let script = fork.script else { return fork.steps.upperBound }
    return min(script.leavesAt, self[branch: script.parent].map(leavingMain) ?? .max)
  }

  /// The name goes left of the fork's line if there is room, else on it, else behind it.
  func name(of fork: Branch, on axis: TimeAxis) -> (text: String, columns: Range<Int>) {
    let start = axis.column(of: fork.script?.leavesAt ?? 0)
    let end = axis.column(of: fork.steps.upperBound)
    let text = " \(SafeText.truncated(fork.name, to: 24)) "
    let width = SafeText.width(text)
    let last = max(end, start + 1)
    var column = start >= width ? start - width : end - start > width + 3 ? start + 2 : last + 1
    // The place on the line must not cover it.
    let here = axis.column(of: here.step)
    if fork.id == branch.id, (column..<column + width).contains(here) {
      column = end - here > width + 1 ? here + 1 : last + 1
    }
    return (text, column..<column + width)
  }

  /// Each fork has its own colour while they last; the recording has the default.
  func color(of branch: BranchID) -> Color {
    let index = branches.firstIndex { $0.id == branch } ?? 0
    return index == 0 ? .standard : Self.forkColors[(index - 1) % Self.forkColors.count]
  }

  private static let forkColors: [Color] = [.cyan, .magenta, .green, .blue, .yellow]
}
