import SessionLog
import TextCanvas
import TimeTravel

/// The steps around the one that is looked at.
enum StepListView {
  static func draw(_ state: DebuggerState, in area: Rectangle, on canvas: inout Canvas) {
    guard !area.isEmpty else { return }
    let steps = state.branch.steps
    let digits = String(steps.upperBound).count
    for row in 0..<area.height {
      let number = state.listTop + row
      guard steps.contains(number) else { continue }
      let line = Rectangle(column: area.left, row: area.top + row, width: area.width, height: 1)
      canvas.inside(line) { draw(number, state, digits: digits, on: &$0) }
      if number == state.here.step, state.focus == .steps {
        canvas.restyle(line) { $0.reverse }
      }
    }
  }

  private static func draw(
    _ number: Int, _ state: DebuggerState, digits: Int, on canvas: inout Canvas
  ) {
    let isHere = number == state.here.step
    let row = state.pages[state.here.branch, number]
    let emphasis: Style.Attributes = isHere ? .bold : []
    let (sign, signStyle) = sign(number, state)
    canvas.write(sign, at: .origin, style: signStyle)
    let text = String(number)
    var column = canvas.write(
      text, at: Point(column: 1, row: 0), style: isHere ? .plain.bold : .plain.dim,
      width: digits, alignment: .right)
    guard let row else {
      canvas.write("…", at: Point(column: column + 1, row: 0), style: .plain.dim)
      return
    }
    column += 1
    if canvas.size.width >= 24 {
      let delta = delta(row, state)
      canvas.write(
        delta, at: Point(column: column, row: 0), style: .plain.dim, width: 6, alignment: .right)
      column += 7
    }
    if !state.branch.isMain {
      canvas.write(
        row.standing?.glyphs ?? "│ ", at: Point(column: column, row: 0),
        style: row.standing?.role.style ?? .plain.dim)
      column += 2
    }
    canvas.write(row.cause.glyph, at: Point(column: column, row: 0), style: .plain)
    column += 2
    canvas.write(
      label(row, width: canvas.size.width - column), at: Point(column: column, row: 0),
      width: canvas.size.width - column,
      adding: emphasis)
  }

  /// Where one stands, a mark, a hit or an error.
  private static func sign(_ number: Int, _ state: DebuggerState) -> (String, Style) {
    let position = Position(branch: state.here.branch, step: number)
    if number == state.here.step { return ("▸", .plain.bold) }
    if state.isMarked(position) { return ("▲", Style(foreground: .magenta)) }
    if let search = state.search, search.branch == state.here.branch, search.isHit(number) {
      return ("◆", Style(foreground: .yellow))
    }
    return (" ", .plain)
  }

  private static func delta(_ row: StepRow, _ state: DebuggerState) -> String {
    guard let time = row.time, row.number > state.session.steps.lowerBound else { return "" }
    guard let before = state.pages[state.here.branch, row.number - 1] else { return "…" }
    return before.time.map { "+" + (time - $0).shortText } ?? ""
  }

  private static func label(_ row: StepRow, width: Int) -> [Span] {
    let label = shortened(row.label, to: width - (row.isError || row.isSkipped ? 2 : 0))
    if row.isSkipped { return [Span("⊘ ", .warning), Span(label, .quiet)] }
    var spans = [Span(label, row.isError ? .failure : .plain)]
    if row.isError { spans.insert(Span("✗ ", .failure), at: 0) }
    if !row.payload.isEmpty { spans.append(Span(" " + row.payload, .quiet)) }
    return spans
  }
}

extension StepListView {
  /// Of a label with many cases the last ones say most: the first ones leave when there is no room.
  static func shortened(_ label: String, to width: Int) -> String {
    guard SafeText.width(label, upTo: width + 1) > width else { return label }
    var rest = label[...]
    while let dot = rest.firstIndex(of: ".") {
      rest = rest[rest.index(after: dot)...]
      if SafeText.width(rest, upTo: width) < width { return "…\(rest)" }
    }
    return label
  }
}

extension Cause {
  /// Two cells.
  package var glyph: String {
    switch self {
    case .user: "  "
    case .effect: "⚡"
    case .output: "↳ "
    }
  }
}
