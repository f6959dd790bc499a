/// A place in time: a step of a branch.
package struct Position: Sendable, Hashable {
  package var branch: String
  package var step: Int

  package init(branch: String = Branch.main, step: Int) {
    self.branch = branch
    self.step = step
  }

  /// As commands take it: `813`, or `no coupon/813` on a fork.
  package var text: String { branch == Branch.main ? "\(step)" : "\(branch)/\(step)" }
}
