import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

struct PaneView: Sendable {
  private struct Key: Hashable {
    var position: Position
    var since: Int?
    var width: Int
    var folds: Folds
    var watched: [Watched]
    var note: String?
  }

  private var key: Key?
  private var isOld = false
  private(set) var content = PaneContent()
  var cursor = 0
  var top = 0
  private var folds = Folds()
  var search: PaneSearch?
  private var target: ValuePath?
  /// Whether the first change comes into sight, once the height is known.
  private var showsChange = false

  var row: PaneRow? { content.rows.indices.contains(cursor) ? content.rows[cursor] : nil }

  func isStale(at position: Position) -> Bool { key?.position != position }

  /// Rebuilds the content if needed; the cursor stays in place.
  mutating func refresh(
    _ moment: Moment, pane: Pane, watched: [Watched], note: String? = nil, in branches: [Branch],
    width: Int, hasFocus: Bool = true, settling: @escaping (Assumption) -> String = { $0.settling }
  ) {
    let key = Key(
      position: moment.position, since: moment.since, width: width, folds: folds, watched: watched,
      note: note)
    guard key != self.key || isOld || target != nil else { return }
    isOld = false
    showsChange = pane == .state && !hasFocus && key.position != self.key?.position
    let place = target ?? row?.path
    target = nil
    var writer = PaneWriter(
      folds: folds, width: width, branches: branches, note: note, settling: settling)
    writer.write(pane, of: moment, watched: watched)
    content = writer.content
    self.key = key
    if let place, let index = content.rows.firstIndex(where: { $0.path == place }) {
      cursor = index
    }
    cursor = min(cursor, max(0, content.rows.count - 1))
  }

  mutating func forget() { isOld = true }

  mutating func turn(_ row: PaneRow) {
    guard let path = row.path else { return }
    switch row.fold {
    case .none: break
    case .open, .closed: folds.open[path] = row.fold == .closed
    case .page(let start, let child):
      target = child
      folds.starts[path] = start
    }
  }

  mutating func reveal(_ path: ValuePath, in value: Value) {
    for count in path.parts.indices {
      var holder = ValuePath(Array(path.parts.prefix(count)))
      folds.open[holder] = true
      let index = holder.value(in: value)?.index(of: path.parts[count]) ?? 0
      let start = index / Outline.pageLength * Outline.pageLength
      folds.starts[holder] = start
      // The outermost line shows the payload of nested cases.
      while holder.parts.last == .key("_0") {
        holder = ValuePath(Array(holder.parts.dropLast(2)))
        folds.starts[holder] = start
      }
    }
    target = path
  }

  mutating func moveCursor(by offset: Int) {
    cursor = min(max(cursor + offset, 0), max(0, content.rows.count - 1))
  }

  mutating func scroll(by rows: Int, height: Int) {
    top = min(max(top + rows, 0), max(0, content.rows.count - height))
    cursor = min(max(cursor, top), top + max(height, 1) - 1)
    moveCursor(by: 0)
  }

  mutating func scroll(height: Int) {
    let height = max(1, height)
    top = min(top, max(0, content.rows.count - height))
    if showsChange {
      showsChange = false
      let changes = content.changes
      if let first = changes.first, !changes.contains(where: (top..<top + height).contains) {
        cursor = first
        top = min(max(0, first - height / 3), max(0, content.rows.count - height))
      }
    }
    if cursor < top { top = cursor }
    if cursor >= top + height { top = cursor - height + 1 }
    top = max(0, top)
  }
}

extension PaneView {
  /// `↑ 1 change ↓ 2 changes` for those out of sight.
  func unseen(height: Int) -> String {
    let changes = content.changes
    let (above, below) = (changes.count { $0 < top }, changes.count { $0 >= top + height })
    return [("↑", above), ("↓", below)].filter { $0.1 > 0 }
      .map { "\($0) \(counted($1, "change"))" }.joined(separator: "  ")
  }
}

/// The user's folding and paging, by place: valid for every step and screen size.
struct Folds: Sendable, Hashable {
  var open: [ValuePath: Bool] = [:]
  /// The first member shown of a long list.
  var starts: [ValuePath: Int] = [:]
}

extension Painter {
  mutating func drawContent(_ shown: Layout.PanePlace) {
    let area = shown.content
    guard !area.isEmpty else { return }
    let view = state.paneSet[shown.seen]
    let hasFocus = state.paneSet.focus == .pane && shown.seen == state.pane
    let rows = view.content.rows
    let isStale = state.reading.late == state.here && view.isStale(at: state.here)
    for line in 0..<area.height {
      let index = view.top + line
      guard rows.indices.contains(index) else { break }
      let place = area.line(line)
      inside(place) { $0.draw(rows[index]) }
      if isStale {
        canvas.restyle(place) { _ in .plain.dim }
      } else if index == view.cursor, hasFocus {
        canvas.restyle(place) { $0.asSelected }
      }
    }
  }

  private mutating func draw(_ row: PaneRow) {
    if let sign = row.sign { canvas.write(sign.text, at: .origin, style: sign.role.style) }
    let start = Point(column: row.foldColumns.upperBound, row: 0)
    if row.fold == .open || row.fold == .closed {
      let sign = Point(column: row.foldColumns.lowerBound, row: 0)
      canvas.write(row.fold == .open ? "▾" : "▸", at: sign, style: .plain.dim)
    }
    canvas.write(row.spans, at: start, width: canvas.size.width - start.column)
    link(row.place, in: row.text, at: start)
  }
}

extension PaneRow {
  /// The sign of the fold; the text follows it, with or without one.
  var foldColumns: Range<Int> { 1 + indent * 2..<3 + indent * 2 }
}
