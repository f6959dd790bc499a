import SessionWords
import TimeTravel
import ValueTree

extension PaneWriter {
  mutating func writeDiff(of moment: Moment) {
    if let difference = moment.difference {
      write(difference, same: moment.since == nil ? Self.reason(moment.step) : "nothing changed")
      if let since = moment.since {
        content.footer = "\((since...moment.position.step).words): \(content.footer)"
      }
    } else if moment.trouble == nil, let state = moment.state, moment.previousState == nil {
      remark(
        moment.isFirst
          ? "The session starts with this state:" : "The state before is not known. This one:")
      add()
      outline(state)
    } else {
      writeNoState(moment)
    }
  }

  /// Why a step changed nothing.
  private static func reason(_ step: Step) -> String {
    if step.isSkipped { return "This step is skipped: its action did not run." }
    if step.error != nil { return "The reducer failed, so the state stayed as it was." }
    return "The reducer returned the same state."
  }

  /// Groups neighbours under their common parent's path.
  mutating func write(_ difference: ValueDifference, same: String) {
    var rest = difference.changes[...]
    while let first = rest.first {
      let parent = first.path.parent
      let group = rest.prefix { $0.path.parent == parent && !$0.path.isRoot }
      if group.count > 1, !parent.isRoot {
        add(PaneRow([Span(parent.shownText, .place)], at: parent))
        for change in group { write(change, name: change.path.lastText, indent: 1) }
        rest = rest.dropFirst(group.count)
      } else {
        write(first, name: first.path.shownText, indent: 0)
        rest = rest.dropFirst()
      }
    }
    let hidden = difference.changeCount - difference.changes.count
    if hidden > 0 { remark("… \(grouped(hidden)) more changes") }
    if difference.isEmpty { remark(same) }
    content.footer =
      "\(counted(difference.changeCount, "change")), \(grouped(difference.keptCount)) unchanged"
  }

  private mutating func write(_ change: ValueChange, name: String, indent: Int) {
    let name = name.isEmpty ? "all" : name
    func whole(_ value: Value, _ sign: String, _ role: Span.Role) {
      outline(value, Span(name, role), at: change.path, indent: indent, sign: Span(sign, role))
    }
    switch change.kind {
    case .added(let value): whole(value, "+", .added)
    case .removed(let value): whole(value, "−", .removed)
    case .changed(let old, let new): writePair(old, new, change.path, name, indent)
    case .moved(let value, let from):
      let words = "  was at \(from.shownText)  " + ValuePreview.text(value, limit: 200)
      add(
        PaneRow(
          [Span(name, .key), Span(words, .quiet)], indent: indent, sign: Span("↕", .changed),
          at: change.path, value: value))
    }
  }

  /// Both in a room; long ones from shortly before their first difference.
  private static func texts(_ old: Value, _ new: Value, room: Int) -> (String, String) {
    func both(_ limit: Int) -> (String, String) {
      (ValuePreview.text(old, limit: limit), ValuePreview.text(new, limit: limit))
    }
    var (before, after) = both(2_000)
    switch (old, new) {
    // A preview of a deep value must be short.
    case (.array, _), (.object, _), (_, .array), (_, .object): break
    default: if before == after { (before, after) = both(1 << 20) }
    }
    if before == after { return (both(room).0, "the same up to there, and different later") }
    let common = zip(before, after).prefix { $0 == $1 }.count
    guard max(before.count, after.count) > room, common > room * 2 / 3 else {
      return both(room)
    }
    func end(_ text: String) -> String { "…\(text.dropFirst(common - room / 3).prefix(2_000))" }
    return (end(before), end(after))
  }

  private mutating func writePair(
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
      return add(row)
    }
    func line(_ text: String, _ sign: String, _ role: Span.Role, _ value: Value) -> PaneRow {
      PaneRow(
        [Span(text, role)], indent: indent + 1, sign: Span(sign, role), at: path, value: value)
    }
    add(row)
    add(line(before, "−", .removed, old))
    if new.childCount > 0 {
      outline(new, at: path, indent: indent + 1, sign: Span("+", .added))
    } else {
      add(line(after, "+", .added, new))
    }
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

extension PaneWriter {
  mutating func writeComparison(of moment: Moment) {
    guard let comparison = moment.comparison else {
      return remark("This is the recording. Open a fork to compare it.")
    }
    if comparison.isShared {
      let leavesAt = branches.first { $0.id == moment.position.branch }?.script?.leavesAt
      let why =
        leavesAt.map { $0 < moment.position.step } == true
        ? "both are the same again." : "the fork starts later."
      return remark("“\(branches.name(of: comparison.branch))” shares this step: \(why)")
    }
    guard let other = comparison.other else {
      return remark("“\(branches.name(of: comparison.branch))” has no step here.")
    }
    let label = comparison.otherLabel
    let isSame = comparison.difference?.isEmpty == true && label == moment.step.label
    var head = head(other, label ?? "", isSame ? "=" : "−", isSame ? .plain : .removed)
    head.step = other.step
    add(head)
    add(self.head(moment.position, moment.step.label, isSame ? "=" : "+", isSame ? .plain : .added))
    if !comparison.hasCounterpart {
      wrap(
        "“\(branches.name(of: other.branch))” has no step here: its last step before is compared.",
        .quiet)
    }
    add()
    guard let difference = comparison.difference else {
      return remark("A state is missing on one side.")
    }
    write(difference, same: "both states are equal")
  }

  private func head(
    _ position: Position, _ label: String, _ sign: String, _ role: Span.Role
  ) -> PaneRow {
    let place = "\(branches.name(of: position.branch)) \(grouped(position.step)) "
    let label = StepLabels.shortened(label, to: max(12, width - place.count))
    return PaneRow([Span(place + label, role)], sign: Span(sign, role))
  }

  mutating func writeWatched(_ watched: [Watched], of moment: Moment) {
    guard !watched.isEmpty else {
      remark("Nothing is watched yet.")
      return remark("As in :watch cart.total, or in State on the value itself.")
    }
    guard let state = moment.state else { return writeNoState(moment) }
    for watched in watched {
      var row = content.rows.count
      if let words = watched.words {
        add(PaneRow([Span(watched.path.shownName, .key), Span(": \(words)")], at: watched.path))
      } else {
        row = write(watched.path, in: state, moment.previousState)
      }
      guard let since = watched.since else { continue }
      let here = moment.position.step
      content.rows[row].spans.append(
        Span(
          since == here ? "" : "   since \(grouped(since)), \(counted(here - since, "step"))",
          .quiet))
      content.rows[row].step = since
    }
    content.footer = "\(grouped(watched.count)) watched"
  }

  /// Returns the first row.
  private mutating func write(_ path: ValuePath, in state: Value, _ before: Value?) -> Int {
    let name = Span(path.shownName, .key)
    guard let value = path.value(in: state) else {
      add(PaneRow([name, Span(": not there", .quiet)], at: path))
      return content.rows.count - 1
    }
    let old = before.map { path.value(in: $0) }
    guard let old, old != value else { return outline(value, name, at: path) }
    let row = outline(value, name, at: path, changed: [path: Span("~", .changed)])
    let words = old.map { ValuePreview.text($0, limit: 40) } ?? "not there"
    content.rows[row].spans.append(Span("   was \(words)", .quiet))
    return row
  }
}
