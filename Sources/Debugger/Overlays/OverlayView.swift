import SessionWords
import TextCanvas
import TimeTravel

enum OverlayView {
  static func draw(
    _ overlay: Overlay, _ state: DebuggerState, _ layout: Layout, on canvas: inout Canvas
  ) {
    switch overlay {
    case .help(let top):
      let lines = HelpText.lines(for: state)
      box("help", rows: lines.count, width: HelpText.width(lines), on: &canvas) { canvas in
        drawScrolling(lines, top: top, on: &canvas)
      }
    case .text(let title, let lines, let top):
      let most = max(20, min(canvas.size.width - 4, 100))
      let wrapped = lines.flatMap { Self.wrapped($0, width: most) }
      let width = wrapped.map { SafeText.width($0) }.max() ?? 0
      box(title, rows: wrapped.count, width: width, on: &canvas) { canvas in
        drawScrolling(wrapped.map { [Span($0)] }, top: top, on: &canvas)
        for (row, line) in wrapped.dropFirst(top).prefix(canvas.size.height).enumerated() {
          canvas.link(
            SourceLine(in: line), in: line, at: Point(column: 0, row: row), state.reading.sources)
        }
      }
    case .branches(let selected):
      drawBranches(selected: selected, state, on: &canvas)
    case .marks(let selected):
      let lines = state.sortedMarks.map { markLine($0, state) }
      let width = max(HelpText.width(lines), 56)
      box("marks", rows: max(lines.count, 1), width: width, on: &canvas) { canvas in
        if lines.isEmpty {
          canvas.write("No marks yet: \(state.key("m")) marks a step.", at: .origin)
        }
        drawList(lines, selected: selected, on: &canvas)
      }
    case .menu(let menu): MenuView.draw(menu, state, on: &canvas)
    case .fork(let form):
      if !form.isUnasked { ForkFormView.draw(form, state, on: &canvas) }
    }
  }

  static func box(
    _ title: String, rows: Int, width: Int, on canvas: inout Canvas,
    draw: (inout Canvas) -> Void
  ) {
    let screen = canvas.size
    let width = min(max(width, title.count + 4) + 4, screen.width)
    let height = min(rows + 2, screen.height - 1)
    let frame = Rectangle(
      column: (screen.width - width) / 2, row: max(0, (screen.height - 1 - height) / 2),
      width: width, height: height)
    canvas.fill(frame)
    canvas.box(frame, title: title)
    canvas.inside(frame.inset(columns: 2), draw: draw)
  }

  static func wrapped(_ text: String, width: Int) -> [String] {
    let indent = String(text.prefix { $0 == " " })
    var lines: [String] = []
    var line = indent
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
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

  private static func drawScrolling(_ lines: [[Span]], top: Int, on canvas: inout Canvas) {
    let height = canvas.size.height
    let top = min(top, max(0, lines.count - height))
    for (row, line) in lines.dropFirst(top).prefix(height).enumerated() {
      canvas.write(line, at: Point(column: 0, row: row), width: canvas.size.width)
    }
    if top + height < lines.count {
      let more = " ↓ \(lines.count - top - height) more "
      canvas.write(
        more, at: Point(column: canvas.size.width - more.count, row: height - 1),
        style: .plain.reverse)
    }
  }

  private static func drawBranches(selected: Int, _ state: DebuggerState, on canvas: inout Canvas) {
    let rows = state.branchRows
    let width = canvas.size.width < 100 ? canvas.size.width - 4 : canvas.size.width - 30
    box("branches", rows: rows.count + 2, width: width, on: &canvas) { canvas in
      let area = canvas.bounds.split(top: max(1, canvas.size.height - 2)).top
      ListView(count: rows.count, selected: selected).draw(in: area, on: &canvas) {
        $2.write(line(of: rows[$0], state), at: $1.origin, width: $1.width)
      }
      drawHints(
        ["Enter", "d", "r", "M", "z", "q"], in: KeyTable.lists, state.input.keys, on: &canvas)
    }
  }

  static func drawHints(
    _ parts: [String], in map: KeyMap<DebuggerUpdate>, _ keys: UserKeys, on canvas: inout Canvas
  ) {
    var column = 0
    for hint in HelpText.hints(parts, in: [map], keys) {
      let room = canvas.size.width - column
      let place = Rectangle(
        column: column, row: canvas.size.height - 1,
        width: min(SafeText.width(hint.text), max(0, room)), height: 1)
      canvas.write(hint.text, at: place.origin, style: .plain.dim, width: room)
      canvas.link(place, to: .key(hint.key))
      column = place.right + 3
    }
  }

  private static func line(of row: BranchRow, _ state: DebuggerState) -> [Span] {
    let branch = state.branches[row.branch]
    guard let script = branch.script else { return branchLine(branch, state) }
    let words = EditWords(branch: branch) { state.reading.pages[script.parent, $0]?.label }
    switch row {
    case .branch: return branchLine(branch, state)
    case .edit(_, let edits):
      let count = edits.count > 1 ? "  \(counted(edits.count, "step"))" : ""
      return [Span("    ")] + words.spans(ofEdits: edits) + [Span(count, .quiet)]
    case .leftOut(_, let index): return [Span("    ")] + words.leftOut(index)
    }
  }

  static func drawList(_ lines: [[Span]], selected: Int, on canvas: inout Canvas) {
    ListView(count: lines.count, selected: selected).draw(in: canvas.bounds, on: &canvas) {
      $2.write(lines[$0], at: $1.origin, width: $1.width)
    }
  }

  private static func branchLine(_ branch: Branch, _ state: DebuggerState) -> [Span] {
    let isHere = branch.name == state.here.branch
    let name = Span(branch.name, .heading, color: state.color(of: branch.name))
    var spans = [Span(isHere ? "▸ " : "  "), name]
    if let note = branch.note { spans.append(Span("  “\(note)”", .string)) }
    if let script = branch.script {
      let own = branch.steps.upperBound - script.leavesAt
      spans.append(
        Span(
          "  leaves \(script.parent) at \(grouped(script.leavesAt))"
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
    if branch.progress == .complete, let first = branch.firstDifferent {
      let words =
        first.isEnd ? "ends before its parent" : "first difference at \(grouped(first.step))"
      spans.append(Span("  \(words)", .warning))
    }
    if let doubt = branch.report?.doubt({ $0.settling + "." }) {
      spans.append(Span("  \(doubt)", .warning))
    }
    return spans
  }

  private static func markLine(
    _ mark: (position: Position, note: String), _ state: DebuggerState
  ) -> [Span] {
    let label = state.reading.pages[mark.position.branch, mark.position.step]?.label ?? ""
    return [
      Span("▲ ", .number), Span(mark.position.text, .heading), Span("  \(label)  "),
      Span(mark.note, .quiet),
    ]
  }
}

struct ListView {
  var count: Int
  var selected: Int
  var firstChoice = 0

  func draw(
    in area: Rectangle, on canvas: inout Canvas, selectedAs look: KeyPath<Style, Style> = \.reverse,
    line: (Int, Rectangle, inout Canvas) -> Void
  ) {
    let top = max(0, min(selected - area.height / 2, count - area.height))
    for (row, index) in (top..<count).prefix(area.height).enumerated() {
      let place = area.line(row)
      line(index, place, &canvas)
      canvas.link(place, to: .choice(firstChoice + index))
      if index == selected { canvas.restyle(place) { $0[keyPath: look] } }
    }
  }
}

extension DebuggerState {
  /// A step shared with the parent has the parent's mark.
  func mark(at position: Position) -> String? {
    if let mark = keeping.marks[position] { return mark }
    return self[branch: position.branch]?.parent(of: position.step).flatMap(mark)
  }

  var sortedMarks: [(position: Position, note: String)] {
    keeping.marks.map { (position: $0.key, note: $0.value) }.sorted {
      ($0.position.branch == Branch.main ? 0 : 1, $0.position.branch, $0.position.step)
        < ($1.position.branch == Branch.main ? 0 : 1, $1.position.branch, $1.position.step)
    }
  }
}
