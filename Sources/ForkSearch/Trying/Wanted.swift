import HostProtocol
import Platform
import TimeTravel

/// What somebody wants a search to be about.
package enum Wanted: Sendable, Hashable {
  /// It holds after a step.
  case holds(StepQuestion)
  /// The reducer ends its process, or throws.
  case crash
  /// Today's reducer does not do what was recorded.
  case divergence
}

extension OpenSession {
  /// The first step of a branch where it happens; nil where it does not.
  package func goal(
    _ wanted: Wanted, in steps: ClosedRange<Int>, of branch: String, on hosts: [any BranchHost]
  ) async throws -> (step: Int, goal: Goal)? {
    switch wanted {
    case .holds(let question):
      return try await firstStep(where: question, in: steps, of: branch)
        .map { ($0, .holds(question)) }
    case .divergence:
      guard branch == Branch.main else {
        throw Trouble(
          "a fork is what today's reducer does: it differs from no recording",
          next: "Ask about the recording")
      }
      return try await difference(on: hosts)
    case .crash: return try await crash(of: branch, on: hosts[0])
    }
  }

  private func crash(
    of branch: String, on host: any BranchHost
  ) async throws -> (step: Int, goal: Goal)? {
    let thrown = Locked<(step: Int, words: String)?>(nil)
    let first = self.branch(branch)?.steps.lowerBound ?? 0
    let report = try await host.run(path(to: branch), from: first + 1) { told in
      guard let words = told.step.error else { return }
      thrown.withLock { $0 = $0 ?? (told.step.number, words) }
    }
    var found = thrown.withLock { $0 }
    if case .crashed(let step, let words) = report.ending { found = found ?? (step, words) }
    return found.map { ($0.step, .crash(words: $0.words)) }
  }
}
