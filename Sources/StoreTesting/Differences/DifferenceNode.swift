/// Where two values differ, as a tree that leads to the differences and leaves out the rest.
indirect enum DifferenceNode {
  case replaced(expected: Any, actual: Any)
  /// Two texts of several lines.
  case lines([LineChange])
  case parts(open: String, close: String, [Entry])

  struct Entry {
    var label: String
    var change: Change
  }

  enum Change {
    case changed(DifferenceNode)
    case removed(Any)
    case inserted(Any)
    /// Not changed, but shown because it says what this is.
    case same(Any)
    /// So many that did not change.
    case folded(Int)
  }

  enum LineChange {
    case removed(Substring)
    case inserted(Substring)
    case folded(Int)
  }
}

/// Collects entries and folds what did not change.
struct DifferenceEntries {
  private(set) var entries: [DifferenceNode.Entry] = []
  private(set) var hasChanges = false
  private var unchanged = 0

  mutating func addUnchanged(_ count: Int = 1) {
    unchanged += count
  }

  mutating func add(_ label: String, _ change: DifferenceNode.Change) {
    fold()
    if case .same = change {} else { hasChanges = true }
    entries.append(DifferenceNode.Entry(label: label, change: change))
  }

  mutating func fold() {
    guard unchanged > 0 else { return }
    entries.append(DifferenceNode.Entry(label: "", change: .folded(unchanged)))
    unchanged = 0
  }
}
