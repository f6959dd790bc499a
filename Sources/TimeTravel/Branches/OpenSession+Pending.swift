import HostProtocol
import SessionLog

extension OpenSession {
  /// The effects in flight after a step, with the answers that were recorded for them or for others
  /// of their kind. The host finds them: it runs the branch as far as there.
  package func pendingEffects(at position: Position) async throws -> [PendingEffect] {
    guard let host else {
      throw Trouble("the answers that were recorded are found by a host", next: Trouble.attachHint)
    }
    var path = table.withLock { $0.path(to: position.branch) }
    let ending = Script(parent: position.branch, leavesAt: position.step, rest: .nothing)
    path.branches.append(NamedScript(name: "pending", script: ending))
    return try await host.run(path, from: position.step + 1) { _ in }.pending
  }
}
