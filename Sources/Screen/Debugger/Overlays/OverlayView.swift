import SessionWords
import TextCanvas
import TimeTravel

extension Painter {
  mutating func draw(_ overlay: Overlay) {
    switch overlay {
    case .list(.help, let top):
      let lines = KeyHelp.lines(for: state)
      box("help", rows: lines.count, width: lines.width) { $0.drawScrolling(lines, top: top) }
    case .list(.text(let title, let lines), let line): draw(lines, title, selected: line)
    case .list(.results, let selected):
      let lines = state.searches.results.map { result in
        let about = result.about.isEmpty ? "" : ": \(result.about)"
        return [Span(result.title, .heading), Span("\(about)  \(result.words)")]
      }
      box("results", rows: lines.count, width: lines.width) {
        $0.drawList(lines, selected: selected)
      }
    case .list(.branches, let selected): drawBranches(selected: selected)
    case .list(.marks, let selected):
      let lines = state.sortedMarks.map { markLine($0) }
      let none = "No marks yet: \(state.key("m")) marks a step."
      box("marks", rows: max(lines.count, 1), width: max(lines.width, 56)) {
        if lines.isEmpty { $0.canvas.write(none, at: .origin) }
        $0.drawList(lines, selected: selected)
      }
    case .list(.sessions, let selected): drawSessions(selected: selected)
    case .list(.menu(let menu), let selected): draw(menu, selected: selected)
    }
  }

  /// Wraps long lines. If some have a step, the selected line is marked.
  private mutating func draw(_ lines: [ListLine], _ title: String, selected: Int) {
    let most = max(20, min(canvas.size.width - 4, 100))
    let wrapped = lines.map { $0.text.wrapped(to: most) }
    let rows = wrapped.flatMap(\.self)
    let shown = rows.map { [Span($0, $0.hasPrefix("  ") ? .quiet : .plain)] }
    let isChoice = lines.contains { $0.place != nil }
    var top = wrapped.prefix(selected).reduce(0) { $0 + $1.count }
    box(title, rows: rows.count, width: shown.width) {
      let own = top..<top + (wrapped.indices.contains(selected) ? wrapped[selected].count : 0)
      if isChoice { top = max(0, own.lowerBound - $0.canvas.size.height / 2) }
      top = min(top, max(0, rows.count - $0.canvas.size.height))
      $0.drawScrolling(shown, top: top)
      for (row, line) in rows.dropFirst(top).prefix($0.canvas.size.height).enumerated() {
        $0.link(SourceLine(in: line), in: line, at: Point(column: 0, row: row))
        if isChoice, own.contains(row + top) {
          $0.canvas.restyle($0.canvas.bounds.line(row)) { $0.asSelected }
        }
      }
    }
  }

  mutating func box(_ title: String, rows: Int, width: Int, draw: (inout Painter) -> Void) {
    let screen = canvas.size
    let width = min(max(width, title.count + 4) + 4, screen.width)
    let height = min(rows + 2, screen.height - 1)
    let frame = Rectangle(
      column: (screen.width - width) / 2, row: max(0, (screen.height - 1 - height) / 2),
      width: width, height: height)
    box(frame, title, draw: draw)
  }

  mutating func box(_ frame: Rectangle, _ title: String, draw: (inout Painter) -> Void) {
    canvas.fill(frame)
    canvas.box(frame, title: title)
    inside(frame.inset(columns: 2), draw: draw)
  }

  private mutating func drawScrolling(_ lines: [[Span]], top: Int) {
    let height = canvas.size.height
    let top = min(top, max(0, lines.count - height))
    let rest = lines.count - top - height
    let more = rest > 0 ? " ↓ \(rest) more " : ""
    for (row, line) in lines.dropFirst(top).prefix(height).enumerated() {
      let room = canvas.size.width - (row == height - 1 ? more.count : 0)
      canvas.write(line, at: Point(column: 0, row: row), width: room)
    }
    canvas.write(
      more, at: Point(column: canvas.size.width - more.count, row: height - 1),
      style: .plain.reverse)
  }

  private mutating func drawBranches(selected: Int) {
    let lines = state.branchRows.map { line(of: $0) }
    box("branches", rows: lines.count + 2, width: max(lines.width, Self.hintsOfBranches)) {
      let area = $0.canvas.bounds.split(top: max(1, $0.canvas.size.height - 2)).top
      $0.drawList(lines.count, selected: selected, in: area) { painter, index, place in
        painter.canvas.write(lines[index], at: place.origin, width: place.width)
      }
      $0.drawHints(["Enter", "d", "r", "M", "z", "q"], in: KeyTable.lists)
    }
  }

  /// Room for the keys below the branches.
  private static let hintsOfBranches = 72

  /// At the bottom of a box.
  mutating func drawHints(_ parts: [String], in map: KeyMap<DebuggerUpdate>) {
    var column = 0
    for hint in KeyHelp.hints(parts, in: [map], state.input.keys) {
      let width = min(SafeText.width(hint.text), max(0, canvas.size.width - column))
      draw(hint, at: canvas.bounds.point(column, canvas.size.height - 1), width: width)
      column += width + 3
    }
  }

  private func line(of row: BranchRow) -> [Span] {
    let branch = state.branches[row.branch]
    guard let script = branch.script else { return line(of: branch) }
    let words = EditWords(branch: branch, branches: state.branches) {
      state.reading.pages[script.parent, $0]?.label
    }
    switch row {
    case .branch: return line(of: branch)
    case .edit(_, let edits):
      let count = edits.count > 1 ? "  \(counted(edits.count, "step"))" : ""
      return [Span("    ")] + words.spans(ofEdits: edits) + [Span(count, .quiet)]
    case .leftOut(_, let index): return [Span("    ")] + words.leftOut(index)
    }
  }

  mutating func drawList(_ lines: [[Span]], selected: Int) {
    drawList(lines.count, selected: selected, in: canvas.bounds) {
      $0.canvas.write(lines[$1], at: $2.origin, width: $2.width)
    }
  }

  /// Lines with links to choose them; `first` is the number of the first choice.
  mutating func drawList(
    _ count: Int, selected: Int, in area: Rectangle, first: Int = 0,
    selectedAs look: KeyPath<Style, Style> = \.asSelected,
    line: (inout Painter, Int, Rectangle) -> Void
  ) {
    let top = max(0, min(selected - area.height / 2, count - area.height))
    for (row, index) in (top..<count).prefix(area.height).enumerated() {
      let place = area.line(row)
      line(&self, index, place)
      canvas.link(place, to: .choice(first + index))
      if index == selected { canvas.restyle(place) { $0[keyPath: look] } }
    }
  }

  private func line(of branch: Branch) -> [Span] {
    let isHere = branch.id == state.here.branch
    let name = Span(branch.name, .heading, color: state.color(of: branch.id))
    var spans = [Span(isHere ? "▸ " : "  "), name]
    if let note = branch.note { spans.append(Span("  “\(note)”", .string)) }
    if let script = branch.script {
      let own = branch.steps.upperBound - script.leavesAt
      spans.append(
        Span(
          "  leaves \(state.name(of: script.parent)) at \(grouped(script.leavesAt))"
            + (branch.isNotRun ? "" : ", " + counted(own, "step")), .quiet))
    } else {
      spans.append(Span("  the recording, \(counted(branch.steps.upperBound, "step"))", .quiet))
    }
    let enter = state.key("Enter", in: KeyTable.lists)
    switch branch.progress {
    case .complete: break
    case .notRun: spans.append(Span("  saved; \(enter) runs it", .quiet))
    case .running: spans.append(Span("  running …", .warning))
    case .stopped: spans.append(Span("  stopped; \(enter) runs it again", .warning))
    case .ended(let reason): spans.append(Span("  ✗ \(reason)", .failure))
    }
    if let problem = branch.notKept { spans.append(Span("  not saved: \(problem)", .warning)) }
    if branch.progress == .complete {
      let words = branch.firstDifference(from: state.name(of: branch.script?.parent ?? .main))
      spans.append(Span(words.isEmpty ? "" : "  \(words)", .warning))
    }
    if let doubt = branch.report?.doubt({ $0.settling + "." }) {
      spans.append(Span("  \(doubt)", .warning))
    }
    return spans
  }

  private func markLine(_ mark: (position: Position, note: String)) -> [Span] {
    let label = state.reading.pages[mark.position.branch, mark.position.step]?.label ?? ""
    return [
      Span("▲ ", .number), Span(state.text(of: mark.position), .heading), Span("  \(label)  "),
      Span(mark.note, .quiet),
    ]
  }
}

extension String {
  func wrapped(to width: Int) -> [String] {
    if SafeText.width(self, upTo: width + 1) <= width { return [self] }
    let indent = String(prefix { $0 == " " })
    var lines: [String] = []
    var line = indent
    for word in split(separator: " ", omittingEmptySubsequences: true) {
      let isEmpty = line == indent
      let longer = isEmpty ? line + word : "\(line) \(word)"
      if isEmpty || SafeText.width(longer, upTo: width + 1) <= width {
        line = longer
      } else {
        lines.append(line)
        line = indent + word
      }
    }
    return lines + [line]
  }
}

extension [[Span]] {
  /// The width of the widest line.
  var width: Int { map { $0.width() }.max() ?? 0 }
}

extension DebuggerState {
  /// A step shared with the parent has the parent's mark.
  func mark(at position: Position) -> String? {
    if let mark = keeping.marks[position] { return mark }
    return self[branch: position.branch]?.parent(of: position.step).flatMap(mark)
  }

  var sortedMarks: [(position: Position, note: String)] {
    func order(_ position: Position) -> (Int, String, Int) {
      (position.branch == .main ? 0 : 1, name(of: position.branch), position.step)
    }
    return keeping.marks.map { (position: $0.key, note: $0.value) }
      .sorted { order($0.position) < order($1.position) }
  }
}
