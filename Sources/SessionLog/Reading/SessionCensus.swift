/// What reading every line of a session found, in numbers; what is wrong with which line is in
/// ``SessionReader/notices``.
public struct SessionCensus: Sendable, Hashable {
  /// Steps whose state was left out because the recorder had fallen behind.
  public var droppedStates = 0
  /// Steps of which the file tells no state for another reason: nobody asked for it, or the file of
  /// another tool has none.
  public var absentStates = 0
  /// Steps that were skipped when they were recorded.
  public var skippedSteps = 0
  /// Steps that the recorder says it could not write.
  public var lostSteps = 0
  /// Lines between steps of which it says the same.
  public var lostLines = 0
  /// Steps that have no line, and of which nothing is said.
  public var missingSteps = 0
  private var lost: [ClosedRange<Int>] = []

  public init() {}

  mutating func count(_ line: StepLine) {
    if line.step.isSkipped { skippedSteps += 1 }
    guard line.patch == nil, line.state == nil else { return }
    if line.isStateDropped { droppedStates += 1 } else { absentStates += 1 }
  }

  mutating func count(lost steps: ClosedRange<Int>?, lines: Int) {
    lostLines += lines
    guard let steps else { return }
    lostSteps += steps.count
    if lost.count < 10_000 { lost.append(steps) }
  }

  /// Between two lines of steps these have none.
  mutating func count(absent steps: ClosedRange<Int>) {
    let said = lost.reduce(0) { $0 + (steps.overlaps($1) ? steps.clamped(to: $1).count : 0) }
    missingSteps += max(0, steps.count - said)
  }
}
