import SessionWords
import ValueTree

/// What a walk remembers of two lines: the label of the one that it visits, and the one before, to tell
/// whether that is whole.
final class LineMemory {
  private let format: (any LineFormat)?
  private let snapshot: ReaderState
  // Used by one walk alone.
  @exclusivity(unchecked) private var found: (step: Int, label: Range<Int>?)?
  @exclusivity(unchecked) private var last = KeptText()
  @exclusivity(unchecked) private var lastStep: Int?
  /// The last line that was found whole.
  @exclusivity(unchecked) var wholeStep: Int?

  init(_ snapshot: ReaderState) { (format, self.snapshot) = (snapshot.format, snapshot) }

  deinit { last.deallocate() }

  /// Whether another tool wrote the lines.
  var areForeign: Bool { format != nil }

  /// Finds each label once, when a search asks for it.
  func label(of members: StepMembers, _ step: Int) -> Range<Int>? {
    guard let format else { return members.label }
    if let found, found.step == step { return found.label }
    let label = format.label(of: members)
    found = (step, label)
    return label
  }

  func time(_ told: Value?) -> Duration? {
    format.map { snapshot.time(told: $0.time(told)) } ?? Duration(decimalSeconds: told)
  }

  func keep(_ step: Int, _ members: StepMembers?) {
    lastStep = members?.state == nil ? nil : step
    if let members, members.state != nil { last.copy(members.bytes) }
  }

  /// Whether the line that was kept certainly tells the state after a step.
  func isReadable(_ step: Int) -> Bool {
    lastStep == step && (wholeStep == step || last.text.isJSON)
  }
}
