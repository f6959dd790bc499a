import SessionLog
import TextCanvas
import TimeTravel

/// The form of a fork: its fields, and the recorded actions to start from.
enum ForkFormView {
  static func draw(_ form: ForkForm, _ state: DebuggerState, on canvas: inout Canvas) {
    let step = grouped(form.position.step)
    let title = "fork at step \(step) of \(form.position.branch)"
    let rows = min(max(canvas.size.height - 4, 10), 20)
    OverlayView.box(title, rows: rows, width: min(canvas.size.width - 6, 96), on: &canvas) {
      drawFields(form, state, on: &$0)
    }
  }

  private static func drawFields(
    _ form: ForkForm, _ state: DebuggerState, on canvas: inout Canvas
  ) {
    var row = 0
    line("name", .name, form, row: &row, on: &canvas) { point, width, canvas in
      LineView.draw(
        form.name, at: point, width: width, hasCursor: form.field == .name, on: &canvas)
    }
    line("change", .change, form, row: &row, on: &canvas) { point, width, canvas in
      choice(form.change.rawValue, form.field == .change, at: point, width, &canvas)
    }
    let hasAction = form.change != .skip
    if hasAction {
      line("from", .template, form, row: &row, on: &canvas) { point, width, canvas in
        LineView.draw(
          form.filter, at: point, width: width, hasCursor: form.field == .template, on: &canvas)
        if form.filter.text.isEmpty {
          canvas.write(
            "type to filter the recorded actions, ↑ ↓ pick one",
            at: Point(column: point.column + 2, row: point.row), style: .plain.dim,
            width: width - 2)
        }
      }
      let height = max(1, canvas.size.height - row - 5)
      drawTemplates(form, rows: row..<row + height, on: &canvas)
      row += height
      line("action", .action, form, row: &row, on: &canvas) { point, width, canvas in
        LineView.draw(
          form.action, at: point, width: width, hasCursor: form.field == .action, on: &canvas)
      }
    }
    line("then", .rest, form, row: &row, on: &canvas) { point, width, canvas in
      choice(restWords(form, state), form.field == .rest, at: point, width, &canvas)
    }
    if let problem = form.problem {
      canvas.write(
        problem, at: Point(column: 9, row: row), style: Span.Role.failure.style,
        width: canvas.size.width - 9)
    }
    canvas.write(
      "Enter runs it   Tab next field   Esc back",
      at: Point(column: 0, row: canvas.size.height - 1), style: .plain.dim)
  }

  private static func restWords(_ form: ForkForm, _ state: DebuggerState) -> String {
    let parent = state.branches.first { $0.name == form.position.branch }
    let later = (parent?.steps.upperBound ?? form.position.step) - form.position.step
    if later <= 0 { return "stop there: it is the last step" }
    switch form.rest {
    case .rerun: return "run the \(counted(later, "later step")) again"
    case .nothing: return "stop there"
    }
  }

  private static func line(
    _ name: String, _ field: ForkForm.Field, _ form: ForkForm, row: inout Int,
    on canvas: inout Canvas, draw: (Point, Int, inout Canvas) -> Void
  ) {
    let isHere = form.field == field
    canvas.write(
      (isHere ? "▸ " : "  ") + name, at: Point(column: 0, row: row),
      style: isHere ? .plain.bold : .plain.dim)
    draw(Point(column: 9, row: row), canvas.size.width - 9, &canvas)
    row += 1
  }

  private static func choice(
    _ text: String, _ isHere: Bool, at point: Point, _ width: Int, _ canvas: inout Canvas
  ) {
    canvas.write(
      isHere ? "‹ \(text) ›" : text, at: point, style: isHere ? .plain.bold : .plain,
      width: width)
  }

  private static func drawTemplates(
    _ form: ForkForm, rows: Range<Int>, on canvas: inout Canvas
  ) {
    let templates = form.shownTemplates
    if templates.isEmpty {
      let words = form.isSearching ? "looking for recorded actions …" : "no recorded action fits"
      canvas.write(words, at: Point(column: 9, row: rows.lowerBound), style: .plain.dim)
      return
    }
    let top = max(0, min(form.selected - rows.count / 2, templates.count - rows.count))
    for (row, index) in zip(rows, templates.indices.dropFirst(top)) {
      let template = templates[index]
      let place = Rectangle(column: 9, row: row, width: canvas.size.width - 9, height: 1)
      let payload = ValuePreview.payload(of: template.action, label: template.label, limit: 120)
      canvas.write(
        [
          Span(template.label), Span(payload.isEmpty ? "" : " \(payload)", .quiet),
          Span("  step \(grouped(template.step))", .quiet),
        ], at: place.origin, width: place.width)
      if index == form.selected, form.field == .template {
        canvas.restyle(place) { $0.reverse }
      }
    }
  }
}
