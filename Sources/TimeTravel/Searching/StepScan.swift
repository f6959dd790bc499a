import SessionFile
import SessionWords
import ValueTree

package struct ScanBatch: Sendable, Equatable {
  package var steps: ClosedRange<Int>
  package var hits: [Int]
  package var runs: [Run] = []

  /// Steps in a row with one label and one sign.
  package struct Run: Sendable, Equatable {
    package var first: Int
    package var label: String
    package var sign: String
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
      if labels { batch.runs = try await runs(in: steps, of: branch) }
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

  private func runs(
    in steps: ClosedRange<Int>, of branch: String
  ) async throws -> [ScanBatch.Run] {
    var runs: [ScanBatch.Run] = []
    func add(_ read: Step, _ standing: String, at step: Int) -> Bool {
      let sign = (read.isSkipped ? "⊘" : "") + (read.error == nil ? "" : "✗") + standing
      if runs.last?.label != read.label || runs.last?.sign != sign {
        runs.append(ScanBatch.Run(first: step, label: read.label, sign: sign))
      }
      return true
    }
    try await walk(steps, of: branch) { preview, step in
      let wanted: StepPreview.Part =
        preview.maySkip ? [.label, .error, .standing] : [.label, .error]
      return add(try preview.step(StepPreview.Parts(wanted)), "", at: step)
    } other: {
      let told = try step(at: $0)
      return add(
        told.step, "\(told.standing.outcome)\(told.standing.values)", at: $0.step)
    }
    return runs
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
      var walk = recording.walk(places, from: next - part.shift, needsLabel: true)
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
