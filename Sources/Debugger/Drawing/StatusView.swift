import SessionWords
import TextCanvas
import TimeTravel

enum StatusView {
  static func draw(_ state: DebuggerState, in area: Rectangle, on canvas: inout Canvas) {
    if let leaving = state.keeping.leaving { return draw(leaving, state, in: area, on: &canvas) }
    if let prompt = state.prompt { return draw(prompt, in: area, on: &canvas) }
    let lines = lines(state, width: area.width - 2)
    for (row, line) in lines.enumerated() {
      let place = area.line(area.height - lines.count + row)
      canvas.fill(place)
      let start = place.point(1)
      canvas.write(line, at: start, width: area.width - 2)
      let text = line.map(\.text).joined()
      canvas.link(SourceLine(in: text), in: text, at: start, state.reading.sources)
    }
    for (hint, columns) in placedHints(state, in: area) {
      let place = Rectangle(
        column: columns.lowerBound, row: area.top, width: columns.count, height: 1)
      canvas.write(hint.text, at: place.origin, style: .plain.dim)
      canvas.link(place, to: .key(hint.key))
    }
  }

  /// The rows of the list under the message.
  static func covered(_ state: DebuggerState, _ layout: Layout) -> Int {
    guard layout.shape != .tiny, state.prompt == nil else { return 0 }
    let top = layout.status.bottom - lines(state, width: layout.status.width - 2).count
    return max(0, layout.steps.bottom - top)
  }

  /// The message. A long line wraps upwards over the panes.
  private static func lines(_ state: DebuggerState, width: Int) -> [[Span]] {
    let left = left(state)
    let isCard = left.count == 1 && left[0].text.contains("\n")
    guard left.count == 1, isCard || left.width(upTo: width + 1) > width else { return [left] }
    let lines = left[0].text.split(separator: "\n").flatMap {
      OverlayView.wrapped(SafeText.line(String($0)), width: width)
    }
    return lines.prefix(max(1, state.size.height / 2)).map { [Span($0, left[0].role)] }
  }

  /// The hints that fit at the right; help stays longest.
  private static func placedHints(
    _ state: DebuggerState, in area: Rectangle
  ) -> [(hint: Hint, columns: Range<Int>)] {
    let used = (lines(state, width: area.width - 2).last ?? []).width(upTo: area.width)
    var room = area.width - 2 - (used == 0 ? 0 : used + 2)
    let hints = hints(state)
    var shown: Set<Hint> = []
    for hint in hints.suffix(2) + hints.dropLast(2) {
      let width = SafeText.width(hint.text) + (shown.isEmpty ? 0 : 3)
      guard width <= room, shown.count < 7 else { continue }
      room -= width
      shown.insert(hint)
    }
    var column = area.right - 1
    return hints.filter(shown.contains).reversed().map { hint in
      let start = column - SafeText.width(hint.text)
      column = start - 3
      return (hint, start..<start + SafeText.width(hint.text))
    }.reversed()
  }

  private static func draw(
    _ leaving: Leaving, _ state: DebuggerState, in area: Rectangle, on canvas: inout Canvas
  ) {
    let quit = state.key("q", in: KeyTable.program)
    var spans = [Span("saving marks and forks …   \(quit) leaves at once")]
    if leaving == .asking {
      let rest = state.keeping.notKept.count - 1
      let more = rest > 0 ? " (and \(grouped(rest)) more)" : ""
      let keys = "\(more)   \(quit) leaves anyway, any other key stays"
      let room = max(20, area.width - 2 - SafeText.width(keys))
      let words = (state.keeping.notKept.first ?? "").shortened(to: room)
      spans = [Span(words, .warning), Span(keys, .heading)]
    }
    canvas.write(spans, at: area.point(1), width: area.width - 2)
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
      prompt.line, at: Point(column: column, row: area.top), width: width - 1, of: 0, on: &canvas)
    let end = column + SafeText.width(prompt.line.text, upTo: width)
    canvas.write(
      prompt.shownGhost, at: Point(column: end, row: area.top),
      style: prompt.takesGhost ? .plain.reverse : .plain.dim, width: max(0, column + width - end))
  }

  private static func left(_ state: DebuggerState) -> [Span] {
    if !state.input.count.digits.isEmpty { return [Span(state.input.count.digits, .heading)] }
    if let welcome = state.input.welcome, !state.input.wasTouched,
      state.message?.kind ?? .news == .news
    {
      return [Span(welcome, .heading)]
    }
    if let message = state.message {
      let roles: [Message.Kind: Span.Role] = [.warning: .warning, .failure: .failure]
      return [Span(message.text, roles[message.kind] ?? .plain)]
    }
    if let speed = state.playing.speed {
      return [
        Span("▸ playing at \(speedWords(speed))  ", .heading),
        Span(
          state.input.keys.words("`<` slower  `>` faster  any key stops", in: [KeyTable.playing]),
          .quiet),
      ]
    }
    if let path = state.keeping.exporting {
      let fork = state.forkForReport.map { "\($0.runningWords)  " } ?? ""
      return [Span("writing \(path) …  \(fork)", .plain), Span("Ctrl-C stops it", .quiet)]
    }
    if let fork = state.forks.running {
      let waiting = state.input.waiting.events.count
      let keys = waiting == 0 ? "" : ", \(counted(waiting, "key")) after it; Esc drops them"
      return [Span("running “\(fork)” …  ", .plain), Span("Ctrl-C stops it\(keys)", .quiet)]
    }
    if let range = state.range { return [Span(state.words(for: range), .heading)] }
    if let effect = state.chosenEffect {
      return [Span("\(effect.name)  ", .heading)] + effect.life(isUnanswered: false)
    }
    if !state.setterWords.isEmpty { return state.setterWords }
    if let search = state.searches.asked { return spans(of: search, state) }
    if let filter = state.filter.now, state.size.width < 56 || filter.failure != nil {
      return [Span("\(filter.words)  ", .warning), Span("\(state.key("F")) changes it", .quiet)]
    }
    return []
  }

  /// `1×`, `4×`, `1/2×`.
  private static func speedWords(_ speed: Double) -> String {
    speed >= 1 ? "\(Int(speed))×" : "1/\(Int(1 / speed))×"
  }

  private static func spans(of search: Search, _ state: DebuggerState) -> [Span] {
    let here = state.here
    if let failure = search.failure {
      return [Span("\(search.question.text)  ", .heading), Span(failure, .failure)]
    }
    let number = here.branch == search.branch ? search.number(of: here.step) : nil
    var spans = [
      Span("\(search.question.text)  ", .heading),
      Span((number.map { "\(grouped($0)) of " } ?? "") + counted(search.count, "hit")),
    ]
    if search.isRunning, !search.goesOn {
      let percent = search.total > 0 ? search.searched * 100 / search.total : 0
      spans.append(Span(" so far, \(percent)% searched; Ctrl-C stops", .quiet))
    } else if !search.isRunning, search.searched < search.total {
      spans.append(Span(" in \(grouped(search.searched)) steps, stopped", .warning))
    } else if search.count > 0 {
      spans.append(Span("   \(state.key("n")) next  \(state.key("N")) previous", .quiet))
    }
    return spans
  }

  private static func hints(_ state: DebuggerState) -> [Hint] {
    let keys = state.input.keys
    switch state.overlay {
    case .fork: return HelpText.hints(["Tab", "Enter", "Esc"], in: [KeyTable.form], keys)
    case .text where state.searches.offersTest:
      return HelpText.hints(["Enter keep it as a test", "q"], in: [KeyTable.lists], keys)
    case .help, .text, .branches: return HelpText.hints(["q"], in: [KeyTable.lists], keys)
    case .marks: return HelpText.hints(["Enter choose", "q"], in: [KeyTable.lists], keys)
    case .menu: return HelpText.hints(["Enter", "q"], in: [KeyTable.menu], keys)
    case nil: return whatCanBeDone(state)
    }
  }

  /// The right button's choices: the hints without those that go elsewhere.
  static func whatFits(_ state: DebuggerState) -> [Hint] {
    if state.range != nil || state.paneSet.focus == .timeline { return whatCanBeDone(state) }
    let isStep = state.paneSet.focus != .pane
    let setter = isStep || state.setter == nil ? [] : ["c who set it"]
    let own =
      (isStep ? ["x", "m mark", "* next such step", "- hide such steps"] : setter) + ["y copy"]
    let elsewhere = Set("/:?qyx".map { Key.character($0) } + [.tab, .enter])
    return whatCanBeDone(state).filter { !elsewhere.contains($0.key) }
      + HelpText.hints(own, in: state.keyMaps, state.input.keys)
  }

  static func whatCanBeDone(_ state: DebuggerState) -> [Hint] {
    func hints(_ parts: String...) -> [Hint] {
      HelpText.hints(parts, in: state.keyMaps, state.input.keys)
    }
    if state.range != nil, state.paneSet.focus != .pane {
      return hints("C", "F", "s", "i", "-", "V", "? help")
    }
    if state.paneSet.focus == .timeline {
      return hints("↓", "Enter", "i zoom", "L", "t", "? help", "q back")
    }
    let moment = state.moment
    let canFork = state.host.status != .none && state.session.canReplay
    let isAnswerable = canFork && moment?.inFlight.isEmpty == false
    let row = state.view.row
    let set =
      canFork && row?.path.flatMap { path in moment?.state.flatMap(path.value(in:)) } != nil
      ? hints("= set") : []
    guard state.paneSet.focus == .pane else {
      let undo = state.keeping.undo.done.isEmpty ? [] : hints("z")
      let fork =
        !canFork
        ? [] : state.branch.isMain ? hints("f", "=") : hints("D") + undo + hints("f", "x", "=", "B")
      return fork + (isAnswerable ? hints("a") : [])
        + (moment.map { $0.step.cause != .user } == true ? hints("c") : [])
        + hints("/", ":", "Tab", "? help", "q quit")
    }
    let own =
      switch state.pane {
      case .effects:
        (canFork && row?.effect != nil ? hints("Enter answer") : [])
          + (row?.step == nil ? [] : hints("c")) + hints("o", "y")
      case .action: (canFork ? hints("= replace") : []) + hints("h l fold", "y", "v")
      case .reads:
        (canFork && row?.path != nil ? hints("= change") : []) + hints("h l fold", "y", "v")
      case .compare: hints("D", "C") + set + hints("* next change", "y")
      case .diff, .state, .watch:
        (state.isSetElsewhere && row?.fold == PaneRow.Fold.none ? hints("Enter go there") : [])
          + set + hints("* next change", "h l fold", "w", "y", "v")
      }
    return own + hints("Tab", "? help", "q back")
  }
}

enum LineView {
  static func draw(
    _ line: LineEditor, at point: Point, width: Int, of field: Int, hasCursor: Bool = true,
    on canvas: inout Canvas
  ) {
    guard width > 1 else { return }
    // Keeps the cursor in sight by scrolling left.
    let step = max(1, width / 4)
    // A character is at least a cell wide, so earlier ones are out of sight.
    var start = max(0, (line.cursor - width) / step * step)
    let characters = line.characters
    while SafeText.width(String(characters[start..<line.cursor]), upTo: width) >= width - 1 {
      start += step
      if start >= line.cursor { start = line.cursor; break }
    }
    let area = Rectangle(column: point.column, row: point.row, width: width, height: 1)
    canvas.inside(area) { canvas in
      let before = String(characters[start..<line.cursor])
      let column = canvas.write(before, at: .origin)
      canvas.write(
        String(characters[line.cursor...].prefix(width)), at: Point(column: column, row: 0))
      canvas.link(canvas.bounds, to: .text(field, from: start))
      if hasCursor { canvas.placeCursor(at: Point(column: column, row: 0)) }
    }
  }
}

extension String {
  /// Shortens a sentence in the middle, because the place is at its beginning and the advice at its
  /// end.
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
