import SessionFile
import SessionWords
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

    var words: String {
      switch self {
      case .marked(let position, let old, let new):
        "The \((old ?? new)?.isEmpty == false ? "note" : "mark") at step \(grouped(position.step))"
      case .forked(let name, _, _): "“\(name)”"
      case .deleted(let saved): "Deleting “\(saved.first?.name ?? "")”"
      case .edited(let name, _, _, _): "The change of “\(name)”"
      case .renamed(let old, _): "The new name of “\(old)”"
      case .noted(let name, _, _): "The note on “\(name)”"
      }
    }
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
