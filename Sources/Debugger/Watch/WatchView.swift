import TextCanvas
import TimeTravel

/// Watched values as pictures: a line of bars under the slider for each, along all steps.
enum WatchView {
  static let bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  static func draw(_ state: DebuggerState, in area: Rectangle, on canvas: inout Canvas) {
    for (row, series) in state.shownSeries.prefix(area.height).enumerated() {
      draw(series, state, row: area.top + row, in: area, on: &canvas)
    }
  }

  private static func draw(
    _ series: WatchSeries, _ state: DebuggerState, row: Int, in area: Rectangle,
    on canvas: inout Canvas
  ) {
    let axis = state.timeAxis(width: area.width)
    let here = axis.column(of: state.here.step)
    for column in 0..<area.width {
      let range = axis.steps(at: column).clamped(to: 0..<series.steps.upperBound + 1)
      guard let level = series.level(in: range) else {
        continue
      }
      canvas.write(
        bars[min(Int(level * 8), 7)], at: Point(column: area.left + column, row: row),
        style: column == here ? Style(foreground: .cyan).bold : Style(foreground: .cyan))
    }
    // The name stands where one does not look.
    let name = " \(SafeText.truncated(series.path.isRoot ? "all" : series.path.shownText, to: 24)) "
    let left = here > area.width / 2 ? area.left : area.right - SafeText.width(name)
    canvas.write(name, at: Point(column: left, row: row), style: .plain.dim)
  }
}
