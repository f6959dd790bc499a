/// What can be seen of a moment, one at a time.
package enum Pane: String, Sendable, Hashable, CaseIterable {
  case diff = "Diff"
  case state = "State"
  case action = "Action"
  case effects = "Effects"
  case reads = "Reads"
  case watch = "Watch"
  case compare = "Compare"

  /// A fork can be compared with its parent; the recording has none.
  package static func all(onFork: Bool) -> [Pane] { onFork ? allCases : allCases.dropLast() }
}
