import SessionLog
import TextCanvas
import TimeTravel

/// The lines between the parts of the screen, with their titles.
enum FrameView {
  static func draw(_ state: DebuggerState, _ layout: Layout, on canvas: inout Canvas) {
    if layout.shape == .narrow { return drawTabs(state, layout, on: &canvas) }
    guard let frame = layout.frame else { return }
    let edge = Style.plain.dim
    canvas.box(frame, style: edge)
    title("timeline", atColumn: frame.left + 1, row: frame.top, isFocused: false, on: &canvas)
    let middle = layout.tabs.top
    let divider = layout.pane.left - 1
    canvas.horizontalLine(
      at: Point(column: frame.left + 1, row: middle), length: frame.width - 2, style: edge)
    canvas.verticalLine(
      at: Point(column: divider, row: middle + 1), length: layout.pane.height, style: edge)
    canvas.write("├", at: Point(column: frame.left, row: middle), style: edge)
    canvas.write("┤", at: Point(column: frame.right - 1, row: middle), style: edge)
    canvas.write("┬", at: Point(column: divider, row: middle), style: edge)
    canvas.write("┴", at: Point(column: divider, row: frame.bottom - 1), style: edge)
    title(
      "steps", atColumn: frame.left + 1, row: middle, isFocused: state.focus == .steps,
      on: &canvas)
    drawTabs(state, layout, on: &canvas)
    drawFooter(state, layout, frame, on: &canvas)
  }

  private static func title(
    _ text: String, atColumn column: Int, row: Int, isFocused: Bool, on canvas: inout Canvas
  ) {
    canvas.write(
      " \(text) ", at: Point(column: column, row: row), style: isFocused ? .plain.bold : .plain)
  }

  /// ` Diff │ State │ Action `: the chosen one underlined, or reversed while the keys move in it.
  private static func drawTabs(_ state: DebuggerState, _ layout: Layout, on canvas: inout Canvas) {
    let tabs = tabs(state, layout)
    for (index, tab) in tabs.enumerated() {
      let chosen = state.focus == .pane ? Style.selected.bold : Style.plain.bold.underline
      let column = canvas.write(
        tab.text, at: Point(column: tab.columns.lowerBound, row: layout.tabs.top),
        style: tab.pane == state.pane ? chosen : .plain)
      if index < tabs.count - 1 {
        canvas.write("│", at: Point(column: column, row: layout.tabs.top), style: .plain.dim)
      }
    }
  }

  private struct Tab {
    var pane: Pane
    var text: String
    var columns: Range<Int>
  }

  /// With blanks around the names where there is room; those that do not fit are left out.
  private static func tabs(_ state: DebuggerState, _ layout: Layout) -> [Tab] {
    let panes = state.panes
    let letters = panes.reduce(0) { $0 + $1.rawValue.count }
    let isRoomy = letters + 3 * panes.count - 1 <= layout.tabs.width
    var start = layout.tabs.left
    var tabs: [Tab] = []
    for pane in panes {
      let text = isRoomy ? " \(pane.rawValue) " : pane.rawValue
      guard start + text.count <= layout.tabs.right else { break }
      tabs.append(Tab(pane: pane, text: text, columns: start..<start + text.count))
      start += text.count + 1
    }
    return tabs
  }

  /// The tab under a column, for the mouse.
  static func tab(atColumn column: Int, _ state: DebuggerState, _ layout: Layout) -> Pane? {
    tabs(state, layout).first { $0.columns.contains(column) }?.pane
  }

  private static func drawFooter(
    _ state: DebuggerState, _ layout: Layout, _ frame: Rectangle, on canvas: inout Canvas
  ) {
    let text =
      state.lateMoment == state.here && state.view.isStale(at: state.here)
      ? "reading step \(grouped(state.here.step)) …" : state.view.content.footer
    guard !text.isEmpty, layout.pane.width > 10 else { return }
    let shown = " \(SafeText.truncated(text, to: layout.pane.width - 4)) "
    let column = frame.right - 2 - SafeText.width(shown)
    canvas.write(shown, at: Point(column: column, row: frame.bottom - 1))
  }
}
