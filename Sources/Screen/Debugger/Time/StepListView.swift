import SessionWords
import TextCanvas
import TimeTravel

extension Painter {
  mutating func drawSteps() {
    let area = layout.steps
    guard !area.isEmpty else { return }
    guard let other = state.otherBeside else {
      return drawOwn(state.listed(height: area.height), in: area)
    }
    let rows = state.besideRows(height: area.height)
    var (own, right) = (area, area.moved(columns: area.width / 2, rows: 0))
    own.size.width = area.width / 2
    right.size.width -= own.width
    drawOwn(rows.map(\.own), in: own)
    drawBeside(rows, other, in: right)
  }

  private mutating func drawOwn(_ numbers: [Int?], in area: Rectangle) {
    let rows = numbers.compactMap(\.self).compactMap { state.reading.pages[state.here.branch, $0] }
    // On a small screen, times go before labels are cut.
    let most = area.width < 30 ? 40 : 16
    let longest = rows.map { SafeText.width($0.label, upTo: most) }.max() ?? 0
    // Some files tell the causes of some steps.
    let tellsCauses =
      state.session.knowsCauses || rows.contains { $0.cause != .user && $0.cause != .unknown }
    let columns = Columns(
      state, width: area.width, forLabel: longest, causes: tellsCauses ? 2 : 0)
    let signs = rows.contains { $0.isSkipped || state.isFailure($0) } ? 2 : 0
    let labels = StepLabels(rows.map(\.label), width: columns.watches - columns.label - signs)
    let payloads = StepPayloads(rows)
    drawWatchNames(columns, above: area)
    let arc = state.arc(over: rows)
    for (row, number) in numbers.enumerated() {
      guard let number else {
        canvas.write("·", at: area.point(columns.label, row), style: .plain.dim)
        continue
      }
      inside(area.line(row)) { $0.draw(number, columns, labels, payloads) }
      if let sign = arc?.sign(at: number) {
        canvas.write(
          sign, at: area.point(columns.digits + 1, row), style: Style(foreground: .cyan))
      }
      if number == state.here.step, state.paneSet.focus != .pane {
        canvas.restyle(area.line(row)) { $0.asSelected }
      }
    }
  }

  private struct Columns {
    var digits: Int
    var time: Int?
    var standing: Int?
    var cause: Int
    var label: Int
    var watches: Int
    var watched: Int

    static let watchWidth = 9

    /// Labels have precedence over times.
    init(_ state: DebuggerState, width: Int, forLabel longest: Int, causes: Int) {
      digits = String(state.branch.steps.upperBound).count
      var column = digits + 2
      let others = column + (state.branch.isMain ? 0 : 2) + causes
      if width >= others + 7 + longest, state.session.hasTimes {
        time = column
        column += 7
      }
      if !state.branch.isMain || state.session.wasBranch {
        standing = column
        column += 2
      }
      cause = column
      label = column + causes
      let room = max(0, (width - label - 18) / Self.watchWidth)
      watched = min(room, state.shownSeries.count, 4)
      watches = width - watched * Self.watchWidth
    }
  }

  private mutating func draw(
    _ number: Int, _ columns: Columns, _ labels: StepLabels, _ payloads: StepPayloads
  ) {
    let isHere = number == state.here.step
    let isInRange = state.range?.contains(number) == true
    func point(_ column: Int) -> Point { Point(column: column, row: 0) }
    let (sign, signStyle) = sign(of: number)
    canvas.write(sign, at: .origin, style: signStyle)
    canvas.write(
      String(number), at: point(1),
      style: isHere ? .plain.bold : isInRange ? Style(foreground: .cyan).bold : .plain.dim,
      width: columns.digits, alignment: .right)
    guard let row = state.reading.pages[state.here.branch, number] else {
      canvas.write("…", at: point(columns.digits + 2), style: .plain.dim)
      return
    }
    if let column = columns.time {
      canvas.write(
        delta(before: row), at: point(column), style: .plain.dim, width: 6, alignment: .right)
    }
    if let column = columns.standing {
      let own = row.standing.map { standing in
        // The title shows a standing that all steps share.
        standing.values == state.doubtOfAll
          ? (standing.outcome.glyph + " ", Standing(.edited, standing.outcome).role.style)
          : (standing.glyphs, standing.role.style)
      }
      let (signs, style) = own ?? ("│ ", Style(foreground: state.color(of: state.here.branch)).dim)
      canvas.write(signs, at: point(column), style: style)
    }
    if columns.label > columns.cause {
      canvas.write(row.cause.glyph, at: point(columns.cause), style: row.cause.style)
    }
    drawWatches(number, columns)
    let end = drawRun(number, width: columns.watches)
    let isDim = state.filter.now?.mode == .dim && state.rows?.fits(number) == true
    let isHidden = state.rows?.isHidden(number) == true
    canvas.write(
      label(of: row, labels, payloads[row]), at: point(columns.label), width: end - columns.label,
      adding: isDim || isHidden ? .dim : isHere ? .bold : [])
  }

  private mutating func drawWatchNames(_ columns: Columns, above area: Rectangle) {
    for (index, series) in state.shownSeries.prefix(columns.watched).enumerated() {
      let shown = " " + StepLabels.shortened(series.path.shownName, to: Columns.watchWidth - 2)
      let end = columns.watches + (index + 1) * Columns.watchWidth
      canvas.write(
        shown, at: area.point(end - SafeText.width(shown), -1), style: Style(foreground: .cyan))
    }
  }

  private mutating func drawWatches(_ number: Int, _ columns: Columns) {
    for (index, series) in state.shownSeries.prefix(columns.watched).enumerated() {
      canvas.write(
        series.value(at: number)?.words(in: Columns.watchWidth - 1) ?? "…",
        at: Point(column: columns.watches + index * Columns.watchWidth + 1, row: 0),
        style: series.changed(at: number) ? Style(foreground: .cyan) : .plain.dim,
        width: Columns.watchWidth - 1, alignment: .right)
    }
  }

  private mutating func drawRun(_ number: Int, width: Int) -> Int {
    guard let rows = state.rows else { return width }
    let isHidden = rows.isHidden(number)
    let length = rows.length(ofRow: rows.row(of: number))
    guard isHidden || length > 1 else { return width }
    let words = isHidden ? " hidden" : " ×\(grouped(length))"
    let start = width - SafeText.width(words)
    canvas.write(words, at: Point(column: start, row: 0), style: Style(foreground: .cyan))
    return start
  }

  private func sign(of number: Int) -> (String, Style) {
    let position = Position(branch: state.here.branch, step: number)
    if number == state.here.step { return ("▸", .plain.bold) }
    if state.ofHere(state.searches.broken)?.isHit(number) == true {
      return ("▼", Style(foreground: .red).bold)
    }
    if state.mark(at: position) != nil { return ("▲", Style(foreground: .magenta)) }
    if state.ofHere(state.searches.asked)?.isHit(number) == true {
      return ("◆", Style(foreground: .yellow))
    }
    if state.range?.contains(number) == true { return ("┃", Style(foreground: .cyan).bold) }
    return (" ", .plain)
  }

  private func delta(before row: StepRow) -> String {
    guard let time = row.time, row.number > state.session.steps.lowerBound else { return "" }
    guard let before = state.reading.pages[state.here.branch, row.number - 1] else { return "…" }
    return before.time.map { "+" + (time - $0).shortText } ?? ""
  }

  private func label(of row: StepRow, _ labels: StepLabels, _ payload: String) -> [Span] {
    let label = labels[row.label]
    if row.isSkipped { return [Span("⊘ ", .warning), Span(label, .quiet)] }
    let isFailure = state.isFailure(row)
    var spans = [Span(label, isFailure ? .failure : .plain)]
    if isFailure { spans.insert(Span("✗ ", .failure), at: 0) }
    let note = state.mark(at: Position(branch: state.here.branch, step: row.number)) ?? ""
    if !note.isEmpty { spans.append(Span(" “\(note)”", .number)) }
    if !payload.isEmpty { spans.append(Span(" " + payload, .quiet)) }
    return spans
  }
}

/// Joins a step with what sent it and with what it sent.
struct CauseArc: Sendable, Hashable {
  private let stops: Set<Int>
  private let first: Int
  private let last: Int

  init?(_ stops: Set<Int>) {
    guard stops.count > 1, let first = stops.min(), let last = stops.max() else { return nil }
    (self.stops, self.first, self.last) = (stops, first, last)
  }

  func sign(at step: Int) -> String? {
    switch step {
    case first: "╭"
    case last: "╰"
    case first...last: stops.contains(step) ? "├" : "│"
    default: nil
    }
  }
}

extension DebuggerState {
  /// Of the step in view, over the listed ones: what it sends further down is not listed.
  func arc(over rows: [StepRow]) -> CauseArc? {
    guard let row, let moment else { return nil }
    let here = row.number
    var stops: Set = [here]
    switch row.cause {
    case .output(let sender): stops.insert(sender)
    case .effect(let number):
      if let effect = moment.effects.first(where: { $0.number == number }) {
        stops.insert(effect.origin.step)
      }
    case .user, .outside, .unknown: break
    }
    let started = moment.effects.filter { $0.origin.step == here }.map(\.number)
    for row in rows where row.number > here {
      switch row.cause {
      case .output(here): stops.insert(row.number)
      case .effect(let number) where started.contains(number): stops.insert(row.number)
      case .output, .effect, .user, .outside, .unknown: break
      }
    }
    return CauseArc(stops)
  }
}

extension Cause {
  fileprivate var style: Style {
    switch self {
    case .user, .outside, .unknown: .plain
    case .effect: Style(foreground: .cyan)
    case .output: Style(foreground: .magenta)
    }
  }
}
