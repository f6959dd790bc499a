import TimeTravel

/// What a fork has otherwise than another branch at the same place.
enum ComparePane {
  static func content(_ moment: Moment, toggled: Set<ValuePath>, width: Int) -> PaneContent {
    guard let comparison = moment.comparison else {
      return PaneContent(rows: [.note("The recording is compared with nothing.")])
    }
    if comparison.isShared {
      return PaneContent(rows: [
        .note("“\(comparison.branch)” has this very step."),
        .note("D goes to the first that differs, C takes another branch."),
      ])
    }
    guard let other = comparison.other else {
      return PaneContent(rows: [
        fork(comparison, moment),
        .note("“\(comparison.branch)” has no step at this place."),
      ])
    }
    var header = PaneRow([
      Span("− \(other.branch) \(grouped(other.step)) \(comparison.otherLabel ?? "")", .removed)
    ])
    header.step = other.step
    let fork = fork(comparison, moment)
    guard let difference = comparison.difference else {
      return PaneContent(rows: [header, fork, .note("A state is missing on one side.")])
    }
    let content = DiffPane.content(
      difference, toggled: toggled, width: width, same: "both states are equal")
    return PaneContent(rows: [header, fork] + content.rows, footer: content.footer)
  }

  private static func fork(_ comparison: Comparison, _ moment: Moment) -> PaneRow {
    PaneRow([
      Span(
        "+ \(comparison.fork.branch) \(grouped(comparison.fork.step)) \(moment.step.label)", .added)
    ])
  }
}
