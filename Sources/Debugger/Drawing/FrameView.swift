import SessionWords
import TextCanvas
import TimeTravel

enum FrameView {
  static func draw(_ state: DebuggerState, _ layout: Layout, on canvas: inout Canvas) {
    if let frame = layout.frame { drawEdges(layout, frame, state, on: &canvas) }
    drawHidden(layout, state, on: &canvas)
    for place in layout.panes {
      drawTabs(place, state, on: &canvas)
      drawFooter(place, layout, state, on: &canvas)
    }
  }

  private static func drawEdges(
    _ layout: Layout, _ frame: Rectangle, _ state: DebuggerState, on canvas: inout Canvas
  ) {
    let edge = Style.plain.dim
    func put(_ sign: String, _ column: Int, _ row: Int) {
      canvas.write(sign, at: Point(column: column, row: row), style: edge)
    }
    canvas.box(frame, style: edge)
    let middle = layout.steps.top - 1
    let last = frame.bottom - 1
    let inner = Point(column: frame.left + 1, row: middle)
    canvas.horizontalLine(at: inner, length: frame.width - 2, style: edge)
    put("├", frame.left, middle)
    put("┤", frame.right - 1, middle)
    for place in layout.panes {
      let (left, top) = (place.header.left - 1, place.header.top)
      canvas.verticalLine(
        at: Point(column: left, row: top + 1), length: place.content.height, style: edge)
      if top == middle {
        put("┬", left, top)
      } else {
        canvas.horizontalLine(at: place.header.origin, length: place.header.width, style: edge)
        put("├", left, top)
        put("┤", place.header.right, top)
      }
      if place.content.bottom == last { put("┴", left, last) }
    }
    canvas.write(
      " steps ", at: inner, style: state.paneSet.focus == .steps ? .plain.bold : .plain)
  }

  /// ` 1 Diff │ 7 Compare `: the visible one is bold, underlined if it gets focus next, and
  /// reversed while it has it.
  private static func drawTabs(
    _ place: Layout.PanePlace, _ state: DebuggerState, on canvas: inout Canvas
  ) {
    let tabs = tabs(place, state)
    for (index, tab) in tabs.enumerated() {
      var style = Style.plain
      if tab.pane == state.pane {
        style = state.paneSet.focus == .pane ? .selected.bold : .plain.bold.underline
      } else if tab.pane == place.seen {
        style = .plain.bold
      } else {
        style = .plain.dim
      }
      let column = canvas.write(
        tab.text, at: Point(column: tab.columns.lowerBound, row: place.header.top), style: style)
      if index < tabs.count - 1 {
        canvas.write("│", at: Point(column: column, row: place.header.top), style: .plain.dim)
      }
    }
  }

  private struct Tab {
    var pane: Pane
    var text: String
    var columns: Range<Int>
  }

  /// With numbers and blanks if there is room; drops what does not fit.
  private static func tabs(_ place: Layout.PanePlace, _ state: DebuggerState) -> [Tab] {
    let letters = place.tabs.reduce(0) { $0 + $1.rawValue.count }
    let room = place.header.width - letters - place.tabs.count
    var start = place.header.left
    var tabs: [Tab] = []
    // The visible one comes first if it would not fit behind the others.
    let before = place.tabs.prefix { $0 != place.seen }.reduce(0) { $0 + $1.rawValue.count + 1 }
    let isFar = before + place.seen.rawValue.count > place.header.width
    let shown = isFar ? [place.seen] + place.tabs.filter { $0 != place.seen } : place.tabs
    for pane in shown {
      var text = pane.rawValue
      if room >= 4 * place.tabs.count { text = "\(pane.number) \(text)" }
      // The first number says how to use all of them.
      if pane == .diff, room >= 4 * (place.tabs.count + 1) { text = "Alt-\(text)" }
      if room >= 2 * place.tabs.count { text = " \(text) " }
      guard start + text.count <= place.header.right else {
        // A click on it shows the first pane that has no room.
        if start < place.header.right {
          tabs.append(Tab(pane: pane, text: "…", columns: start..<start + 1))
        }
        break
      }
      tabs.append(Tab(pane: pane, text: text, columns: start..<start + text.count))
      start += text.count + 1
    }
    return tabs
  }

  static func tab(at point: Point, _ state: DebuggerState, _ layout: Layout) -> Pane? {
    let place = layout.panes.first { $0.header.contains(point) }
    return place.flatMap { tabs($0, state).first { $0.columns.contains(point.column) }?.pane }
  }

  private static func drawHidden(
    _ layout: Layout, _ state: DebuggerState, on canvas: inout Canvas
  ) {
    guard layout.shape == .wide, let filter = state.filter.now else { return }
    let words = SafeText.truncated(filter.words, to: layout.steps.width - 10)
    let key = state.key(filter.question == nil ? "r" : "F")
    canvas.write(
      " \(words): \(key) ", at: layout.steps.point(1, layout.steps.height),
      style: Span.Role.warning.style)
  }

  private static func drawFooter(
    _ place: Layout.PanePlace, _ layout: Layout, _ state: DebuggerState, on canvas: inout Canvas
  ) {
    let view = state.paneSet[place.seen]
    let text =
      state.reading.late == state.here && view.isStale(at: state.here)
      ? "reading step \(grouped(state.here.step)) …" : view.content.footer
    guard layout.shape == .wide, !text.isEmpty, place.content.width > 10 else { return }
    // The edge may hold the tabs of the pane below: then it goes behind the own tabs.
    let below = layout.panes.first {
      $0.header.top == place.content.bottom && $0.header.left == place.header.left
    }
    let tabs = below == nil ? 0 : tabs(place, state).last?.columns.upperBound ?? 0
    let room = place.content.width - 4 - max(0, tabs - place.content.left)
    // Of the words, what changed says most.
    let fits = SafeText.width(text, upTo: room + 1) <= room
    let short = fits || below == nil ? text : String(text.prefix { $0 != "," })
    guard below == nil || SafeText.width(short, upTo: room + 1) <= room else { return }
    let shown = " \(SafeText.truncated(short, to: room)) "
    let column = place.content.width - 1 - SafeText.width(shown)
    canvas.write(
      shown, at: place.content.point(column, below == nil ? place.content.height : -1),
      style: .plain.dim)
  }
}
