import SessionWords
import TimeTravel
import ValueTree

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
