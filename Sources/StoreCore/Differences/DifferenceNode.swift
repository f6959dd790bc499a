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
    /// So many that changed, and are too many to be shown.
    case hidden(Int)
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
  private var changes = 0
  private var unchanged = 0

  /// More changed parts of one value than this are counted, not shown.
  private static let mostChanges = 100

  var hasChanges: Bool { changes > 0 }
  /// Whether further changes are only counted, so that nobody has to look into them.
  var isFull: Bool { changes >= Self.mostChanges }

  mutating func addUnchanged(_ count: Int = 1) {
    unchanged += count
  }

  mutating func add(_ label: String, _ change: @autoclosure () -> DifferenceNode.Change) {
    if isFull {
      changes += 1
      return
    }
    fold()
    let change = change()
    if case .same = change {} else { changes += 1 }
    entries.append(DifferenceNode.Entry(label: label, change: change))
  }

  private mutating func fold() {
    guard unchanged > 0 else { return }
    entries.append(DifferenceNode.Entry(label: "", change: .folded(unchanged)))
    unchanged = 0
  }

  /// All entries, with what was only counted at their end.
  mutating func finish() -> [DifferenceNode.Entry] {
    let hidden = changes - Self.mostChanges
    if hidden > 0 {
      unchanged = 0
      entries.append(DifferenceNode.Entry(label: "", change: .hidden(hidden)))
    }
    fold()
    return entries
  }
}
