import ValueTree

/// A step with the change of the state that is recorded for it.
package struct StoredStep: Sendable {
  package var step: Step
  /// From the last state before that is told, as RFC 6902 operations.
  package var patch: Value?
  /// Whether the state after the step is told at all.
  package var tellsState: Bool

  package init(_ step: Step, patch: Value? = nil, tellsState: Bool = true) {
    self.step = step
    self.patch = patch
    self.tellsState = tellsState
  }
}

extension SessionReader {
  /// Steps one after another with their patches, at the cost of reading each line once.
  package func storedSteps(
    _ numbers: ClosedRange<Int>
  ) throws(SessionError) -> [StoredStep] {
    let snapshot = snapshot
    try check(numbers.lowerBound, in: snapshot)
    try check(numbers.upperBound, in: snapshot)
    let lines = try stepLines(numbers, in: snapshot)
    var steps: [StoredStep] = []
    steps.reserveCapacity(numbers.count)
    for number in numbers {
      if let line = lines[number - numbers.lowerBound] {
        steps.append(line)
      } else {
        let isFirst = number == header.firstStep
        steps.append(
          StoredStep(try step(number), tellsState: isFirst && header.state != nil))
      }
    }
    return steps
  }

  /// The lines of steps; nil for those that have none of their own, or one that cannot be read.
  private func stepLines(
    _ numbers: ClosedRange<Int>, in snapshot: ReaderState
  ) throws(SessionError) -> [StoredStep?] {
    var lines = [StoredStep?](repeating: nil, count: numbers.count)
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
            // A whole state is not kept here.
            let tellsState = (line.patch ?? line.state) != nil
            lines[number - numbers.lowerBound] = StoredStep(
              line.step, patch: line.patch, tellsState: tellsState)
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
