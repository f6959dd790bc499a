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

  /// The last change made another fork than was asked for: somebody else has that name.
  mutating func use(_ name: String, insteadOf asked: String) {
    switch done.last {
    case .forked(asked, let script, let left)?:
      done[done.count - 1] = .forked(name: name, script, left: left)
    case .edited(asked, _, let script, let step)?:
      let left = Position(branch: asked, step: step)
      done[done.count - 1] = .forked(name: name, script, left: left)
    default: break
    }
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
