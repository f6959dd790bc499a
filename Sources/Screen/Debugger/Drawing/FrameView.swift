import SessionWords
import TextCanvas
import TimeTravel

extension Painter {
  mutating func drawFrame() {
    if let frame = layout.frame {
      drawEdges(frame)
      brightenFocus(frame)
      canvas.write(
        " steps ", at: Point(column: frame.left + 1, row: layout.steps.top - 1),
        style: heading(of: .steps))
    }
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
  }

  func heading(of focus: Focus) -> Style {
    state.paneSet.focus == focus ? .plain.foreground(.cyan).bold : .plain.dim
  }

  /// Colours the border around what keys go to.
  private mutating func brightenFocus(_ frame: Rectangle) {
    let area: Rectangle? =
      switch state.paneSet.focus {
      case .steps: layout.steps
      case .timeline:
        Rectangle(
          column: frame.left + 1, row: frame.top + 1, width: frame.width - 2,
          height: layout.steps.top - frame.top - 2)
      case .pane: layout.place(of: state.pane)?.content
      }
    guard let area else { return }
    let (top, bottom) = (area.top - 1, area.bottom)
    for row in [top, bottom] {
      let line = Rectangle(column: area.left - 1, row: row, width: area.width + 2, height: 1)
      canvas.restyle(line) { _ in .plain.foreground(.cyan) }
    }
    for column in [area.left - 1, area.right] {
      let line = Rectangle(column: column, row: top, width: 1, height: area.height + 2)
      canvas.restyle(line) { _ in .plain.foreground(.cyan) }
    }
  }

  /// ` 1 Diff │ 7 Compare `: the visible one is plain, bright while it has focus.
  private mutating func drawTabs(_ place: Layout.PanePlace) {
    for (index, tab) in place.shownTabs.enumerated() {
      if index > 0 {
        let edge = Point(column: tab.columns.lowerBound - 1, row: place.header.top)
        canvas.write("│", at: edge, style: .plain.dim)
      }
      let hasFocus = tab.pane == state.pane && state.paneSet.focus == .pane
      let style =
        hasFocus ? heading(of: .pane) : tab.pane == place.seen ? .plain : .plain.dim
      canvas.write(
        tab.text, at: Point(column: tab.columns.lowerBound, row: place.header.top), style: style)
    }
  }

  private mutating func drawHidden() {
    guard layout.shape == .wide, let filter = state.filter.now, !filter.words.isEmpty
    else { return }
    let words = SafeText.truncated(filter.words, to: layout.steps.width - 10)
    let key = state.key(filter.question == nil ? "r" : "F")
    canvas.write(
      " \(words): \(key) ", at: layout.steps.point(1, layout.steps.height),
      style: Span.Role.warning.style)
  }

  /// State says which changes are out of sight, the other panes how many lines.
  private func footer(of view: PaneView, _ place: Layout.PanePlace) -> String {
    let height = place.content.height
    if place.seen == .state {
      let unseen = view.unseen(height: height)
      return unseen.isEmpty ? view.content.footer : unseen
    }
    let below = view.content.rows.count - view.top - height
    return [below > 0 ? "↓ \(counted(below, "line"))" : "", view.content.footer]
      .filter { !$0.isEmpty }.joined(separator: "  ")
  }

  private mutating func drawFooter(_ place: Layout.PanePlace) {
    let view = state.paneSet[place.seen]
    let isLate = state.reading.late == state.here && view.isStale(at: state.here)
    let text =
      isLate ? "reading step \(grouped(state.here.step)) …" : footer(of: view, place)
    guard layout.shape == .wide, !text.isEmpty, place.content.width > 10 else { return }
    // The edge may hold the tabs of the pane below: then it goes behind the own tabs.
    let nextPane = layout.panes.first {
      $0.header.top == place.content.bottom && $0.header.left == place.header.left
    }
    let tabs = nextPane == nil ? 0 : place.shownTabs.last?.columns.upperBound ?? 0
    let room = place.content.width - 4 - max(0, tabs - place.content.left)
    // Of the words, what changed says most.
    let fits = SafeText.width(text, upTo: room + 1) <= room
    let short = fits || nextPane == nil ? text : String(text.prefix { $0 != "," })
    guard nextPane == nil || SafeText.width(short, upTo: room + 1) <= room else { return }
    let shown = " \(SafeText.truncated(short, to: room)) "
    let column = place.content.width - 1 - SafeText.width(shown)
    canvas.write(
      shown, at: place.content.point(column, nextPane == nil ? place.content.height : -1),
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

  /// As little is cut as possible, the longest name first, and nothing of what is seen.
  private var cutNames: [String] {
    var lengths = tabs.map(\.rawValue.count)
    func excess() -> Int { lengths.reduce(-1) { $0 + $1 + 2 } - header.width }
    while excess() > 0 {
      let others = tabs.indices.filter { tabs[$0] != seen && lengths[$0] > 4 }
      guard let longest = others.max(by: { lengths[$0] < lengths[$1] }) else { break }
      lengths[longest] -= 1
    }
    return zip(tabs, lengths).map { "\($0.number)\($0.rawValue.prefix($1))" }
  }

  /// The longest texts that fit: with whole names, with their beginnings, with numbers.
  var shownTabs: [Tab] {
    func texts(_ text: (Pane) -> String) -> [String] { tabs.map(text) }
    let forms = [
      texts { " \($0.number) \($0.rawValue) " }, texts { "\($0.number) \($0.rawValue)" },
      texts { "\($0.number)\($0.rawValue)" },
      cutNames,
      texts { $0 == seen ? "\($0.number) \($0.rawValue)" : "\($0.number)" },
    ]
    let fitting = forms.first { $0.reduce(-1) { $0 + $1.count + 1 } <= header.width }
    var start = header.left
    var shown: [Tab] = []
    for (pane, text) in zip(tabs, fitting ?? texts { "\($0.number)" }) {
      guard start + text.count <= header.right else { break }
      shown.append(Tab(pane: pane, text: text, columns: start..<start + text.count))
      start += text.count + 1
    }
    return shown
  }
}
