import SessionWords
import TimeTravel
import ValueTree

/// What a step changed, line by line.
struct DiffPane {
  var folds: Folds
  var width: Int
  private var rows: [PaneRow] = []

  static func content(_ moment: Moment, folds: Folds, width: Int) -> PaneContent {
    if let difference = moment.difference {
      var content = content(difference, folds: folds, width: width, same: "nothing changed")
      if let since = moment.since {
        content.footer = "\((since...moment.position.step).words): \(content.footer)"
      }
      return content
    }
    if moment.trouble == nil, let state = moment.state, moment.previousState == nil {
      var outline = Outline(folds: folds, width: width)
      outline.add(state)
      return PaneContent(
        rows: [.note("The session starts with this state:"), PaneRow([])] + outline.rows)
    }
    return PaneContent(rows: PaneRow.noState(moment, width: width))
  }

  static func content(
    _ difference: ValueDifference, folds: Folds, width: Int, same: String
  ) -> PaneContent {
    var pane = DiffPane(folds: folds, width: max(width, 12))
    pane.add(difference.changes[...])
    let hidden = difference.changeCount - difference.changes.count
    if hidden > 0 { pane.rows.append(.note("… \(grouped(hidden)) more changes")) }
    if difference.isEmpty { pane.rows.append(.note(same)) }
    return PaneContent(
      rows: pane.rows,
      footer:
        "\(counted(difference.changeCount, "change")), \(grouped(difference.keptCount)) unchanged")
  }

  private init(folds: Folds, width: Int) {
    self.folds = folds
    self.width = width
  }

  /// Neighbours with the same parent stand under its path, told once.
  private mutating func add(_ changes: ArraySlice<ValueChange>) {
    var rest = changes
    while let first = rest.first {
      let parent = first.path.parent
      let group = rest.prefix { $0.path.parent == parent && !$0.path.isRoot }
      if group.count > 1, !parent.isRoot {
        rows.append(heading(parent))
        for change in group { add(change, name: change.path.lastText, indent: 1) }
        rest = rest.dropFirst(group.count)
      } else {
        add(first, name: first.path.shownText, indent: 0)
        rest = rest.dropFirst()
      }
    }
  }

  private func heading(_ path: ValuePath) -> PaneRow {
    var row = PaneRow([Span(path.shownText, .place)])
    row.path = path
    return row
  }

  private mutating func add(_ change: ValueChange, name: String, indent: Int) {
    switch change.kind {
    case .added(let value): addWhole(value, change.path, name, Span("+", .added), indent)
    case .removed(let value): addWhole(value, change.path, name, Span("−", .removed), indent)
    case .changed(let old, let new): addPair(old, new, change.path, name, indent)
    case .moved(let value, let from): addMove(value, change.path, from, name, indent)
    }
  }

  private mutating func addMove(
    _ value: Value, _ path: ValuePath, _ from: ValuePath, _ name: String, _ indent: Int
  ) {
    var row = PaneRow(
      [Span(name, .key), Span("  was at \(from.shownText)  ", .quiet)], indent: indent)
    row.sign = Span("↕", .changed)
    row.spans.append(Span(ValuePreview.text(value, limit: 200), .quiet))
    row.path = path
    row.value = value
    rows.append(row)
  }

  private mutating func addWhole(
    _ value: Value, _ path: ValuePath, _ name: String, _ sign: Span, _ indent: Int
  ) {
    var outline = Outline(folds: folds, width: width)
    outline.add(value, name: Span(name.isEmpty ? "all" : name, sign.role), at: path, indent: indent)
    rows += outline.rows.map { row in
      var row = row
      row.sign = sign
      return row
    }
  }

  private mutating func addPair(
    _ old: Value, _ new: Value, _ path: ValuePath, _ name: String, _ indent: Int
  ) {
    let name = name.isEmpty ? "all" : name
    let room = max(width - indent * 2 - 4, 12)
    var row = PaneRow([Span(name, .key)], indent: indent)
    row.sign = Span("~", .changed)
    row.path = path
    row.value = new
    let before = ValuePreview.text(old, limit: room)
    let after = ValuePreview.text(new, limit: room)
    if name.count + before.count + after.count + 4 <= room {
      row.spans += [
        Span("  ", .quiet), Span(before, .removed), Span(" → ", .quiet), Span(after, .added),
      ]
      rows.append(row)
      return
    }
    rows += [row, line(Span(before, .removed), Span("−", .removed), path, old, indent + 1)]
    let added = Span("+", .added)
    guard new.childCount > 0 else {
      return rows.append(line(Span(after, .added), added, path, new, indent + 1))
    }
    // What has come is told in full.
    var outline = Outline(folds: folds, width: width)
    outline.add(new, at: path, indent: indent + 1)
    rows += outline.rows.map { row in
      var row = row
      row.sign = added
      return row
    }
  }

  private func line(
    _ span: Span, _ sign: Span, _ path: ValuePath, _ value: Value, _ indent: Int
  ) -> PaneRow {
    var line = PaneRow([span], indent: indent)
    line.sign = sign
    line.path = path
    line.value = value
    return line
  }
}

extension ValuePath {
  /// The last part alone: `quantity`, `[3]`.
  var lastText: String { ValuePath(Array(named.suffix(1))).text }

  /// As the app's language writes it: what a case holds without a name has none.
  var shownText: String { ValuePath(named).text }

  private var named: [Part] {
    let named = parts.filter { $0 != .key("_0") }
    return named.isEmpty ? parts : named
  }
}

/// What a fork has otherwise than another branch at the same place.
enum ComparePane {
  static func content(_ moment: Moment, folds: Folds, width: Int) -> PaneContent {
    guard let comparison = moment.comparison else {
      return PaneContent(rows: [.note("This is the recording: forks are compared with it.")])
    }
    if comparison.isShared {
      return PaneContent(rows: [
        .note("“\(comparison.branch)” has this very step: the fork leaves it later.")
      ])
    }
    guard let other = comparison.other else {
      return PaneContent(rows: [.note("“\(comparison.branch)” has no step at this place.")])
    }
    let label = comparison.otherLabel ?? ""
    var header = PaneRow([Span("\(other.branch) \(grouped(other.step)) \(label)", .removed)])
    header.sign = Span("−", .removed)
    header.step = other.step
    var fork = PaneRow([
      Span(
        "\(moment.position.branch) \(grouped(moment.position.step)) \(moment.step.label)", .added)
    ])
    fork.sign = Span("+", .added)
    var heads = [header, fork]
    if !comparison.hasCounterpart {
      heads += PaneRow.lines(
        "“\(other.branch)” has no step at this place: its last one before it is compared.", .quiet,
        width: width)
    }
    heads.append(PaneRow([]))
    guard let difference = comparison.difference else {
      return PaneContent(rows: heads + [.note("A state is missing on one side.")])
    }
    let content = DiffPane.content(
      difference, folds: folds, width: width, same: "both states are equal")
    return PaneContent(rows: heads + content.rows, footer: content.footer)
  }
}

/// The parts of the state that the person wants to see at every step.
enum WatchPane {
  static func content(
    _ moment: Moment, _ watched: [Watched], folds: Folds, width: Int
  ) -> PaneContent {
    guard !watched.isEmpty else {
      return PaneContent(rows: [
        .note("Nothing is watched yet."),
        .note("As in :watch cart.total, or in State on the value itself."),
      ])
    }
    guard let state = moment.state else {
      return PaneContent(rows: PaneRow.noState(moment, width: width))
    }
    let rows = watched.flatMap { watched in
      var rows = part(watched.path, state, moment.previousState, folds: folds, width: width)
      if let since = watched.since, !rows.isEmpty {
        let here = moment.position.step
        rows[0].spans.append(
          Span(
            since == here ? "" : "   since \(grouped(since)), \(counted(here - since, "step"))",
            .quiet))
        rows[0].step = since
      }
      return rows
    }
    return PaneContent(rows: rows, footer: "\(grouped(watched.count)) watched")
  }

  private static func part(
    _ path: ValuePath, _ state: Value, _ before: Value?, folds: Folds, width: Int
  ) -> [PaneRow] {
    let name = path.isRoot ? "all" : path.shownText
    guard let value = path.value(in: state) else {
      var row = PaneRow([Span(name, .key), Span(": ", .quiet), Span("not there", .quiet)])
      row.path = path
      return [row]
    }
    let old = before.map { path.value(in: $0) }
    var changed: [ValuePath: Span] = [:]
    if let old, old != value { changed[path] = Span("~", .changed) }
    var outline = Outline(folds: folds, changed: changed, width: width)
    outline.add(value, name: Span(name, .key), at: path)
    var rows = outline.rows
    if let old, old != value, !rows.isEmpty {
      let words = old.map { ValuePreview.text($0, limit: 40) } ?? "not there"
      rows[0].spans.append(Span("   was \(words)", .quiet))
    }
    return rows
  }
}
