import SessionWords
import ValueTree

/// Finds the label and the time in a line of another tool when a search asks for them. It finds each
/// label once.
final class LineLabels {
  private let format: any LineFormat
  private let snapshot: ReaderState
  // Used by one walk alone.
  @exclusivity(unchecked) private var last: (step: Int, label: Range<Int>?)?

  init(_ format: any LineFormat, _ snapshot: ReaderState) {
    (self.format, self.snapshot) = (format, snapshot)
  }

  func time(_ told: Value?) -> Duration? { snapshot.time(told: format.time(told)) }

  func label(of members: StepMembers, _ step: Int) -> Range<Int>? {
    if let last, last.step == step { return last.label }
    let label = format.label(of: members)
    last = (step, label)
    return label
  }
}
