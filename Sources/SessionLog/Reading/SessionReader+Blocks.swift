import ValueTree

/// A step with the change of the state that is recorded for it.
package struct StoredStep: Sendable {
  package var step: Step
  /// As ``SessionReader/patch(at:)`` gives it.
  package var patch: Value?

  package init(_ step: Step, patch: Value? = nil) {
    self.step = step
    self.patch = patch
  }
}

extension SessionReader {
  /// Steps one after another with their patches: what ``step(_:)`` and ``patch(at:)`` give, at the
  /// cost of reading each line once.
  package func storedSteps(
    _ numbers: ClosedRange<Int>
  ) throws(SessionError) -> [StoredStep] {
    let snapshot = snapshot
    try check(numbers.lowerBound, in: snapshot)
    try check(numbers.upperBound, in: snapshot)
    // The line before tells whether the first patch leads from its state.
    let first = max(header.firstStep, numbers.lowerBound - 1)
    let lines = try stepLines(first...numbers.upperBound, in: snapshot)
    var steps: [StoredStep] = []
    steps.reserveCapacity(numbers.count)
    for number in numbers {
      guard let line = lines[number - first] else {
        steps.append(StoredStep(try step(number)))
        continue
      }
      let before = number > first ? lines[number - 1 - first] : nil
      let isUsable =
        header.states == .everyStep && !line.isStateDropped
        && (number - 1 == header.firstStep || before?.tellsState == true)
      steps.append(StoredStep(line.step, patch: isUsable ? line.patch : nil))
    }
    return steps
  }

  /// What is kept of a step's line: a whole state in it is not.
  private struct Line {
    var step: Step
    var patch: Value?
    var isStateDropped: Bool
    var tellsState: Bool

    init(_ line: StepLine) {
      step = line.step
      patch = line.patch
      isStateDropped = line.isStateDropped
      tellsState = line.patch != nil || line.state != nil
    }
  }

  /// The lines of steps; nil for those that have none of their own, or one that cannot be read.
  private func stepLines(
    _ numbers: ClosedRange<Int>, in snapshot: ReaderState
  ) throws(SessionError) -> [Line?] {
    var lines = [Line?](repeating: nil, count: numbers.count)
    let start = max(numbers.lowerBound, header.firstStep + 1)
    guard start <= numbers.upperBound else { return lines }
    let range =
      snapshot.index.entry(of: start)
      .offset..<snapshot.range(
        ofLineAt: snapshot.index.entry(of: numbers.upperBound).offset
      ).upperBound
    do throws(SessionError) {
      try LineWalk.walk(range, in: snapshot.parts) { (offset, bytes) throws(SessionError) in
        let head = LineHead(line: bytes)
        guard head.kind == .step, let number = head.number, numbers.contains(number),
          case let entry = snapshot.index.entry(of: number), entry.offset == offset,
          !entry.isAbsent
        else { return true }
        do throws(LineFault) {
          if case .step(let line) = try LogLine(value: Value(line: bytes)),
            line.step.number == number
          {
            lines[number - numbers.lowerBound] = Line(line)
          }
        } catch {
          update { $0.note(.badLine(reason: error.reason), at: offset) }
        }
        return true
      }
    } catch {
      if error.problem == .changed { update { $0.noteShortened() } }
      throw error
    }
    return lines
  }
}
