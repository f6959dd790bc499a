import SessionWords
import TextCanvas
import TimeTravel

extension Painter {
  mutating func draw(_ form: ForkForm) {
    let step = grouped(form.position.step)
    let title = "fork at step \(step) of \(state.name(of: form.position.branch))"
    let size = canvas.size
    // On a small screen it takes everything, because the margins would be useless.
    let isSmall = size.width < 100 || size.height < 30
    let rows = isSmall ? size.height - 3 : 22
    let width = isSmall ? size.width - 4 : min(size.width - 20, 110)
    box(title, rows: rows, width: width) { $0.drawFields(form) }
  }

  private mutating func drawFields(_ form: ForkForm) {
    var row = 0
    let fields = form.fields
    let last = canvas.size.height - 1
    // Without room for all, those before the current one go.
    let isTight = fields.count + (fields.contains(.template) ? 1 : 0) > last
    let own = fields.firstIndex(of: form.field) ?? 0
    for field in fields.dropFirst(isTight ? max(0, own - last + 3) : 0) where row < last {
      row += draw(field, form, row: row)
    }
    let width = canvas.size.width - 9
    let room = max(1, last - row)
    row = min(row, last)
    if let problem = form.problem {
      for line in problem.wrapped(to: width).prefix(room) {
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
    drawHints(["Enter runs it", hint, "Tab Shift-Tab fields", "Esc"], in: KeyTable.form)
  }

  /// Returns its height.
  private mutating func draw(_ field: ForkForm.Field, _ form: ForkForm, row: Int) -> Int {
    let isHere = form.field == field
    canvas.write(
      (isHere ? "▸ " : "  ") + form.name(of: field), at: Point(column: 0, row: row),
      style: isHere ? .plain.bold : .plain.dim)
    canvas.link(canvas.bounds.line(row), to: .choice(field.rawValue))
    var place = Rectangle(at: Point(column: 9, row: row), width: canvas.size.width - 9)
    guard let line = field.line else {
      let words = words(of: field, form)
      canvas.write(
        isHere ? "‹ \(words) ›" : words, at: place.origin, style: isHere ? .plain.bold : .plain,
        width: place.width)
      return 1
    }
    if field == .text {
      place.size.height = textHeight(form)
      drawText(form.text, in: place, hasCursor: isHere, ghost: form.completion ?? "")
      return place.height
    }
    draw(
      form[keyPath: line], at: place.origin, width: place.width, of: field.rawValue,
      hasCursor: isHere)
    if field == .part { drawHint(form, in: place) }
    return field == .template ? 1 + drawTemplates(form, below: place) : 1
  }

  private func words(of field: ForkForm.Field, _ form: ForkForm) -> String {
    switch field {
    case .target:
      (form.isNew ? "a new fork of " : "") + "“\(state.name(of: form.position.branch))”"
        + (form.isNew ? "" : " itself")
    case .change: form.change.rawValue
    case .effect: form.effectWords
    case .read: form.readWords
    case .answer: form.answer.rawValue
    case .gives: form.givesError ? "an error" : "a value"
    case .rest: restWords(form)
    case .name, .part, .template, .text: ""
    }
  }

  private func restWords(_ form: ForkForm) -> String {
    let parent = state[branch: form.position.branch]
    let later = (parent?.steps.upperBound ?? form.position.step) - form.position.step
    if later <= 0 { return "stop there: this is the last step" }
    switch form.rest {
    case .rerun: return "run the \(counted(later, "later step")) again"
    case .nothing: return "stop there"
    }
  }

  /// The form shows the place that the typed path becomes, or the value there.
  private mutating func drawHint(_ form: ForkForm, in place: Rectangle) {
    let name = form.path?.isRoot == true ? "the whole state" : ""
    let old = form.oldValue.map { "\(name)  was \(ValuePreview.text($0, limit: 60))" }
    let completion = form.field == .part ? form.completion : nil
    let start = SafeText.width(form.part.text, upTo: place.width)
    let hint =
      form.part.text.isEmpty && form.path == nil ? "  a path, as \(form.examplePath)" : nil
    canvas.write(
      completion ?? old ?? hint ?? "", at: place.point(start), style: .plain.dim,
      width: max(0, place.width - start))
  }

  private func textHeight(_ form: ForkForm) -> Int {
    let width = max(1, canvas.size.width - 9)
    let others = form.fields.count + 3 + (form.fields.contains(.template) ? 3 : 0)
    let room = max(1, canvas.size.height - others)
    return min(form.text.rows(width: width), room, max(1, canvas.size.height / 3))
  }

  /// Returns their height.
  private mutating func drawTemplates(_ form: ForkForm, below line: Rectangle) -> Int {
    if form.filter.text.isEmpty {
      canvas.write(
        "type a part of \(form.listWords), \(form.pickKeys) pick one", at: line.point(2),
        style: .plain.dim, width: line.width - 2)
    }
    let text = form.fields.contains(.text) ? textHeight(form) - 1 : 0
    let others = form.fields.drop { $0 != .template }.count - 1 + text
    let area = Rectangle(
      at: line.point(0, 1), width: line.width,
      height: max(1, canvas.size.height - line.bottom - others - 3))
    let offers = form.shownOffers
    if offers.isEmpty { canvas.write([form.emptyWords], at: area.origin, width: area.width) }
    drawList(
      offers.count, selected: form.selected, in: area, first: ForkForm.firstOffer,
      selectedAs: form.field == .template ? \.asSelected : \.self
    ) {
      let (offer, payload) = (offers[$1], offers[$1].payload)
      let origin = "  " + (offer.step.map { "step \(grouped($0))" } ?? "an example")
      let room = max(0, $2.width - SafeText.width(origin))
      let end = $0.canvas.write(
        [Span(offer.label), Span(payload.isEmpty ? "" : " \(payload)", .quiet)],
        at: $2.origin, width: room)
      $0.canvas.write(
        [Span(origin, .quiet)], at: Point(column: end, row: $2.top), width: $2.width - room)
    }
    return area.height
  }

  private mutating func drawText(
    _ text: LineEditor, in area: Rectangle, hasCursor: Bool, ghost: String
  ) {
    let field = ForkForm.Field.text.rawValue
    guard !text.isLong else {
      return draw(text, at: area.origin, width: area.width, of: field, hasCursor: hasCursor)
    }
    let lines = text.lines(width: area.width)
    let own = lines.lastIndex { $0.lowerBound <= text.cursor } ?? 0
    let top = hasCursor ? max(0, min(own - area.height + 1, lines.count - area.height)) : 0
    for (row, line) in lines.dropFirst(top).prefix(area.height).enumerated() {
      let place = area.line(row)
      var shown = String(text.characters[line])
      if shown.last?.isNewline == true { shown.removeLast() }
      canvas.link(place, to: .text(field, from: line.lowerBound))
      let isCut = row == area.height - 1 && top + area.height < lines.count
      let end = canvas.write(isCut ? shown + "…" : shown, at: place.origin, width: area.width)
      guard hasCursor, top + row == own else { continue }
      let before = SafeText.width(String(text.characters[line.lowerBound..<text.cursor]))
      if text.cursor == line.upperBound {
        canvas.write(
          ghost, at: Point(column: end, row: place.top), style: .plain.dim,
          width: max(0, area.right - end))
      }
      canvas.placeCursor(at: place.point(before))
    }
  }
}

extension ForkForm {
  fileprivate func name(of field: Field) -> String {
    switch field {
    case .target: "in"
    case .name: "name"
    case .change: "change"
    case .part: "part"
    case .effect: "effect"
    case .read: "read"
    case .template: "from"
    case .answer: "it"
    case .gives: "gives"
    case .rest: "then"
    case .text:
      change == .set || change == .read
        ? "value" : change == .answer ? answer.textKind?.rawValue ?? "action" : "action"
    }
  }

  fileprivate var effectWords: String {
    guard let chosen = chosenEffect else { return "no effect is in flight" }
    let number = effects.count > 1 ? "  (\(effect + 1) of \(effects.count))" : ""
    let wait = chosen.question.map { ", waits for \($0.text)" }
    return "\(chosen.name), started at step \(grouped(chosen.startedAt))"
      + (wait ?? (chosen.isUnanswered ? ", unanswered" : "")) + number
  }

  fileprivate var readWords: String {
    guard reads.indices.contains(read) else { return "nothing was read" }
    return reads[read].key + (reads.count > 1 ? "  (\(read + 1) of \(reads.count))" : "")
  }

  /// A part of this app's state.
  fileprivate var examplePath: String {
    guard case .object(let state)? = state, let first = state.first else { return "cart.total" }
    return ValuePath([.key(first.key)]).text
  }

  fileprivate var listWords: String {
    change == .answer && chosenEffect?.offers?.isEmpty == false ? "an answer" : "an action"
  }

  fileprivate var emptyWords: Span {
    if change == .answer, let trouble { return Span(trouble, .warning) }
    if change == .answer, chosenEffect?.offers == nil {
      return Span("asking the reducer what was recorded …", .quiet)
    }
    if isSearching { return Span("looking for recorded actions …", .quiet) }
    return filter.text.isEmpty
      ? Span("no known action to send: type one below", .quiet) : Span(namelessWords, .warning)
  }
}

extension LineEditor {
  /// A longer text gets one line, and only the visible part is processed.
  fileprivate var isLong: Bool { characters.count > 4_000 }

  fileprivate func rows(width: Int) -> Int { isLong ? 1 : lines(width: width).count }

  fileprivate func lines(width: Int) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var (start, used) = (0, 0)
    for (index, character) in characters.enumerated() {
      let cells = SafeText.width(String(character))
      if used + cells > width || (index > start && characters[index - 1].isNewline) {
        lines.append(start..<index)
        (start, used) = (index, 0)
      }
      used += cells
    }
    lines.append(start..<characters.count)
    if used >= width { lines.append(characters.count..<characters.count) }
    return lines
  }
}
