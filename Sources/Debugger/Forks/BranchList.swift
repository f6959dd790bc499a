import SessionFile
import TimeTravel

/// A line of the list of branches: a branch, and under a fork its edits and what it leaves out.
enum BranchRow: Sendable, Hashable {
  case branch(Int)
  case edit(branch: Int, Int)
  /// A step of the recording whose cause did not happen on the fork.
  case leftOut(branch: Int, Int)

  var branch: Int {
    switch self {
    case .branch(let index), .edit(let index, _), .leftOut(let index, _): index
    }
  }
}

extension DebuggerState {
  /// More edits of one fork, and more steps that it leaves out, are not listed.
  private static let mostEdits = 200

  var branchRows: [BranchRow] {
    branches.indices.flatMap { index -> [BranchRow] in
      let edits = branches[index].script?.edits.count ?? 0
      let leftOut = branches[index].report?.leftOut ?? []
      return [.branch(index)]
        + (0..<min(edits, Self.mostEdits)).map { .edit(branch: index, $0) }
        + leftOut.indices.filter { leftOut[$0].reason != .skipped }.prefix(Self.mostEdits)
        .map { .leftOut(branch: index, $0) }
    }
  }

  /// The line of the branch that is looked at.
  var rowOfBranch: Int {
    let index = branches.firstIndex { $0.name == here.branch } ?? 0
    return branchRows.firstIndex(of: .branch(index)) ?? 0
  }

  /// The fork and those that leave it, the parents first, as they are kept.
  func savedForks(from name: String) -> [SavedBranch] {
    guard let fork = branches.first(where: { $0.name == name }), let script = fork.script else {
      return []
    }
    let children = branches.filter { $0.script?.parent == name }
    return [SavedBranch(name: name, script: script, note: fork.note)]
      + children.flatMap { savedForks(from: $0.name) }
  }
}
