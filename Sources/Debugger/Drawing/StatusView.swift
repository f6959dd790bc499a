import SessionLog
import TextCanvas
import TimeTravel

/// The last line: what is being typed, what was found, what went wrong, and what can be done.
enum StatusView {
  static func draw(_ state: DebuggerState, in area: Rectangle, on canvas: inout Canvas) {
    if let leaving = state.leaving { return draw(leaving, state, in: area, on: &canvas) }
    if let prompt = state.prompt { return draw(prompt, in: area, on: &canvas) }
    let left = left(state)
    let leftWidth = left.reduce(0) { $0 + SafeText.width($1.text, upTo: area.width) } + 2
    let hint =
      hints(state).first { leftWidth + SafeText.width($0) + 1 <= area.width } ?? hints(state)[0]
    let hintWidth = SafeText.width(hint) + 1
    let room = leftWidth + hintWidth <= area.width ? area.width - hintWidth : area.width - 1
    let keepsStart = state.message?.keepsStart == true
    let shown = left.map { span in
      guard left.count == 1 else { return span }
      let text = span.text
      return Span(
        keepsStart ? SafeText.truncated(text, to: room - 1) : text.shortened(to: room - 1),
        span.role)
    }
    canvas.write(shown, at: Point(column: area.left + 1, row: area.top), width: room - 1)
    if leftWidth + hintWidth <= area.width {
      canvas.write(
        hint, at: Point(column: area.right - hintWidth, row: area.top), style: .plain.dim)
    }
  }

  private static func draw(
    _ leaving: Leaving, _ state: DebuggerState, in area: Rectangle, on canvas: inout Canvas
  ) {
    let point = Point(column: area.left + 1, row: area.top)
    switch leaving {
    case .saving:
      canvas.write("saving marks and forks …   q leaves at once", at: point, width: area.width - 2)
    case .asking:
      let rest = state.notKept.count - 1
      let more = rest > 0 ? " (and \(grouped(rest)) more)" : ""
      let keys = "\(more)   q leaves all the same, any other key stays"
      let room = max(20, area.width - 2 - SafeText.width(keys))
      let words = (state.notKept.first ?? "").shortened(to: room)
      canvas.write([Span(words, .warning), Span(keys, .heading)], at: point, width: area.width - 2)
    }
  }

  private static func draw(_ prompt: Prompt, in area: Rectangle, on canvas: inout Canvas) {
    let column = canvas.write(prompt.purpose.sign, at: area.origin, style: .plain.bold)
    var width = area.right - column
    if let problem = prompt.problem {
      let shown = "✗ \(problem) "
      let room = min(SafeText.width(shown), max(width - 12, width / 2))
      width -= room
      canvas.write(
        shown, at: Point(column: area.right - room, row: area.top),
        style: Span.Role.failure.style, width: room)
    }
    if !prompt.offers.isEmpty {
      let shown = prompt.offers.joined(separator: "  ") + " "
      let room = min(SafeText.width(shown), max(width - 16, 0))
      width -= room
      canvas.write(
        shown, at: Point(column: column + width, row: area.top), style: .plain.dim, width: room)
    }
    LineView.draw(
      prompt.line, at: Point(column: column, row: area.top), width: width - 1, on: &canvas)
  }

  private static func left(_ state: DebuggerState) -> [Span] {
    if !state.count.digits.isEmpty { return [Span(state.count.digits, .heading)] }
    if let message = state.message {
      switch message.kind {
      case .news: return [Span(message.text)]
      case .warning: return [Span(message.text, .warning)]
      case .failure: return [Span(message.text, .failure)]
      }
    }
    if let speed = state.playingSpeed {
      return [
        Span("▸ playing at \(speedWords(speed))  ", .heading),
        Span("< slower  > faster  any key stops", .quiet),
      ]
    }
    if let path = state.exporting {
      return [Span("writing \(path) …  ", .plain), Span("Ctrl-C stops it", .quiet)]
    }
    if let fork = state.runningFork {
      let waiting = state.waiting.events.count
      let keys = waiting == 0 ? "" : ", \(counted(waiting, "key")) after it; Esc forgets them"
      return [Span("running “\(fork)” …  ", .plain), Span("Ctrl-C stops it\(keys)", .quiet)]
    }
    if let search = state.search { return spans(of: search) }
    return []
  }

  /// `1×`, `4×`, `1/2×`.
  private static func speedWords(_ speed: Double) -> String {
    speed >= 1 ? "\(Int(speed))×" : "1/\(Int(1 / speed))×"
  }

  private static func spans(of search: Search) -> [Span] {
    if let failure = search.failure {
      return [Span("\(search.question.text)  ", .heading), Span(failure, .failure)]
    }
    var spans = [
      Span("\(search.question.text)  ", .heading), Span(counted(search.count, "hit")),
    ]
    if search.isRunning {
      let percent = search.total > 0 ? search.searched * 100 / search.total : 0
      spans.append(Span(" so far, \(percent)% searched; Ctrl-C stops", .quiet))
    } else if search.searched < search.total {
      spans.append(Span(" in \(grouped(search.searched)) steps, stopped", .warning))
    } else if search.count > 0 {
      spans.append(Span("   n next  N previous", .quiet))
    }
    return spans
  }

  /// What can be done here, from the longest way to say it to the shortest.
  private static func hints(_ state: DebuggerState) -> [String] {
    func hint(_ parts: String...) -> String {
      HelpText.hint(parts, in: KeyTable.maps(for: state.focus))
    }
    switch (state.overlay, state.focus) {
    case (.fork, _): return [HelpText.hint(["Tab", "Enter", "Esc"], in: [KeyTable.form])]
    case (.help, _), (.text, _), (.branches, _):
      return [HelpText.hint(["q"], in: [KeyTable.lists])]
    case (.marks, _): return [HelpText.hint(["Enter choose", "q"], in: [KeyTable.lists])]
    case (nil, .pane):
      let short = hint("?", "q")
      switch state.pane {
      case .effects: return [hint("?", "Enter answer", "c", "q"), short]
      case .action: return [hint("?", "h l fold", "= replace", "y", "q"), short]
      case .reads: return [hint("?", "h l fold", "= change", "y", "q"), short]
      case .compare: return [hint("?", "D", "C", "= set", "q"), short]
      case .diff, .state, .watch:
        return [hint("?", "h l fold", "= set", "y", "q"), hint("?", "h l fold", "= set", "q")]
      }
    case (nil, .steps): return [hint("?", ":", "q quit")]
    }
  }
}

/// A line that is being typed.
enum LineView {
  static func draw(
    _ line: LineEditor, at point: Point, width: Int, style: Style = .plain,
    hasCursor: Bool = true, on canvas: inout Canvas
  ) {
    guard width > 1 else { return }
    // The cursor stays in sight: what is before it leaves at the left.
    let step = max(1, width / 4)
    // No character is narrower than a cell, so nothing further back can be in sight.
    var start = max(0, (line.cursor - width) / step * step)
    let characters = line.characters
    while SafeText.width(String(characters[start..<line.cursor]), upTo: width) >= width - 1 {
      start += step
      if start >= line.cursor { start = line.cursor; break }
    }
    let area = Rectangle(column: point.column, row: point.row, width: width, height: 1)
    canvas.inside(area) { canvas in
      let before = String(characters[start..<line.cursor])
      let column = canvas.write(before, at: .origin, style: style)
      canvas.write(
        String(characters[line.cursor...].prefix(width)), at: Point(column: column, row: 0),
        style: style)
      if hasCursor { canvas.placeCursor(at: Point(column: column, row: 0)) }
    }
  }
}

extension String {
  /// A sentence in at most so many cells: the place stands at its beginning and what to do at its end,
  /// so what is left out is left out in the middle.
  func shortened(to width: Int) -> String {
    guard SafeText.width(self, upTo: width + 1) > width, width > 8 else { return self }
    let tailRoom = width / 3
    let headRoom = width - 1 - tailRoom
    return String(fitting(prefix(headRoom), headRoom)) + "…"
      + String(fitting(suffix(tailRoom).reversed(), tailRoom).reversed())
  }

  private func fitting(_ characters: some Sequence<Character>, _ width: Int) -> [Character] {
    var used = 0
    return characters.prefix { character in
      used += SafeText.width(String(character))
      return used <= width
    }
  }
}
