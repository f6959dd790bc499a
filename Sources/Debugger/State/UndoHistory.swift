import SessionLog
import TimeTravel

/// What can be taken back.
struct UndoHistory: Sendable, Hashable {
  enum Change: Sendable, Hashable {
    case marked(Position, old: String?, new: String?)
    case forked(name: String, Script, left: Position)
    /// The fork, and those that left it.
    case deleted([SavedBranch])
    case edited(name: String, old: Script, new: Script, at: Int)
    case renamed(old: String, new: String)
    case noted(name: String, old: String?, new: String?)
  }

  private(set) var done: [Change] = []
  private(set) var undone: [Change] = []

  mutating func note(_ change: Change) {
    done.append(change)
    undone = []
  }

  mutating func takeDone() -> Change? {
    guard let change = done.popLast() else { return nil }
    undone.append(change)
    return change
  }

  mutating func takeUndone() -> Change? {
    guard let change = undone.popLast() else { return nil }
    done.append(change)
    return change
  }
}
