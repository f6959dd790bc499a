import SessionWords
import TextCanvas
import TimeTravel

enum ForkFormView {
  static func draw(_ form: ForkForm, _ state: DebuggerState, on canvas: inout Canvas) {
    let step = grouped(form.position.step)
    let title = "fork at step \(step) of \(form.position.branch)"
    let size = canvas.size
    // On a small screen it takes everything, because the margins would be useless.
    let isSmall = size.width < 100 || size.height < 30
    let rows = isSmall ? size.height - 3 : 22
    let width = isSmall ? size.width - 4 : min(size.width - 20, 110)
    OverlayView.box(title, rows: rows, width: width, on: &canvas) {
      drawFields(form, state, on: &$0)
    }
  }

  private static func drawFields(
    _ form: ForkForm, _ state: DebuggerState, on canvas: inout Canvas
  ) {
    var row = 0
    let fields = form.fields
    let last = canvas.size.height - 1
    // Without room for all, those before the current one go.
    let isTight = fields.count + (fields.contains(.template) ? 1 : 0) > last
    let own = fields.firstIndex(of: form.field) ?? 0
    for field in fields.dropFirst(isTight ? max(0, own - last + 3) : 0) where row < last {
      switch field {
      case .target:
        choice("in", .target, targetWords(form), form, row: &row, on: &canvas)
      case .name: editor("name", .name, form.name, form, row: &row, on: &canvas)
      case .change:
        choice("change", .change, form.change.rawValue, form, row: &row, on: &canvas)
      case .part: drawPart(form, row: &row, on: &canvas)
      case .effect: choice("effect", .effect, effectWords(form), form, row: &row, on: &canvas)
      case .read: choice("read", .read, readWords(form), form, row: &row, on: &canvas)
      case .template:
        let text = fields.contains(.text) ? textHeight(form, on: canvas) - 1 : 0
        let below = fields.drop { $0 != .template }.count - 1 + text
        drawTemplates(form, below: below, row: &row, on: &canvas)
      case .answer: choice("it", .answer, form.answer.rawValue, form, row: &row, on: &canvas)
      case .gives:
        let words = form.givesError ? "an error" : "a value"
        choice("gives", .gives, words, form, row: &row, on: &canvas)
      case .text: drawText(form, row: &row, on: &canvas)
      case .rest: choice("then", .rest, restWords(form, state), form, row: &row, on: &canvas)
      }
    }
    let width = canvas.size.width - 9
    let room = max(1, last - row)
    row = min(row, last)
    if let problem = form.problem {
      for line in OverlayView.wrapped(problem, width: width).prefix(room) {
        canvas.write(
          line, at: Point(column: 9, row: row), style: Span.Role.failure.style, width: width)
        row += 1
      }
    } else if form.checking != nil {
      let words = "asking the reducer whether this is possible …"
      canvas.write(words, at: Point(column: 9, row: row), style: .plain.dim, width: width)
    }
    guard row <= last else { return }
    let hint =
      form.field == .template
      ? "↑ ↓ pick" : form.field.line == nil ? "← → choose" : form.field == .text ? "Ctrl-o" : ""
    OverlayView.drawHints(
      ["Enter runs it", hint, "Tab Shift-Tab fields", "Esc"], in: KeyTable.form, state.input.keys,
      on: &canvas)
  }

  // MARK: Words

  private static func targetWords(_ form: ForkForm) -> String {
    form.isNew ? "a new fork of “\(form.position.branch)”" : "“\(form.position.branch)” itself"
  }

  private static func effectWords(_ form: ForkForm) -> String {
    guard let effect = form.chosenEffect else { return "no effect is in flight" }
    let number = form.effects.count > 1 ? "  (\(form.effect + 1) of \(form.effects.count))" : ""
    let wait = effect.question.map { ", waits for \($0.text)" }
    return "\(effect.name), started at step \(grouped(effect.startedAt))"
      + (wait ?? (effect.isUnanswered ? ", unanswered" : "")) + number
  }

  private static func readWords(_ form: ForkForm) -> String {
    guard form.reads.indices.contains(form.read) else { return "nothing was read" }
    let key = form.reads[form.read].key
    return form.reads.count > 1 ? "\(key)  (\(form.read + 1) of \(form.reads.count))" : key
  }

  private static func textName(_ form: ForkForm) -> String {
    switch form.change {
    case .set, .read: "value"
    case .answer where form.answer == .fail: "message"
    case .answer where form.answer == .reply: "answer"
    case .answer where form.answer == .refusal: "error"
    default: "action"
    }
  }

  private static func drawPart(_ form: ForkForm, row: inout Int, on canvas: inout Canvas) {
    let name = form.path?.isRoot == true ? "the whole state" : ""
    let old = form.oldValue.map { "\(name)  was \(ValuePreview.text($0, limit: 60))" }
    let completion = form.field == .part ? form.completion : nil
    line("part", .part, form, row: &row, on: &canvas) { point, width, canvas in
      LineView.draw(
        form.part, at: point, width: width, of: ForkForm.Field.part.rawValue,
        hasCursor: form.field == .part, on: &canvas)
      let end = point.column + SafeText.width(form.part.text, upTo: width)
      let hint = form.part.text.isEmpty && form.path == nil ? "  a path, as \(example(form))" : nil
      canvas.write(
        completion ?? old ?? hint ?? "", at: Point(column: end, row: point.row),
        style: .plain.dim, width: max(0, point.column + width - end))
    }
  }

  /// A part of this app's state.
  private static func example(_ form: ForkForm) -> String {
    guard case .object(let state)? = form.state, let first = state.first else {
      return "cart.total"
    }
    return ValuePath([.key(first.key)]).text
  }

  private static func restWords(_ form: ForkForm, _ state: DebuggerState) -> String {
    let parent = state[branch: form.position.branch]
    let later = (parent?.steps.upperBound ?? form.position.step) - form.position.step
    if later <= 0 { return "stop there: this is the last step" }
    switch form.rest {
    case .rerun: return "run the \(counted(later, "later step")) again"
    case .nothing: return "stop there"
    }
  }

  private static func drawText(_ form: ForkForm, row: inout Int, on canvas: inout Canvas) {
    let height = textHeight(form, on: canvas)
    let last = row + height
    line(textName(form), .text, form, row: &row, on: &canvas) { point, width, canvas in
      let area = Rectangle(column: point.column, row: point.row, width: width, height: height)
      TextBox.draw(
        form.text, in: area, hasCursor: form.field == .text, ghost: form.completion ?? "",
        on: &canvas)
    }
    row = last
  }

  private static func textHeight(_ form: ForkForm, on canvas: Canvas) -> Int {
    let width = max(1, canvas.size.width - 9)
    let others = form.fields.count + 3 + (form.fields.contains(.template) ? 3 : 0)
    let room = max(1, canvas.size.height - others)
    return min(TextBox.rows(of: form.text, width: width), room, max(1, canvas.size.height / 3))
  }

  // MARK: Fields

  private static func line(
    _ name: String, _ field: ForkForm.Field, _ form: ForkForm, row: inout Int,
    on canvas: inout Canvas, draw: (Point, Int, inout Canvas) -> Void
  ) {
    let isHere = form.field == field
    canvas.write(
      (isHere ? "▸ " : "  ") + name, at: Point(column: 0, row: row),
      style: isHere ? .plain.bold : .plain.dim)
    canvas.link(
      Rectangle(column: 0, row: row, width: canvas.size.width, height: 1),
      to: .choice(field.rawValue))
    draw(Point(column: 9, row: row), canvas.size.width - 9, &canvas)
    row += 1
  }

  private static func choice(
    _ name: String, _ field: ForkForm.Field, _ text: String, _ form: ForkForm, row: inout Int,
    on canvas: inout Canvas
  ) {
    let isHere = form.field == field
    line(name, field, form, row: &row, on: &canvas) { point, width, canvas in
      canvas.write(
        isHere ? "‹ \(text) ›" : text, at: point, style: isHere ? .plain.bold : .plain,
        width: width)
    }
  }

  private static func editor(
    _ name: String, _ field: ForkForm.Field, _ text: LineEditor, _ form: ForkForm,
    row: inout Int, on canvas: inout Canvas
  ) {
    line(name, field, form, row: &row, on: &canvas) { point, width, canvas in
      LineView.draw(
        text, at: point, width: width, of: field.rawValue, hasCursor: form.field == field,
        on: &canvas)
    }
  }

  private static func drawTemplates(
    _ form: ForkForm, below: Int, row: inout Int, on canvas: inout Canvas
  ) {
    line("from", .template, form, row: &row, on: &canvas) { point, width, canvas in
      LineView.draw(
        form.filter, at: point, width: width, of: ForkForm.Field.template.rawValue,
        hasCursor: form.field == .template, on: &canvas)
      if form.filter.text.isEmpty {
        canvas.write(
          "type a part of \(listWords(form)), \(form.pickKeys) pick one",
          at: Point(column: point.column + 2, row: point.row), style: .plain.dim,
          width: width - 2)
      }
    }
    let area = Rectangle(
      column: 9, row: row, width: canvas.size.width - 9,
      height: max(1, canvas.size.height - row - below - 3))
    drawTemplates(form, in: area, on: &canvas)
    row = area.bottom
  }

  private static func listWords(_ form: ForkForm) -> String {
    form.change == .answer && form.chosenEffect?.offers?.isEmpty == false
      ? "an answer" : "an action"
  }

  private static func emptyWords(_ form: ForkForm) -> Span {
    if form.change == .answer, let trouble = form.trouble { return Span(trouble, .warning) }
    if form.change == .answer, form.chosenEffect?.offers == nil {
      return Span("asking the reducer what was recorded …", .quiet)
    }
    if form.isSearching { return Span("looking for recorded actions …", .quiet) }
    return form.filter.text.isEmpty
      ? Span("no known action to send: type one below", .quiet)
      : Span(form.namelessWords, .warning)
  }

  private static func drawTemplates(
    _ form: ForkForm, in area: Rectangle, on canvas: inout Canvas
  ) {
    let offers = form.shownOffers
    if offers.isEmpty { canvas.write([emptyWords(form)], at: area.origin, width: area.width) }
    ListView(
      count: offers.count, selected: form.selected, firstChoice: ForkForm.firstOffer
    ).draw(in: area, on: &canvas, selectedAs: form.field == .template ? \.reverse : \.self) {
      let (offer, payload) = (offers[$0], offers[$0].payload)
      let origin = "  \(origin(of: offer))"
      let room = max(0, $1.width - SafeText.width(origin))
      let end = $2.write(
        [Span(offer.label), Span(payload.isEmpty ? "" : " \(payload)", .quiet)],
        at: $1.origin, width: room)
      $2.write([Span(origin, .quiet)], at: Point(column: end, row: $1.top), width: $1.width - room)
    }
  }

  private static func origin(of offer: Offer) -> String {
    offer.step.map { "step \(grouped($0))" } ?? "an example"
  }
}

enum TextBox {
  /// A longer text gets one line, and only the visible part is processed.
  private static let mostCharacters = 4_000

  static func rows(of text: LineEditor, width: Int) -> Int {
    text.characters.count > mostCharacters ? 1 : lines(of: text, width: width).count
  }

  private static func lines(of text: LineEditor, width: Int) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var (start, used) = (0, 0)
    for (index, character) in text.characters.enumerated() {
      let cells = SafeText.width(String(character))
      if used + cells > width || (index > start && text.characters[index - 1].isNewline) {
        lines.append(start..<index)
        (start, used) = (index, 0)
      }
      used += cells
    }
    lines.append(start..<text.characters.count)
    if used >= width { lines.append(text.characters.count..<text.characters.count) }
    return lines
  }

  static func draw(
    _ text: LineEditor, in area: Rectangle, hasCursor: Bool, ghost: String = "",
    on canvas: inout Canvas
  ) {
    guard text.characters.count <= mostCharacters else {
      return LineView.draw(
        text, at: area.origin, width: area.width, of: ForkForm.Field.text.rawValue,
        hasCursor: hasCursor, on: &canvas)
    }
    let lines = lines(of: text, width: area.width)
    let own = lines.lastIndex { $0.lowerBound <= text.cursor } ?? 0
    let top = hasCursor ? max(0, min(own - area.height + 1, lines.count - area.height)) : 0
    for (row, line) in lines.dropFirst(top).prefix(area.height).enumerated() {
      func point(_ column: Int) -> Point { Point(column: column, row: area.top + row) }
      var shown = String(text.characters[line])
      if shown.last?.isNewline == true { shown.removeLast() }
      canvas.link(
        Rectangle(column: area.left, row: area.top + row, width: area.width, height: 1),
        to: .text(ForkForm.Field.text.rawValue, from: line.lowerBound))
      let isCut = row == area.height - 1 && top + area.height < lines.count
      let end = canvas.write(
        isCut ? shown + "…" : shown, at: point(area.left), width: area.width)
      guard hasCursor, top + row == own else { continue }
      let before = SafeText.width(String(text.characters[line.lowerBound..<text.cursor]))
      if text.cursor == line.upperBound {
        canvas.write(
          ghost, at: point(end), style: .plain.dim, width: max(0, area.right - end))
      }
      canvas.placeCursor(at: point(area.left + before))
    }
  }
}
