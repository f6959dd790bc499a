import SessionWords
import TextCanvas
import TimeTravel

extension Painter {
  mutating func drawFrame() {
    if let frame = layout.frame { drawEdges(frame) }
    drawHidden()
    for place in layout.panes {
      drawTabs(place)
      drawFooter(place)
    }
  }

  private mutating func drawEdges(_ frame: Rectangle) {
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
    canvas.write(" steps ", at: inner, style: state.paneSet.focus == .steps ? .plain.bold : .plain)
  }

  /// ` 1 Diff │ 7 Compare `: the visible one is bold, underlined if it gets focus next, and
  /// reversed while it has it.
  private mutating func drawTabs(_ place: Layout.PanePlace) {
    for (index, tab) in place.shownTabs.enumerated() {
      if index > 0 {
        let edge = Point(column: tab.columns.lowerBound - 1, row: place.header.top)
        canvas.write("│", at: edge, style: .plain.dim)
      }
      var style = tab.pane == place.seen ? Style.plain.bold : .plain.dim
      if tab.pane == state.pane {
        style = state.paneSet.focus == .pane ? .selected.bold : .plain.bold.underline
      }
      canvas.write(
        tab.text, at: Point(column: tab.columns.lowerBound, row: place.header.top), style: style)
    }
  }

  private mutating func drawHidden() {
    guard layout.shape == .wide, let filter = state.filter.now else { return }
    let words = SafeText.truncated(filter.words, to: layout.steps.width - 10)
    let key = state.key(filter.question == nil ? "r" : "F")
    canvas.write(
      " \(words): \(key) ", at: layout.steps.point(1, layout.steps.height),
      style: Span.Role.warning.style)
  }

  private mutating func drawFooter(_ place: Layout.PanePlace) {
    let view = state.paneSet[place.seen]
    let text =
      state.reading.late == state.here && view.isStale(at: state.here)
      ? "reading step \(grouped(state.here.step)) …" : view.content.footer
    guard layout.shape == .wide, !text.isEmpty, place.content.width > 10 else { return }
    // The edge may hold the tabs of the pane below: then it goes behind the own tabs.
    let below = layout.panes.first {
      $0.header.top == place.content.bottom && $0.header.left == place.header.left
    }
    let tabs = below == nil ? 0 : place.shownTabs.last?.columns.upperBound ?? 0
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

extension Layout {
  func tab(at point: Point) -> Pane? {
    let tabs = panes.first { $0.header.contains(point) }?.shownTabs
    return tabs?.first { $0.columns.contains(point.column) }?.pane
  }
}

extension Layout.PanePlace {
  struct Tab {
    var pane: Pane
    var text: String
    var columns: Range<Int>
  }

  /// With numbers and blanks if there is room; drops what does not fit.
  var shownTabs: [Tab] {
    let letters = tabs.reduce(0) { $0 + $1.rawValue.count }
    let room = header.width - letters - tabs.count
    var start = header.left
    var shown: [Tab] = []
    // The visible one comes first if it would not fit behind the others.
    let before = tabs.prefix { $0 != seen }.reduce(0) { $0 + $1.rawValue.count + 1 }
    let isFar = before + seen.rawValue.count > header.width
    for pane in isFar ? [seen] + tabs.filter({ $0 != seen }) : tabs {
      var text = pane.rawValue
      if room >= 4 * tabs.count { text = "\(pane.number) \(text)" }
      // The first number says how to use all of them.
      if pane == .diff, room >= 4 * (tabs.count + 1) { text = "Alt-\(text)" }
      if room >= 2 * tabs.count { text = " \(text) " }
      guard start + text.count <= header.right else {
        // A click on it shows the first pane that has no room.
        if start < header.right {
          shown.append(Tab(pane: pane, text: "…", columns: start..<start + 1))
        }
        break
      }
      shown.append(Tab(pane: pane, text: text, columns: start..<start + text.count))
      start += text.count + 1
    }
    return shown
  }
}
