import Platform
import SessionFile
import SessionWords
import ValueTree

package struct ScanBatch: Sendable, Equatable {
  package var steps: ClosedRange<Int>
  package var hits: [Int]
  /// The number of steps whose answer is unknown.
  package var unknown = 0
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
    _ branch: BranchID, in parts: [ClosedRange<Int>], for question: StepQuestion?, labels: Bool,
    report: @Sendable (ScanBatch) async -> Void
  ) async throws {
    var asked: ConditionSearch?
    if let question { asked = try await conditionSearch(question, of: branch) }
    try await goThrough(parts) { steps in
      let answers = try await asked?.allAnswers(in: steps) ?? StepAnswers()
      var batch = ScanBatch(steps: steps, hits: answers.hits, unknown: answers.unknown.count)
      if labels { batch.runs = try await runs(in: steps, of: branch) }
      await report(batch)
      return true
    }
  }

  /// Works in pieces short enough for unnoticeable pauses, until the work returns false or the task
  /// is cancelled.
  func goThrough(
    _ parts: [ClosedRange<Int>], _ work: (ClosedRange<Int>) async throws -> Bool
  ) async throws {
    var size = 512
    for part in parts {
      var first = part.lowerBound
      while first <= part.upperBound {
        if Task.isCancelled { return }
        let last = min(first + size - 1, part.upperBound)
        let start = ContinuousClock.now
        guard try await work(first...last) else { return }
        let time = ContinuousClock.now - start
        if time < .milliseconds(10) { size = min(size * 2, 1 << 16) }
        if time > .milliseconds(40) { size = max(size / 2, 64) }
        await Task.yield()
        first = last + 1
      }
    }
  }

  /// Works at parts of some steps on all processors, if worthwhile. The results are in the order of
  /// the steps.
  func inParts<Result: Sendable>(
    of steps: ClosedRange<Int>,
    _ work: @escaping @Sendable (ClosedRange<Int>) async throws -> Result
  ) async throws -> [Result] {
    // A part may begin with steps that lead to it from a keyframe. They cost little beside a question
    // so slow that it is asked of few steps at a time.
    let smallest = 256
    // More parts than processors, because some may be busy.
    let count = min(processorCount > 1 ? 4 * processorCount : 1, steps.count / smallest)
    guard count > 1 else { return [try await work(steps)] }
    let size = (steps.count + count - 1) / count
    return try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      for first in stride(from: steps.lowerBound, through: steps.upperBound, by: size) {
        group.addTask { (first, try await work(first...min(first + size - 1, steps.upperBound))) }
      }
      var found: [(first: Int, result: Result)] = []
      for try await part in group { found.append(part) }
      return found.sorted { $0.first < $1.first }.map(\.result)
    }
  }

  private func runs(
    in steps: ClosedRange<Int>, of branch: BranchID
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

  /// Visits steps of a branch until false: recorded ones by their lines, others one by one, and so
  /// those whose state a host computes. `places` of the state are correct.
  func walk(
    _ steps: ClosedRange<Int>, of branch: BranchID, places: [Pointer]? = nil,
    recorded visit: (StepPreview, _ number: Int) throws -> Bool,
    other: (Position) async throws -> Bool
  ) async throws {
    for part in parts(of: steps, on: branch) {
      try Task.checkCancellation()
      var goesOn = true
      if let recorded = part.recorded {
        var walk = recorded.recording.walk(places, from: recorded.own.lowerBound)
        while goesOn, walk.next <= recorded.own.upperBound {
          var (unknown, isLost) = (Int?.none, false)
          try walk.visit(through: recorded.own.upperBound) { preview in
            let number = preview.number + recorded.shift
            // Bytes tell what changed, but not whether the state is damaged elsewhere.
            isLost = places != nil && preview.hasChanged && !preview.isStateReadable
            if isLost || places != nil && computesStates && !preview.isStateKnown {
              unknown = number
              return false
            }
            goesOn = try visit(preview, number)
            return goesOn
          }
          if isLost { walk.loseState() }
          if let unknown { goesOn = try await other(Position(branch: branch, step: unknown)) }
        }
      } else {
        goesOn = try await other(Position(branch: branch, step: part.step))
      }
      guard goesOn else { return }
    }
  }

  /// The parts of a range: runs of recorded steps, and single other ones.
  func parts(
    of steps: ClosedRange<Int>, on branch: BranchID
  ) -> AnyIterator<(step: Int, recorded: RecordedSteps?)> {
    var next = steps.lowerBound
    return AnyIterator {
      guard next <= steps.upperBound else { return nil }
      let recorded = self.recorded(next...steps.upperBound, of: branch)
      defer { next = (recorded?.steps.upperBound ?? next) + 1 }
      return (next, recorded)
    }
  }

  /// The recorded steps at the beginning of a range. Nil if the recording cannot be walked.
  func recorded(_ steps: ClosedRange<Int>, of branch: BranchID) -> RecordedSteps? {
    guard let recording = recording as? any WalkedRecording,
      let run = table.withLock({ $0.recorded(from: steps.lowerBound, of: branch) })
    else { return nil }
    return RecordedSteps(
      recording: recording, steps: steps.lowerBound...min(steps.upperBound, run.last),
      shift: run.shift, first: summary.steps.lowerBound)
  }
}

/// Steps in a row that a branch shares with a recording whose lines can be searched.
struct RecordedSteps {
  let recording: any WalkedRecording
  var steps: ClosedRange<Int>
  /// The offset from recorded step numbers to the branch's.
  let shift: Int
  /// The recording's first step.
  let first: Int

  var own: ClosedRange<Int> { steps.lowerBound - shift...steps.upperBound - shift }

  /// The steps whose lines hold a text. The first step of a recording counts, because its label is
  /// not in the file.
  func holding(_ text: TextNeedle, limit: Int = .max) throws -> [Int] {
    var found = try recording.steps(holding: text, in: own, limit: limit)
    if own.contains(first), found.first != first { found.insert(first, at: 0) }
    return found.map { $0 + shift }
  }

  func few(holding text: TextNeedle) throws -> [Int]? {
    let most = 8 + steps.count / 8
    let found = try holding(text, limit: most)
    return found.count < most ? found : nil
  }

  func walk(_ places: [Pointer]?, _ visit: (StepPreview) throws -> Bool) throws {
    var walk = recording.walk(places, from: own.lowerBound)
    try walk.visit(through: own.upperBound, visit)
  }
}

extension StepWalk {
  mutating func visit(through last: Int, _ visit: (StepPreview) throws -> Bool) throws {
    var goesOn: Result<Bool, any Error> = .success(true)
    try advance(through: last) { preview in
      goesOn = Result { try visit(preview) }
      return (try? goesOn.get()) == true
    }
    _ = try goesOn.get()
  }
}
