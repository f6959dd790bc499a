import TextCanvas
import TimeTravel

/// The lines of a pane.
enum PaneContentView {
  static func draw(
    _ view: PaneView, in area: Rectangle, hasFocus: Bool, _ state: DebuggerState,
    on canvas: inout Canvas
  ) {
    guard !area.isEmpty else { return }
    let rows = view.content.rows
    // What is read in no time is not announced: the lines would flicker.
    let isStale = state.reading.late == state.here && view.isStale(at: state.here)
    for line in 0..<area.height {
      let index = view.top + line
      guard rows.indices.contains(index) else { break }
      let place = Rectangle(column: area.left, row: area.top + line, width: area.width, height: 1)
      canvas.inside(place) { draw(rows[index], state.reading.sources, on: &$0) }
      if isStale {
        canvas.restyle(place) { _ in .plain.dim }
      } else if index == view.cursor, hasFocus {
        canvas.restyle(place) { $0.asSelected }
      }
    }
  }

  private static func draw(
    _ row: PaneRow, _ sources: SourceLines, on canvas: inout Canvas
  ) {
    if let sign = row.sign { canvas.write(sign.text, at: .origin, style: sign.role.style) }
    var column = row.foldColumns.lowerBound
    switch row.fold {
    case .none, .page: break
    case .open: column = canvas.write("▾ ", at: Point(column: column, row: 0), style: .plain.dim)
    case .closed:
      column = canvas.write("▸ ", at: Point(column: column, row: 0), style: .plain.dim)
    }
    let start = Point(column: column, row: 0)
    canvas.write(row.spans, at: start, width: canvas.size.width - column)
    canvas.link(row.place, in: row.text, at: start, sources)
  }
}

extension PaneRow {
  /// Where the sign stands that opens and closes it.
  var foldColumns: Range<Int> { 2 + indent * 2..<4 + indent * 2 }
}
