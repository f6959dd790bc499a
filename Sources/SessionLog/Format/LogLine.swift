import ValueTree

/// One line of a session after its header.
package enum LogLine: Sendable, Hashable {
  case step(StepLine)
  /// Write-ahead: an action before the reducer runs. The step's line supersedes it.
  case begin(Step)
  case effect(EffectEvent)
  case read(OutsideRead)
  /// Write-ahead: a read of the step whose `begin` line stands above.
  case readBegun(Read, step: Int)
  case signpost(Signpost)
  /// A dependency that was put on tape after the header was written.
  case tape(key: String)
  /// The recording was finished after this step.
  case end(step: Int, time: Duration?)
  /// The recorder could not write these steps, and so many lines between steps.
  case lost(steps: ClosedRange<Int>?, lines: Int, because: String)
  case unknown(key: String)
}

/// The line of a step: the step and what is said of the state after it.
package struct StepLine: Sendable, Hashable {
  package var step: Step
  /// From the last state that the file holds, as RFC 6902 operations.
  package var patch: Value?
  /// The whole state: then the step is a keyframe.
  package var state: Value?
  /// The recorder left the state out because it fell behind.
  package var isStateDropped: Bool

  package init(_ step: Step, patch: Value? = nil, state: Value? = nil, isStateDropped: Bool = false)
  {
    self.step = step
    self.patch = patch
    self.state = state
    self.isStateDropped = isStateDropped
  }
}
