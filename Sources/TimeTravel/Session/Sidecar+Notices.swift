import SessionFile

extension Sidecar {
  /// What in it does not fit the session, one sentence each: it is kept there, and not shown.
  func notices(on table: BranchTable) -> [String] {
    var notices = notice.map { [$0] } ?? []
    let contents = contents
    let strays = contents.marks.count { !table.hasPlace(for: $0) }
    if strays > 0 {
      notices.append(
        strays == 1
          ? "1 mark beside the session is on a step that it does not have; it is not shown."
          : "\(strays) marks beside the session are on steps that it does not have; "
            + "they are not shown.")
    }
    for branch in contents.branches.prefix(100) where table[branch.name] == nil {
      let (parent, step) = (branch.script.parent, branch.script.leavesAt)
      notices.append(
        table[parent] == nil
          ? "The fork “\(branch.name)” beside the session is not shown: there is no branch "
            + "“\(parent)” that it could leave."
          : "The fork “\(branch.name)” beside the session is not shown: there is no step \(step) "
            + "that it could leave at.")
    }
    return notices
  }
}

extension BranchTable {
  /// Whether a mark is on a step that is there, or may be there when its fork has run.
  func hasPlace(for mark: Mark) -> Bool {
    guard let branch = self[mark.branch], mark.step >= branch.steps.lowerBound else { return false }
    return branch.isNotRun || branch.progress == .running || branch.steps.contains(mark.step)
  }
}
