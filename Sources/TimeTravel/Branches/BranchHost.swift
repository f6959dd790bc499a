import SessionLog
import ValueTree

/// What forks need of the process that holds the user's reducer.
public protocol BranchHost: Sendable {
  /// The name to show.
  var name: String { get }
  /// Runs a branch and reports its own steps, in order, as they are done. Returns when the branch
  /// has ended, however it did; stops early when the task is cancelled.
  func run(
    _ branch: BranchLine, report: @escaping @Sendable ([BranchStep]) async -> Void
  ) async throws -> BranchReport
  /// The state after a step of a branch.
  func state(after step: Int, of branch: BranchLine) async throws -> Value
}

/// A fork with all that is needed to compute it: the scripts from the one that leaves `main` down
/// to its own.
public struct BranchLine: Sendable, Hashable {
  public var scripts: [NamedScript]

  public struct NamedScript: Sendable, Hashable {
    public var name: String
    public var script: Script

    public init(_ name: String, _ script: Script) {
      self.name = name
      self.script = script
    }
  }

  public init(_ scripts: [NamedScript]) { self.scripts = scripts }

  public var name: String { scripts.last?.name ?? Branch.main }
}
