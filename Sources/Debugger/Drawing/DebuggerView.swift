import SessionWords
import TextCanvas
import TimeTravel

/// The screen as a function of the state.
///
/// ```swift
/// print(DebuggerView.draw(state).text)
/// ```
package enum DebuggerView {
  package static func draw(_ state: DebuggerState) -> Canvas {
    var canvas = Canvas(size: state.size)
    let layout = Layout(state)
    guard layout.shape != .tiny else {
      TinyView.draw(state, on: &canvas)
      return canvas
    }
    FrameView.draw(state, layout, on: &canvas)
    TitleView.draw(state, in: layout.title, on: &canvas)
    TimelineView.draw(state, layout, on: &canvas)
    StepListView.draw(state, in: layout.steps, on: &canvas)
    for place in layout.panes {
      PaneContentView.draw(
        state.paneSet[place.seen], in: place.content,
        hasFocus: state.paneSet.focus == .pane && place.seen == state.pane, state, on: &canvas)
    }
    StatusView.draw(state, in: layout.status, on: &canvas)
    if let overlay = state.overlay {
      OverlayView.draw(overlay, state, layout, on: &canvas)
    }
    if let prompt = state.prompt, prompt.purpose == .command {
      PaletteView.draw(prompt, state, on: &canvas)
    }
    return canvas
  }
}

enum TinyView {
  static func draw(_ state: DebuggerState, on canvas: inout Canvas) {
    let step = grouped(state.here.step)
    let lines = [
      "Retcon needs", "20×5 cells.", "Step \(step). \(state.key("q", in: KeyTable.program)) quits.",
    ]
    for (row, line) in lines.enumerated() {
      canvas.write(line, at: Point(column: 0, row: row), width: canvas.size.width)
    }
  }
}

extension Canvas {
  /// Writes spans and returns the column after them; an ellipsis replaces what does not fit.
  @discardableResult
  mutating func write(
    _ spans: [Span], at point: Point, width: Int, adding attributes: Style.Attributes = []
  ) -> Int {
    let end = point.column + max(0, width)
    var column = point.column
    for (index, span) in spans.enumerated() {
      let isLast = index == spans.count - 1
      let style = span.style.adding(attributes)
      let room = end - column
      guard room > 0 else { return column }
      if !isLast, SafeText.width(span.text, upTo: room + 1) >= room {
        // More follows without room, so this piece ends with the ellipsis.
        return write(
          span.text + " ", at: Point(column: column, row: point.row), style: style, width: room)
      }
      column = write(
        span.text, at: Point(column: column, row: point.row), style: style, width: room)
    }
    return column
  }
}
