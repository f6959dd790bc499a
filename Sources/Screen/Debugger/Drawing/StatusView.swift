import SessionWords
import TextCanvas
import TimeTravel

extension Painter {
  mutating func drawStatus() {
    let area = layout.status
    if let leaving = state.keeping.leaving { return draw(leaving, in: area) }
    if let prompt = state.prompt { return draw(prompt, in: area) }
    let lines = state.messageLines(width: area.width - 2)
    for (row, line) in lines.enumerated() {
      let place = area.line(area.height - lines.count + row)
      canvas.fill(place)
      let start = place.point(1)
      canvas.write(line, at: start, width: area.width - 2)
      let text = line.map(\.text).joined()
      link(SourceLine(in: text), in: text, at: start)
    }
    let used = (lines.last ?? []).width(upTo: area.width)
    drawHints(in: area, room: area.width - 2 - (used == 0 ? 0 : used + 2))
  }

  /// The hints that fit at the right; help stays longest.
  private mutating func drawHints(in area: Rectangle, room: Int) {
    var room = room
    let hints = state.hints
    var shown: Set<Hint> = []
    for hint in hints.suffix(2) + hints.dropLast(2) {
      let width = SafeText.width(hint.text) + (shown.isEmpty ? 0 : 3)
      guard width <= room, shown.count < 7 else { continue }
      room -= width
      shown.insert(hint)
    }
    var column = area.width - 1
    for hint in hints.filter(shown.contains).reversed() {
      let width = SafeText.width(hint.text)
      draw(hint, at: area.point(column - width), width: width)
      column -= width + 3
    }
  }

  mutating func draw(_ hint: Hint, at point: Point, width: Int) {
    canvas.write(hint.text, at: point, style: .plain.dim, width: width)
    canvas.link(Rectangle(at: point, width: width), to: .key(hint.key))
  }

  private mutating func draw(_ leaving: Leaving, in area: Rectangle) {
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

  private mutating func draw(_ prompt: Prompt, in area: Rectangle) {
    let column = canvas.write(prompt.purpose.sign, at: area.origin, style: .plain.bold)
    var width = area.right - column
    if let problem = prompt.problem, SafeText.width(problem, upTo: width) > width / 2 {
      draw(problem: problem, above: area)
    } else if let problem = prompt.problem {
      let shown = "✗ \(problem) "
      let room = min(SafeText.width(shown), max(width - 12, width / 2))
      width -= room
      canvas.write(
        shown, at: Point(column: area.right - room, row: area.top),
        style: Span.Role.failure.style, width: room)
    }
    var offers = prompt.problem == nil && prompt.offers.isEmpty ? state.typedHits : prompt.offers
    let isGhost = prompt.takesGhost && !prompt.shownGhost.isEmpty
    if offers.isEmpty, isGhost, prompt.problem == nil { offers = ["Enter takes it"] }
    if !offers.isEmpty {
      let shown = offers.joined(separator: "  ") + " "
      let room = min(SafeText.width(shown), max(width - 16, 0))
      width -= room
      canvas.write(
        shown, at: Point(column: column + width, row: area.top), style: .plain.dim, width: room)
    }
    let mistake = prompt.mistake ?? state.shownForkLine?.mistake ?? state.absentPlace
    let end = draw(
      prompt.line, at: Point(column: column, row: area.top), width: width - 1, mistake: mistake)
    let rest = state.shownForkLine?.completion(
      at: prompt.line.cursor, of: prompt.line.characters)
    guard prompt.line.cursor == prompt.line.characters.count else { return }
    canvas.write(
      rest ?? state.ghost(of: prompt), at: Point(column: end, row: area.top),
      style: prompt.takesGhost ? .plain.reverse : .plain.dim, width: max(0, column + width - end))
  }

  /// Over the panes, where it does not fit beside the line.
  private mutating func draw(problem: String, above area: Rectangle) {
    let lines = "✗ \(problem)".wrapped(to: area.width - 2)
    for (row, line) in lines.suffix(max(1, area.top - 1)).enumerated() {
      let place = area.line(row - lines.count)
      canvas.fill(place)
      canvas.write(line, at: place.point(1), style: Span.Role.failure.style, width: area.width - 2)
    }
  }

  /// Returns the column behind it.
  private mutating func draw(
    _ line: LineEditor, at point: Point, width: Int, mistake: Int?
  ) -> Int {
    guard width > 1 else { return point.column }
    // Keeps the cursor in sight by scrolling left.
    let step = max(1, width / 4)
    // A character is at least a cell wide, so earlier ones are out of sight.
    var start = max(0, (line.cursor - width) / step * step)
    let characters = line.characters
    while SafeText.width(String(characters[start..<line.cursor]), upTo: width) >= width - 1 {
      start += step
      if start >= line.cursor { start = line.cursor; break }
    }
    var end = 0
    canvas.inside(Rectangle(at: point, width: width)) { canvas in
      let before = String(characters[start..<line.cursor])
      let column = canvas.write(before, at: .origin)
      end = canvas.write(
        String(characters[line.cursor...].prefix(width)), at: Point(column: column, row: 0))
      canvas.link(canvas.bounds, to: .text(from: start))
      canvas.placeCursor(at: Point(column: column, row: 0))
      guard let mistake, mistake >= start, mistake - start < width else { return }
      let word = characters.dropFirst(mistake).prefix { !" ()=<>!&|:,{}".contains($0) }
      let place = Rectangle(
        at: Point(
          column: SafeText.width(String(characters[start..<min(mistake, characters.count)])), row: 0
        ),
        width: max(1, SafeText.width(String(word.prefix(width)))))
      canvas.restyle(place) { _ in Span.Role.failure.style }
    }
    return point.column + end
  }
}

extension DebuggerState {
  /// How often what is typed was found so far.
  fileprivate var typedHits: [String] {
    guard searches.before != nil, let search = searches.asked, prompt?.line.text.isEmpty == false
    else { return [] }
    if let failure = search.failure { return [failure] }
    let first = search.hit(.forward, of: search.steps.lowerBound - 1)?.step
    let place = prompt?.purpose == .search ? nil : first.map { "first at \(grouped($0))" }
    let count =
      prompt?.isRule == true
      ? "broken in \(counted(search.count, "step"))" : counted(search.count, "hit")
    return [
      [count, place].compactMap(\.self).joined(separator: ", ")
        + (search.isRunning ? " …" : "")
    ]
  }

  /// The column of a place that the state does not have, once the search has said so.
  fileprivate var absentPlace: Int? {
    guard searches.before != nil, let search = searches.asked, search.failure != nil,
      case .condition(let question) = search.question, let text = prompt?.line.text,
      let value = moment?.state
    else { return nil }
    for path in question.condition.paths(in: "state") ?? [] {
      let place = ValuePath(path, in: value).text
      guard TypedPlace.suggestion(for: place, in: value) != nil,
        let range = text.firstRange(of: "state.\(place)")
      else { continue }
      return text.distance(from: text.startIndex, to: range.lowerBound)
    }
    return nil
  }

  /// The prompt's ghost, or what a command takes that was typed by hand.
  fileprivate func ghost(of prompt: Prompt) -> String {
    guard prompt.shownGhost.isEmpty, prompt.purpose == .command, prompt.line.text.last == " " else {
      return prompt.shownGhost
    }
    return KeyTable.commands[String(prompt.line.text.dropLast())]?.takes ?? ""
  }

  /// The rows of the list under the message.
  func covered(_ layout: Layout) -> Int {
    guard layout.shape != .tiny, prompt == nil else { return 0 }
    let top = layout.status.bottom - messageLines(width: layout.status.width - 2).count
    return max(0, layout.steps.bottom - top)
  }

  /// The message. A long line wraps upwards over the panes.
  fileprivate func messageLines(width: Int) -> [[Span]] {
    let left = left
    let isCard = left.count == 1 && left[0].text.contains("\n")
    guard left.count == 1, isCard || left.width(upTo: width + 1) > width else { return [left] }
    let lines = left[0].text.split(separator: "\n").flatMap {
      SafeText.line(String($0)).wrapped(to: width)
    }
    return lines.prefix(max(1, size.height / 2)).map { [Span($0, left[0].role)] }
  }

  private var left: [Span] {
    if !input.digits.isEmpty {
      let space = setterWords.isEmpty ? "" : "  "
      return [Span(input.digits + space, .heading)] + setterWords
    }
    if let welcome = input.welcome, !input.wasTouched, message?.kind ?? .news == .news {
      return [Span(welcome, .heading)]
    }
    if let message {
      let roles: [Message.Kind: Span.Role] = [.warning: .warning, .failure: .failure]
      return [Span(message.text, roles[message.kind] ?? .plain)]
    }
    if let speed = playing.speed {
      let words = "`<` slower  `>` faster  any key stops"
      let rate = speed >= 1 ? "\(Int(speed))×" : "1/\(Int(1 / speed))×"
      return [
        Span("▸ playing at \(rate)  ", .heading),
        Span(input.keys.words(words, in: [KeyTable.playing]), .quiet),
      ]
    }
    if let path = keeping.exporting {
      let fork = forkForReport.map { "\($0.runningWords)  " } ?? ""
      return [Span("writing \(path) …  \(fork)", .plain), Span("Ctrl-C stops it", .quiet)]
    }
    if let fork = forks.running {
      let waiting = input.waiting.events.count
      let keys = waiting == 0 ? "" : ", \(counted(waiting, "key")) after it; Esc drops them"
      return [
        Span("running “\(name(of: fork))” …  ", .plain), Span("Ctrl-C stops it\(keys)", .quiet),
      ]
    }
    if let range { return [Span(words(for: range), .heading)] }
    if let effect = chosenEffect {
      return [Span("\(effect.name)  ", .heading)] + effect.life(isUnanswered: false)
    }
    if !setterWords.isEmpty { return setterWords }
    if let search = ofHere(searches[keyPath: errorsOfHere.path]), search.isRunning,
      search.waiting != nil
    {
      return spans(of: search)
    }
    if let search = ofHere(searches.asked) { return spans(of: search) }
    if let filter = filter.now, !filter.words.isEmpty, size.width < 56 || filter.failure != nil {
      return [Span("\(filter.words)  ", .warning), Span("\(key("F")) changes it", .quiet)]
    }
    return []
  }

  private func spans(of search: Search) -> [Span] {
    if let failure = search.failure {
      return [Span("\(search.question.text)  ", .heading), Span(failure, .failure)]
    }
    let number = search.number(of: here.step)
    var spans = [
      Span("\(search.question.text)  ", .heading),
      Span(
        (number.map { "\(grouped($0)) of " } ?? "") + counted(search.count, "hit")
          + (search.branch == .main ? "" : " in this fork")),
    ]
    if !search.unknown.isEmpty {
      spans.append(Span(", \(grouped(search.unknown.count)) unknown", .warning))
    }
    if search.isRunning, !search.goesOn {
      let percent = search.total > 0 ? search.searched * 100 / search.total : 0
      spans.append(Span(" so far, \(percent)% searched; Ctrl-C stops", .quiet))
    } else if !search.isRunning, search.searched < search.total {
      spans.append(Span(" in \(grouped(search.searched)) steps, stopped", .warning))
    } else if search.count > 0 {
      spans.append(Span("   \(key("n")) next  \(key("N")) previous", .quiet))
    }
    return spans
  }

  fileprivate var hints: [Hint] {
    let keys = input.keys
    switch overlay {
    case .list(.text, _) where listedPlace != nil:
      return KeyHelp.hints(["Enter go there", "q"], in: [KeyTable.lists], keys)
    case .list(.results, _):
      return KeyHelp.hints(["Enter", "q"], in: [KeyTable.lists], keys)
    case .list(.text, _) where searches.offersTest:
      return KeyHelp.hints(["Enter keep it as a test", "q"], in: [KeyTable.lists], keys)
    case .list(.marks, _): return KeyHelp.hints(["Enter choose", "q"], in: [KeyTable.lists], keys)
    case .list(.menu, _): return KeyHelp.hints(["Enter", "q"], in: [KeyTable.menu], keys)
    case .list: return KeyHelp.hints(["q"], in: [KeyTable.lists], keys)
    case nil: return whatCanBeDone
    }
  }

  /// The right button's choices: the hints without those that go elsewhere.
  var whatFits: [Hint] {
    if range != nil || paneSet.focus == .timeline { return whatCanBeDone }
    let isStep = paneSet.focus != .pane
    let setter = isStep || self.setter == nil ? [] : ["c who set it"]
    let own =
      (isStep ? ["x", "m mark", "* next such step", "- hide such steps"] : setter) + ["y copy"]
    let elsewhere = Set("/:?qyx".map { Key.character($0) } + [.tab, .enter])
    return whatCanBeDone.filter { !elsewhere.contains($0.key) }
      + KeyHelp.hints(own, in: keyMaps, input.keys)
  }

  var whatCanBeDone: [Hint] {
    func hints(_ parts: String...) -> [Hint] { KeyHelp.hints(parts, in: keyMaps, input.keys) }
    if range != nil, paneSet.focus != .pane {
      return hints("C", "F", "s", "i", "-", "V", "? help")
    } else if paneSet.focus == .timeline {
      return hints("↓", "Enter", "i zoom", "L", "t", "? help", "q back")
    }
    let canFork = host.status != .none && session.canReplay
    let isAnswerable = canFork && moment?.inFlight.isEmpty == false
    let row = view.row
    let set =
      canFork && row?.path.flatMap { path in moment?.state.flatMap(path.value(in:)) } != nil
      ? hints("= set") : []
    guard paneSet.focus == .pane else {
      let undo = keeping.undo.done.isEmpty ? [] : hints("z")
      let fork =
        !canFork
        ? [] : branch.isMain ? hints("f", "=") : hints("D") + undo + hints("f", "x", "=", "B")
      return fork + (isAnswerable ? hints("a") : [])
        + (moment.map { $0.step.cause != .user } == true ? hints("c") : [])
        + hints("/", ":", "Tab", "? help", "q quit")
    }
    let own =
      switch pane {
      case .effects:
        (canFork && row?.effect != nil ? hints("Enter answer") : [])
          + (row?.step == nil ? [] : hints("c")) + hints("o", "y")
      case .action: (canFork ? hints("= replace") : []) + hints("h l fold", "y", "v")
      case .reads:
        (canFork && row?.path != nil ? hints("= change") : []) + hints("h l fold", "y", "v")
      case .compare: hints("D", "C") + set + hints("* next change", "y")
      case .diff, .state, .watch:
        (isSetElsewhere && row?.fold == PaneRow.Fold.none ? hints("Enter go there") : [])
          + set + hints("* next change", "h l fold", "w", "y", "v")
      }
    return own + hints("Tab", "? help", "q back")
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
