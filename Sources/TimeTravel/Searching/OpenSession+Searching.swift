import SessionWords
import ValueTree

extension OpenSession {
  /// Looks through a branch from a step to its end, then from its start, and reports what it finds
  /// as it goes. Ends early, without an error, when the task is cancelled.
  package func search(
    _ branch: String, from start: Int, for matches: @Sendable (Position) async throws -> Bool,
    report: @Sendable (SearchBatch) async -> Void
  ) async throws {
    try await search(
      branch, from: start,
      hits: { steps in
        var hits: [Int] = []
        for step in steps where try await matches(Position(branch: branch, step: step)) {
          hits.append(step)
        }
        return hits
      }, report)
  }

  /// The same with a function that finds the hits of many steps at once.
  func search(
    _ branch: String, from start: Int, hits: (ClosedRange<Int>) async throws -> [Int],
    _ report: (SearchBatch) async -> Void
  ) async throws {
    guard let steps = self.branch(branch)?.steps else { return }
    let start = min(max(start, steps.lowerBound), steps.upperBound)
    var parts = [start...steps.upperBound]
    if start > steps.lowerBound { parts.append(steps.lowerBound...start - 1) }
    var searched = 0
    var chunk = SearchChunk()
    for part in parts {
      var first = part.lowerBound
      while first <= part.upperBound {
        if Task.isCancelled { return }
        let last = min(first + chunk.size - 1, part.upperBound)
        let found = try await chunk.measure { try await hits(first...last) }
        searched += last - first + 1
        await report(SearchBatch(hits: found, searched: searched, total: steps.count))
        await Task.yield()
        first = last + 1
      }
    }
  }

  /// The state after a step; nil where the recording has lost it, which its notices say.
  package func knownState(at position: Position) async throws -> Value? {
    let owner = table.withLock { $0.owner(of: position) }
    guard owner.branch == Branch.main else { return try await state(at: position) }
    do {
      // A host that computes what the recording does not hold would take long for many steps.
      return try recording.state(after: owner.step)
    } catch let error as SessionError {
      switch error.problem {
      case .stateLost, .stepUnfinished: return nil
      default: throw error
      }
    }
  }

  /// How far the steps of a branch from one on are the recording's own, and what is added to the
  /// recording's numbers to get the branch's. Nil when the recording cannot be walked through.
  func recorded(from step: Int, of branch: String) -> (last: Int, shift: Int)? {
    guard recording is any WalkedRecording else { return nil }
    return table.withLock { $0.recorded(from: step, of: branch) }
  }
}

/// How many steps are looked at between two reports: as many as take a moment that nobody notices.
struct SearchChunk {
  private(set) var size = 512

  mutating func measure<Result>(_ work: () async throws -> Result) async rethrows -> Result {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try await work()
    let time = clock.now - start
    if time < .milliseconds(5) { size = min(size * 2, 1 << 16) }
    if time > .milliseconds(40) { size = max(size / 2, 64) }
    return result
  }
}
