import SessionWords
import TimeTravel
import ValueTree

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

  /// Groups neighbours under their common parent's path.
  private mutating func add(_ changes: ArraySlice<ValueChange>) {
    var rest = changes
    while let first = rest.first {
      let parent = first.path.parent
      let group = rest.prefix { $0.path.parent == parent && !$0.path.isRoot }
      if group.count > 1, !parent.isRoot {
        rows.append(PaneRow([Span(parent.shownText, .place)], at: parent))
        for change in group { add(change, name: change.path.lastText, indent: 1) }
        rest = rest.dropFirst(group.count)
      } else {
        add(first, name: first.path.shownText, indent: 0)
        rest = rest.dropFirst()
      }
    }
  }

  private mutating func add(_ change: ValueChange, name: String, indent: Int) {
    let name = name.isEmpty ? "all" : name
    switch change.kind {
    case .added(let value):
      rows += outline(value, Span(name, .added), Span("+", .added), change.path, indent)
    case .removed(let value):
      rows += outline(value, Span(name, .removed), Span("−", .removed), change.path, indent)
    case .changed(let old, let new): addPair(old, new, change.path, name, indent)
    case .moved(let value, let from):
      let words = "  was at \(from.shownText)  " + ValuePreview.text(value, limit: 200)
      rows.append(
        PaneRow(
          [Span(name, .key), Span(words, .quiet)], indent: indent, sign: Span("↕", .changed),
          at: change.path, value: value))
    }
  }

  private func outline(
    _ value: Value, _ name: Span?, _ sign: Span, _ path: ValuePath, _ indent: Int
  ) -> [PaneRow] {
    var outline = Outline(folds: folds, sign: sign, width: width)
    outline.add(value, name: name, at: path, indent: indent)
    return outline.rows
  }

  /// Both in a room; long ones from shortly before their first difference.
  private static func texts(_ old: Value, _ new: Value, room: Int) -> (String, String) {
    let (before, after) = (
      ValuePreview.text(old, limit: 2_000), ValuePreview.text(new, limit: 2_000)
    )
    let common = zip(before, after).prefix { $0 == $1 }.count
    guard max(before.count, after.count) > room, common > room * 2 / 3 else {
      return (ValuePreview.text(old, limit: room), ValuePreview.text(new, limit: room))
    }
    func end(_ text: String) -> String { "…\(text.dropFirst(common - room / 3))" }
    return (end(before), end(after))
  }

  private mutating func addPair(
    _ old: Value, _ new: Value, _ path: ValuePath, _ name: String, _ indent: Int
  ) {
    let room = max(width - indent * 2 - 4, 12)
    var row = PaneRow(
      [Span(name, .key)], indent: indent, sign: Span("~", .changed), at: path, value: new)
    let (before, after) = Self.texts(old, new, room: room)
    if name.count + before.count + after.count + 4 <= room {
      row.spans += [
        Span("  ", .quiet), Span(before, .removed), Span(" → ", .quiet), Span(after, .added),
      ]
      rows.append(row)
      return
    }
    func line(_ text: String, _ sign: String, _ role: Span.Role, _ value: Value) -> PaneRow {
      PaneRow(
        [Span(text, role)], indent: indent + 1, sign: Span(sign, role), at: path, value: value)
    }
    rows += [row, line(before, "−", .removed, old)]
    rows +=
      new.childCount > 0
      ? outline(new, nil, Span("+", .added), path, indent + 1) : [line(after, "+", .added, new)]
  }
}

extension ValuePath {
  var lastText: String { ValuePath(Array(named.suffix(1))).text }

  /// In the app's notation: unnamed payloads have no name.
  var shownText: String { ValuePath(named).text }

  var shownName: String { isRoot ? "all" : shownText }

  private var named: [Part] {
    let named = parts.filter { $0 != .key("_0") }
    return named.isEmpty ? parts : named
  }
}

enum ComparePane {
  static func content(_ moment: Moment, folds: Folds, width: Int) -> PaneContent {
    guard let comparison = moment.comparison else {
      return PaneContent(rows: [.note("This is the recording. Open a fork to compare it.")])
    }
    if comparison.isShared {
      return PaneContent(rows: [
        .note("“\(comparison.branch)” shares this step: the fork starts later.")
      ])
    }
    guard let other = comparison.other else {
      return PaneContent(rows: [.note("“\(comparison.branch)” has no step here.")])
    }
    func head(
      _ position: Position, _ label: String, _ sign: String, _ role: Span.Role
    ) -> PaneRow {
      let place = "\(position.branch) \(grouped(position.step)) "
      let label = StepLabels.shortened(label, to: max(12, width - place.count))
      return PaneRow([Span(place + label, role)], sign: Span(sign, role))
    }
    let isSame =
      comparison.difference?.isEmpty == true
      && comparison.otherLabel == moment.step.label
    var heads = [
      head(other, comparison.otherLabel ?? "", isSame ? "=" : "−", isSame ? .plain : .removed),
      head(moment.position, moment.step.label, isSame ? "=" : "+", isSame ? .plain : .added),
    ]
    heads[0].step = other.step
    if !comparison.hasCounterpart {
      heads += PaneRow.lines(
        "“\(other.branch)” has no step here: its last step before is compared.", .quiet,
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
    let name = path.shownName
    guard let value = path.value(in: state) else {
      return [PaneRow([Span(name, .key), Span(": not there", .quiet)], at: path)]
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
