import SessionFile
import SessionWords
import ValueTree

/// A fork that was played in the app. The app's later actions become a fork of their own beside the session, whose
/// states the app's reducer computes again.
struct PlayedFork {
  /// The jump to the start of the fork has it: a page cannot guess it before.
  let token = String(UInt64.random(in: 0...UInt64.max), radix: 36)
  private var fork: SavedBranch
  private var written: SavedBranch?
  private var size = 0

  private static let mostEdits = 10_000
  private static let largest = 8 << 20

  init(_ fork: SavedBranch) {
    self.fork = fork
    self.fork.script.rest = .nothing
  }

  /// False if it has become too large.
  mutating func add(_ action: Value) -> Bool {
    add(.insert(after: fork.script.leavesAt, action: action), action)
  }

  /// A state that no action explains.
  mutating func add(state: Value) -> Bool {
    add(.set(step: fork.script.leavesAt, pointer: [], value: state), state)
  }

  private mutating func add(_ edit: Edit, _ value: Value) -> Bool {
    guard fork.script.edits.count < Self.mostEdits, size + value.weight <= Self.largest else {
      return false
    }
    fork.script.edits.append(edit)
    size += value.weight
    return true
  }

  /// Writes it beside the session. Returns whether there was news.
  mutating func save(beside path: String) throws(SessionError) -> Bool {
    guard fork != written, !fork.script.edits.isEmpty else { return false }
    let before = written
    var kept = fork
    try Sidecar(session: path).update { contents in
      // The user may have changed it in the debugger: then there are two.
      let known = contents.branches.firstIndex { $0.name == kept.name }
      if let known, contents.branches[known].script == before?.script {
        contents.branches[known].script = kept.script
        return
      }
      if known != nil {
        let names = Set(contents.branches.map(\.name))
        kept.name = SavedBranch.freeName(like: kept.name, besides: names)
      }
      contents.branches.append(kept)
    }
    (fork, written) = (kept, kept)
    return true
  }
}
