import TextCanvas
import TimeTravel

/// The lines of the pane that is looked at.
enum PaneContentView {
  static func draw(_ state: DebuggerState, in area: Rectangle, on canvas: inout Canvas) {
    guard !area.isEmpty else { return }
    let rows = state.view.content.rows
    // What is read in no time is not announced: the lines would flicker.
    let isStale = state.lateMoment == state.here && state.view.isStale(at: state.here)
    for line in 0..<area.height {
      let index = state.view.top + line
      guard rows.indices.contains(index) else { break }
      let place = Rectangle(column: area.left, row: area.top + line, width: area.width, height: 1)
      canvas.inside(place) { draw(rows[index], on: &$0) }
      if isStale {
        canvas.restyle(place) { _ in .plain.dim }
      } else if index == state.view.cursor, state.focus == .pane {
        canvas.restyle(place) { $0.reverse }
      }
    }
  }

  private static func draw(_ row: PaneRow, on canvas: inout Canvas) {
    if let sign = row.sign { canvas.write(sign.text, at: .origin, style: sign.role.style) }
    var column = 2 + row.indent * 2
    switch row.fold {
    case .none: break
    case .open: column = canvas.write("▾ ", at: Point(column: column, row: 0), style: .plain.dim)
    case .closed:
      column = canvas.write("▸ ", at: Point(column: column, row: 0), style: .plain.dim)
    }
    canvas.write(row.spans, at: Point(column: column, row: 0), width: canvas.size.width - column)
  }
}
