import SessionFile
import SessionWords
import ValueTree

package struct ScanBatch: Sendable, Equatable {
  package var steps: ClosedRange<Int>
  package var hits: [Int]
  package var labels: [(first: Int, label: String)] = []

  package static func == (left: Self, right: Self) -> Bool {
    left.steps == right.steps && left.hits == right.hits
      && left.labels.elementsEqual(right.labels, by: ==)
  }
}

extension OpenSession {
  package func scan(
    _ branch: String, in parts: [ClosedRange<Int>], for question: StepQuestion?, labels: Bool,
    report: @Sendable (ScanBatch) async -> Void
  ) async throws {
    var asked: ConditionSearch?
    if let question { asked = try await conditionSearch(question, of: branch) }
    try await goThrough(parts) { steps in
      var batch = ScanBatch(steps: steps, hits: try await asked?.allHits(in: steps) ?? [])
      if labels { batch.labels = try await self.labels(in: steps, of: branch) }
      await report(batch)
      return true
    }
  }

  /// Works in short pieces until the work returns false or the task is cancelled.
  func goThrough(
    _ parts: [ClosedRange<Int>], _ work: (ClosedRange<Int>) async throws -> Bool
  ) async throws {
    var chunk = SearchChunk()
    for part in parts {
      var first = part.lowerBound
      while first <= part.upperBound {
        if Task.isCancelled { return }
        let last = min(first + chunk.size - 1, part.upperBound)
        guard try await chunk.measure({ try await work(first...last) }) else { return }
        await Task.yield()
        first = last + 1
      }
    }
  }

  private func labels(
    in steps: ClosedRange<Int>, of branch: String
  ) async throws -> [(first: Int, label: String)] {
    var labels: [(first: Int, label: String)] = []
    // A run has one sign.
    func signs(_ step: Step) -> String {
      "\0" + (step.isSkipped ? "⊘" : "") + (step.error == nil ? "" : "✗")
    }
    func add(_ label: String, at step: Int) -> Bool {
      if labels.last?.label != label { labels.append((step, label)) }
      return true
    }
    try await walk(steps, of: branch) { preview, step in
      let wanted: StepPreview.Part =
        preview.maySkip ? [.label, .error, .standing] : [.label, .error]
      let read = try preview.step(StepPreview.Parts(wanted))
      return add(read.label + signs(read), at: step)
    } other: {
      let told = try step(at: $0)
      let standing = "\(told.standing.outcome)\(told.standing.values)"
      return add(told.step.label + signs(told.step) + standing, at: $0.step)
    }
    return labels
  }

  /// Visits steps of a branch until false: recorded ones by their lines, others one by one.
  /// `places` of the state are correct.
  func walk(
    _ steps: ClosedRange<Int>, of branch: String, places: [Pointer]? = nil,
    recorded: (StepPreview, _ number: Int) throws -> Bool,
    other: (Position) async throws -> Bool
  ) async throws {
    var next = steps.lowerBound
    while next <= steps.upperBound {
      try Task.checkCancellation()
      guard let part = self.recorded(from: next, of: branch),
        let recording = recording as? any WalkedRecording
      else {
        guard try await other(Position(branch: branch, step: next)) else { return }
        next += 1
        continue
      }
      let last = min(steps.upperBound, part.last)
      var walk = recording.walk(places, from: next - part.shift)
      var goesOn: Result<Bool, any Error> = .success(true)
      try walk.advance(through: last - part.shift) { preview in
        goesOn = Result { try recorded(preview, preview.number + part.shift) }
        return (try? goesOn.get()) == true
      }
      guard try goesOn.get() else { return }
      next = last + 1
    }
  }
}
