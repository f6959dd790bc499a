import TimeTravel

/// What a fork has otherwise than its parent at the same place.
enum ComparePane {
  static func content(_ moment: Moment, toggled: Set<ValuePath>, width: Int) -> PaneContent {
    guard let comparison = moment.comparison else {
      return PaneContent(rows: [.note("Both branches share this step.")])
    }
    guard let parent = comparison.parent else {
      return PaneContent(rows: [
        .note("This step was inserted: nothing stands beside it on the parent.")
      ])
    }
    var header = PaneRow([
      Span("− \(parent.branch) \(grouped(parent.step)) \(comparison.parentLabel ?? "")", .removed)
    ])
    header.step = parent.step
    let fork = PaneRow([
      Span(
        "+ \(comparison.fork.branch) \(grouped(comparison.fork.step)) \(moment.step.label)", .added)
    ])
    guard let difference = comparison.difference else {
      return PaneContent(rows: [header, fork, .note("A state is missing on one side.")])
    }
    let content = DiffPane.content(
      difference, toggled: toggled, width: width, same: "both states are equal")
    return PaneContent(rows: [header, fork] + content.rows, footer: content.footer)
  }
}
