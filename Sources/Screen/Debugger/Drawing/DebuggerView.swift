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
    var painter = Painter(state)
    painter.drawScreen()
    return painter.canvas
  }
}

/// Draws a state onto a canvas. Each part of the screen has its own extension.
struct Painter {
  let state: DebuggerState
  let layout: Layout
  var canvas: Canvas

  init(_ state: DebuggerState) {
    self.state = state
    layout = Layout(state)
    canvas = Canvas(size: state.size)
  }

  /// Draws on a part of the canvas as on its own.
  mutating func inside(_ area: Rectangle, draw: (inout Painter) -> Void) {
    // Swapped, because a copy of the canvas would cost all of its cells.
    var whole = Canvas(size: Size(width: 0, height: 0))
    swap(&whole, &canvas)
    whole.inside(area) { part in
      swap(&part, &canvas)
      draw(&self)
      swap(&part, &canvas)
    }
    swap(&whole, &canvas)
  }

  fileprivate mutating func drawScreen() {
    guard layout.shape != .tiny else { return drawTiny() }
    drawFrame()
    drawTitle()
    drawTimeline()
    drawSteps()
    for place in layout.panes { drawContent(place) }
    drawStatus()
    if let overlay = state.overlay { draw(overlay) }
    if let line = state.shownForkLine {
      draw(line)
    } else if let prompt = state.prompt, prompt.purpose == .command {
      drawPalette(prompt)
    }
  }

  private mutating func drawTiny() {
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
      let place = Point(column: column, row: point.row)
      if !isLast, SafeText.width(span.text, upTo: room + 1) >= room {
        // More follows without room, so this piece ends with the ellipsis.
        return write(span.text + " ", at: place, style: style, width: room)
      }
      column = write(span.text, at: place, style: style, width: room)
    }
    return column
  }
}
