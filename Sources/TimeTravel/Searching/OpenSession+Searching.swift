import SessionLog
import ValueTree

extension OpenSession {
  /// Looks through a branch from a step to its end, then from its start, and reports what it finds
  /// as it goes. Ends early, without an error, when the task is cancelled.
  public func search(
    _ branch: String, from start: Int, for matches: @Sendable (Step) -> Bool,
    report: @Sendable (SearchBatch) async -> Void
  ) async throws {
    guard let steps = self.branch(branch)?.steps else { return }
    let start = min(max(start, steps.lowerBound), steps.upperBound)
    let parts =
      [start...steps.upperBound] + (start > steps.lowerBound ? [steps.lowerBound...start - 1] : [])
    var searched = 0
    for part in parts {
      var next = part.lowerBound
      while next <= part.upperBound {
        if Task.isCancelled { return }
        let chunk = next...min(next + Self.searchChunk - 1, part.upperBound)
        let hits = try chunk.filter {
          matches(try step(at: Position(branch: branch, step: $0)).step)
        }
        searched += chunk.count
        next = chunk.upperBound + 1
        await report(SearchBatch(hits: hits, searched: searched, total: steps.count))
        await Task.yield()
      }
    }
  }

  private static let searchChunk = 512
}
