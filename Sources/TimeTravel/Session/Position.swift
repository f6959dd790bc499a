/// A place in time: a step of a branch.
public struct Position: Sendable, Hashable {
  public var branch: String
  public var step: Int

  public init(branch: String = Branch.main, step: Int) {
    self.branch = branch
    self.step = step
  }

  /// As commands take it: `813`, or `no coupon/813` on a fork.
  public var text: String { branch == Branch.main ? "\(step)" : "\(branch)/\(step)" }
}
