import SessionWords
import ValueTree

package struct ReportedFailure: Sendable, Hashable {
  package var position: Position
  package var label: String
  package var words: String

  package static let limit = 10_000

  package init(position: Position, label: String, words: String) {
    (self.position, self.label, self.words) = (position, label, words)
  }
}

extension OpenSession {
  /// The steps of a branch that failed, each in a few words.
  package func failures(of branch: BranchID) async throws -> [ReportedFailure] {
    guard let steps = self.branch(branch)?.steps else { return [] }
    var found: [ReportedFailure] = []
    for start in stride(from: steps.lowerBound + 1, through: steps.upperBound, by: 256)
    where found.count < ReportedFailure.limit {
      await Task.yield()
      try Task.checkCancellation()
      let part = start...min(start + 255, steps.upperBound)
      for number in try await errors(in: part, of: branch).prefix(
        ReportedFailure.limit - found.count)
      {
        let position = Position(branch: branch, step: number)
        let step = try step(at: position).step
        found.append(
          ReportedFailure(
            position: position, label: step.label, words: try await words(for: step, at: position)))
      }
    }
    return found
  }

  private func words(for step: Step, at position: Position) async throws -> String {
    if step.isUnfinished { return "the app stopped inside its reducer" }
    if let words = step.error ?? step.damage { return words }
    if let outcome = step.standing?.outcome, outcome.isError { return outcome.words }
    for effect in try effects(in: position.step...position.step, of: position.branch)
    where effect.end?.step == position.step {
      if case .failed(let message) = effect.end?.manner {
        return "\(effect.name) failed: \(message)"
      }
    }
    if !step.carriesFailure, let place = try await alert(openedAt: position) {
      return "sets \(place.tokens.joined(separator: "."))"
    }
    let payload = ValuePreview.payload(of: step.action, label: step.label, limit: 160)
    return payload.isEmpty ? "reports a failure" : "reports a failure: \(payload)"
  }
}
