import TextCanvas

struct Layout: Sendable, Hashable {
  enum Shape: Sendable, Hashable {
    case tiny
    case narrow
    case wide
  }

  var shape: Shape
  var axis: TimeAxis
  var title: Rectangle
  var density: Rectangle?
  var slider: Rectangle
  /// One row: how surely something happens from each step on.
  var curve: Rectangle?
  var watches: Rectangle?
  var forks: Rectangle?
  var effects: Rectangle?
  var lanes: EffectLanes?
  var steps: Rectangle
  var panes: [PanePlace] = []
  var status: Rectangle
  var frame: Rectangle?

  struct PanePlace: Sendable, Hashable {
    var tabs: [Pane]
    var seen: Pane
    var header: Rectangle
    var content: Rectangle
  }

  init(_ state: DebuggerState) {
    let size = state.size
    let screen = Rectangle(size)
    func line(_ row: Int) -> Rectangle {
      Rectangle(column: 0, row: row, width: screen.width, height: 1)
    }
    title = line(0)
    status = line(screen.height - 1)
    slider = line(1)
    steps = Rectangle(column: 0, row: 3, width: screen.width, height: screen.height - 4)
    shape =
      size.width < 20 || size.height < 5
      ? .tiny : size.width < 56 || size.height < 12 ? .narrow : .wide
    axis = state.timeAxis(width: shape == .wide ? size.width - 2 : size.width)
    switch shape {
    case .tiny: break
    case .narrow: addNarrow(state)
    case .wide: addWide(state)
    }
  }

  private mutating func addNarrow(_ state: DebuggerState) {
    let nothing = Rectangle(column: 0, row: 3, width: 0, height: steps.height)
    let hasFocus = state.paneSet.focus == .pane
    for (tabs, seen) in state.paneSet.tabs(in: 1, of: state.panes) {
      let header = Rectangle(column: 0, row: 2, width: steps.width, height: 1)
      panes = [
        PanePlace(tabs: tabs, seen: seen, header: header, content: hasFocus ? steps : nothing)
      ]
    }
    if hasFocus { steps = nothing }
  }

  private mutating func addWide(_ state: DebuggerState) {
    let screen = Rectangle(state.size)
    let inner = screen.width - 2
    frame = Rectangle(column: 0, row: 1, width: screen.width, height: screen.height - 2)
    var row = 2
    func reserveRows(_ count: Int) -> Rectangle? {
      defer { row += max(count, 0) }
      return count > 0 ? Rectangle(column: 1, row: row, width: inner, height: count) : nil
    }
    if state.session.hasTimes { density = reserveRows(screen.height >= 16 ? 1 : 0) }
    slider = reserveRows(1) ?? slider
    let hasCurve = !state.timeline.curve.isEmpty || state.showsKept
    curve = reserveRows(hasCurve ? 1 : 0)
    // One value gets a chart, several share its rows.
    let most = screen.height >= 40 ? 6 : screen.height >= 30 ? 4 : screen.height >= 20 ? 1 : 0
    let watched = min(state.watch.places.count, most)
    watches = reserveRows(watched > 0 ? most / watched * watched : 0)
    forks = reserveRows(
      min(state.branches.count - 1, screen.height >= 30 ? 3 : screen.height >= 16 ? 1 : 0))
    // A focused timeline gets more room.
    let isIn = state.paneSet.focus == .timeline
    let lanes = EffectLanes(
      state.timeline.effects, on: axis,
      lastStep: state.branch.steps.upperBound,
      most: isIn ? screen.height / 5 : screen.height >= 50 ? 4 : screen.height >= 30 ? 2 : 0)
    effects = reserveRows(lanes.count)
    if effects != nil { self.lanes = lanes }
    let body = Rectangle(
      column: 0, row: row, width: screen.width, height: max(2, screen.height - 2 - row))
    let shown = state.paneSet.tabs(
      in: screen.width >= 180 ? 3 : screen.width >= 120 ? 2 : 1, of: state.panes)
    // With room for three panes, the steps take what they need.
    let needed = (state.reading.pages.widths[state.here.branch] ?? 0) + 16
    let ownWidth =
      shown.count > 2
      ? min(max(screen.width * 3 / 10, needed), screen.width / 2)
      : min(max(screen.width * 2 / 5, 27), 72)
    let usual = state.otherBeside == nil ? ownWidth : screen.width * 3 / 5
    let stepsWidth = min(max(usual + state.paneSet.extraStepsWidth, 20), screen.width - 24)
    steps = Rectangle(column: 1, row: row + 1, width: stepsWidth - 1, height: body.height - 1)
    let right = Rectangle(
      column: stepsWidth, row: row, width: screen.width - stepsWidth, height: body.height)
    let areas = Self.areas(in: right, count: shown.count)
    panes = zip(shown, areas).map { shown, area in
      let (header, content) = area.inset(columns: 1, rows: 0).split(top: 1)
      return PanePlace(tabs: shown.tabs, seen: shown.seen, header: header, content: content)
    }
  }

  /// Slots with their edges and tabs; neighbours share an edge. If high enough, two are stacked; of
  /// three, the second is as high as the others together.
  private static func areas(in area: Rectangle, count: Int) -> [Rectangle] {
    guard count > 1 else { return [area] }
    let isHigh = area.height >= 18
    if !isHigh || count > 2 {
      let columns = isHigh ? 2 : count
      let width = (area.width - 1) / columns
      var places = (0..<columns).map { index in
        Rectangle(
          column: area.left + index * width, row: area.top,
          width: (index == columns - 1 ? area.width - index * width : width + 1),
          height: area.height)
      }
      if isHigh {
        let (upper, lower) = places[0].split(top: area.height / 2)
        places[0] = upper
        places.append(lower)
      }
      return places
    }
    let (upper, lower) = area.split(top: area.height * 2 / 5)
    return [upper, lower]
  }

  func place(of pane: Pane) -> PanePlace? { panes.first { $0.seen == pane } }
}
