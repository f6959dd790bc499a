import SessionLog
import ValueTree

extension OpenSession {
  /// Looks through a branch from a step to its end, then from its start, and reports what it finds
  /// as it goes. Ends early, without an error, when the task is cancelled.
  public func search(
    _ branch: String, from start: Int, for matches: @Sendable (Position) async throws -> Bool,
    report: @Sendable (SearchBatch) async -> Void
  ) async throws {
    guard let steps = self.branch(branch)?.steps else { return }
    let start = min(max(start, steps.lowerBound), steps.upperBound)
    var parts = [start...steps.upperBound]
    if start > steps.lowerBound { parts.append(steps.lowerBound...start - 1) }
    var searched = 0
    for part in parts {
      for first in stride(from: part.lowerBound, through: part.upperBound, by: Self.chunk) {
        if Task.isCancelled { return }
        let chunk = first...min(first + Self.chunk - 1, part.upperBound)
        var hits: [Int] = []
        for step in chunk where try await matches(Position(branch: branch, step: step)) {
          hits.append(step)
        }
        searched += chunk.count
        await report(SearchBatch(hits: hits, searched: searched, total: steps.count))
        await Task.yield()
      }
    }
  }

  private static let chunk = 512
}
